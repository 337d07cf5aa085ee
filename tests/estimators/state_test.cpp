// The estimator as a whole: replay, repeated claims and bounds of memory.
#include <boost/test/unit_test.hpp>
#include <string>

#include "core/estimators/state.hpp"
#include "tests/estimators/submissions.hpp"

using namespace tideover;
using namespace tideover::estimators;
using namespace tideover::tests;
using domain::Date;

BOOST_AUTO_TEST_SUITE(estimator_state)

BOOST_AUTO_TEST_CASE(equal_events_give_equal_states_and_a_different_event_a_different_state) {
  State a, b, c;
  const auto denied = [](int i) { return i % 7 == 0; };
  live(a, kFirstDay, 80, 10, 14, denied);
  live(b, kFirstDay, 80, 10, 14, denied);
  live(c, kFirstDay, 80, 10, 14, [](int i) { return i % 7 == 0 || i == 500; });
  BOOST_TEST((a.digest() == b.digest()));
  BOOST_TEST(!(a.digest() == c.digest()));
  const auto ask = submission_of(kLater, kFirstDay.plus(100));
  BOOST_TEST(a.predict(ask, {}).p_denial == b.predict(ask, {}).p_denial);
}

BOOST_AUTO_TEST_CASE(predictions_change_nothing_and_a_repeated_claim_counts_once) {
  State state;
  live(state, kFirstDay, 20, 5, 14, [](int i) { return i % 7 == 0; });
  const auto claim = submission_of(kLater, kFirstDay.plus(40));
  const auto before = state.digest();
  state.predict(claim, {});
  state.history_of(claim);
  BOOST_TEST((state.digest() == before));
  state.submitted(claim);
  const auto once = state.digest();
  BOOST_TEST(!(once == before));
  state.submitted(claim);
  BOOST_TEST((state.digest() == once));
}

BOOST_AUTO_TEST_CASE(memory_stays_within_its_bounds_and_predictions_continue) {
  Options small;
  small.cells = 200;
  small.prices = 200;
  small.payers = 3;
  small.charts = 100;
  small.look_alikes = 100;
  small.open_claims = 50;
  small.matured = 300;
  State state(small);
  for (int i = 0; i < 3'000; ++i) {
    const Date day = kFirstDay.plus(i / 30);
    const auto claim =
        submission_of(i, day, ("P" + std::to_string(i % 11)).c_str(), ("9" + std::to_string(1'000 + i % 700)).c_str());
    state.submitted(claim);
    if (i >= 20) {
      const auto earlier =
          submission_of(i - 20, kFirstDay.plus((i - 20) / 30), ("P" + std::to_string((i - 20) % 11)).c_str(),
                        ("9" + std::to_string(1'000 + (i - 20) % 700)).c_str());
      state.responded(response_to(earlier, day, i % 10 == 0));
    }
    if (i % 30 == 29) state.close_day(day);
    BOOST_REQUIRE_LE(state.open_claims(), 50U);
    BOOST_REQUIRE_LE(state.cells(), 200U);
  }
  const auto prediction = state.predict(submission_of(kLater, kFirstDay.plus(120), "P1", "91001"), {});
  BOOST_TEST(prediction.p_denial > 0.03);  // the mass is still in the groups above
  BOOST_TEST(prediction.p_denial < 0.25);
}

BOOST_AUTO_TEST_SUITE_END()
