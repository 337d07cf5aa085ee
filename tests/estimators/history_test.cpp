// The history of a claim that rules see: earlier claims and responses of its payer, chart and provider.
#include <boost/test/unit_test.hpp>

#include "core/estimators/state.hpp"
#include "tests/estimators/submissions.hpp"

using namespace tideover;
using namespace tideover::estimators;
using namespace tideover::tests;

BOOST_AUTO_TEST_SUITE(estimator_state)

BOOST_AUTO_TEST_CASE(the_history_for_rules_counts_earlier_responses) {
  State state;
  auto first = submission_of(1, kFirstDay);
  first.lines[0].global_days = 90;
  state.submitted(first);
  BOOST_TEST(state.history_of(submission_of(2, kFirstDay)).likely_duplicates == 0);
  auto again = first;
  again.claim_id = "again";
  again.reviewed = again.submitted = kFirstDay.plus(2);
  BOOST_TEST(state.history_of(again).likely_duplicates == 1);
  state.responded(response_to(first, kFirstDay.plus(10), false));
  auto visit = submission_of(3, kFirstDay.plus(20), "P2");
  visit.chart = first.chart;
  const auto seen = state.history_of(visit);
  BOOST_TEST(seen.chart_last_paid_payer == "P1");
  BOOST_TEST(seen.chart_last_paid_days.value_or(-1) == 10);
  BOOST_TEST(seen.chart_seen_by_servicer);
  BOOST_TEST(seen.days_since_surgery.value_or(-1) == 20);
  BOOST_TEST(seen.surgery_global_days == 90);
  BOOST_REQUIRE_EQUAL(seen.lines.size(), 1U);

  auto lapsed = submission_of(4, kFirstDay.plus(21));
  lapsed.chart = first.chart;
  state.submitted(lapsed);
  state.responded(response_to(lapsed, kFirstDay.plus(30), true, "27"));
  auto next = submission_of(5, kFirstDay.plus(40));
  next.chart = first.chart;
  const auto history = state.history_of(next);
  BOOST_TEST(history.chart_eligibility_denials == 1);
  BOOST_TEST(history.pair_responses == 2);
  BOOST_TEST(history.pair_paid == 1);
  BOOST_TEST(history.payer.responses == 2);
  BOOST_TEST(history.payer.top_code == "27");
  BOOST_TEST(history.lines.at(0).payer_code.responses == 2);
  next.reviewed = next.submitted = kFirstDay.plus(300);
  BOOST_TEST(state.history_of(next).chart_eligibility_denials == 0);
}

BOOST_AUTO_TEST_CASE(a_duplicate_stays_a_duplicate_when_it_is_reviewed_again) {
  State state;
  const auto first = submission_of(1, kFirstDay);
  auto second = first;
  second.claim_id = "second";
  second.reviewed = second.submitted = kFirstDay.plus(2);
  state.submitted(first);
  state.submitted(second);
  BOOST_TEST(state.history_of(second).likely_duplicates == 1);
  BOOST_TEST(state.history_of(first).likely_duplicates == 1);
  second.reviewed = kFirstDay.plus(5);
  state.submitted(second);
  BOOST_TEST(state.history_of(second).likely_duplicates == 1);
  auto alone = submission_of(2, kFirstDay);
  state.submitted(alone);
  BOOST_TEST(state.history_of(alone).likely_duplicates == 0);
}

BOOST_AUTO_TEST_CASE(a_small_surgery_does_not_end_the_global_period_of_a_large_one) {
  State state;
  auto large = submission_of(1, kFirstDay), small = submission_of(2, kFirstDay.plus(10));
  large.lines[0].global_days = 90;
  small.lines[0].global_days = 10;
  small.chart = large.chart;
  state.submitted(large);
  state.submitted(small);
  auto visit = submission_of(3, kFirstDay.plus(40));
  visit.chart = large.chart;
  const auto later = state.history_of(visit);
  BOOST_TEST(later.days_since_surgery.value_or(-1) == 40);
  BOOST_TEST(later.surgery_global_days == 90);
  // The global period of a chart is part of the state.
  State other;
  small.lines[0].global_days = 90;
  other.submitted(large);
  other.submitted(small);
  BOOST_TEST(!(other.digest() == state.digest()));
}

BOOST_AUTO_TEST_CASE(a_provider_paid_after_a_denial_counts_as_paid) {
  State state;
  for (int i = 0; i < 16; ++i) {
    const auto claim = submission_of(i, kFirstDay);
    state.submitted(claim);
    state.responded(response_to(claim, kFirstDay.plus(14), true));
    state.responded(response_to(claim, kFirstDay.plus(50), false));
  }
  const auto history = state.history_of(submission_of(kLater, kFirstDay.plus(60)));
  BOOST_TEST(history.pair_responses == 16);
  BOOST_TEST(history.pair_paid == 16);
}

BOOST_AUTO_TEST_CASE(a_claim_is_learned_from_its_newest_review_before_the_answer) {
  State state;
  const auto old = submission_of(1, kFirstDay, "P1", "20610");
  auto corrected = submission_of(1, kFirstDay.plus(3), "P1", "99213");
  state.submitted(old);
  state.submitted(corrected);
  BOOST_TEST(state.open_claims() == 1U);
  state.responded(response_to(corrected, kFirstDay.plus(14), false));
  const auto right = state.history_of(submission_of(kLater, kFirstDay.plus(20), "P1", "99213"));
  const auto wrong = state.history_of(submission_of(kLater, kFirstDay.plus(20), "P1", "20610"));
  BOOST_TEST(right.lines.at(0).payer_code.responses == 1);
  BOOST_TEST(wrong.lines.at(0).payer_code.responses == 0);
  // A review after the response does not count.
  const auto answered = state.digest();
  state.submitted(submission_of(1, kFirstDay.plus(30), "P1", "20610"));
  BOOST_TEST((state.digest() == answered));
}

BOOST_AUTO_TEST_SUITE_END()
