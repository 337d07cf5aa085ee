// Reversals: the estimator forgets a reversed response and keeps the denial at first response.
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <utility>
#include <vector>

#include "core/estimators/state.hpp"
#include "tests/estimators/submissions.hpp"

using namespace tideover;
using namespace tideover::estimators;
using namespace tideover::tests;
using domain::Money;

BOOST_AUTO_TEST_SUITE(estimator_state)

/// Claims of a first day; each test sends their responses to both states.
struct Reversed {
  State state, without;
  Reversed() {
    for (int i = 0; i < 40; ++i)
      for (State* of : {&state, &without}) of->submitted(submission_of(i, kFirstDay));
  }
  static void answer(State& of, int i, bool denied) {
    of.responded(response_to(submission_of(i, kFirstDay), kFirstDay.plus(14), denied));
  }
  /// Reverses the response under this claim status.
  static void reverse(State& of, int i, bool denied, const char* status = "22") {
    auto response = response_to(submission_of(i, kFirstDay), kFirstDay.plus(14), denied);
    response.remittance.status = status;
    response.remittance.charge_amount = -response.remittance.charge_amount;
    response.remittance.paid_amount = -response.remittance.paid_amount;
    of.responded(response);
  }
  double p_denial(const State& of) const { return of.predict(submission_of(kLater, kFirstDay.plus(20)), {}).p_denial; }
};

BOOST_FIXTURE_TEST_CASE(a_reversal_removes_a_payment_and_the_correction_counts, Reversed) {
  for (int i = 0; i < 40; ++i) {
    answer(state, i, false);
    reverse(state, i, false);
    answer(state, i, true);
    answer(without, i, true);
  }
  BOOST_TEST(p_denial(state) > 0.5);
  BOOST_REQUIRE_SMALL(p_denial(state) - p_denial(without), 0.005);
}

BOOST_FIXTURE_TEST_CASE(a_denial_that_is_reversed_and_corrected_stays_a_denial_at_first_response, Reversed) {
  for (int i = 0; i < 40; ++i) {
    answer(state, i, true);
    reverse(state, i, true);
    answer(state, i, false);
    answer(without, i, true);
    answer(without, i, false);  // the same rework, without a reversal
  }
  BOOST_TEST(p_denial(state) > 0.5);
  BOOST_TEST(p_denial(state) == p_denial(without));
  BOOST_TEST(state.grades().denial.claims() == 40);
  const auto asked = submission_of(kLater, kFirstDay.plus(20));
  BOOST_TEST((state.predict(asked, {}).expected_if_paid == without.predict(asked, {}).expected_if_paid));
  BOOST_TEST(state.history_of(asked).pair_paid == without.history_of(asked).pair_paid);
}

BOOST_FIXTURE_TEST_CASE(reversed_rework_is_removed_and_the_denial_stays, Reversed) {
  for (int i = 0; i < 40; ++i) {
    answer(state, i, true);
    answer(state, i, false);
    reverse(state, i, false);
    answer(without, i, true);
  }
  BOOST_TEST(p_denial(state) == p_denial(without));
  const auto asked = submission_of(kLater, kFirstDay.plus(20));
  BOOST_TEST(state.history_of(asked).pair_paid == 0);
  BOOST_TEST(state.history_of(asked).pair_responses == 40);
  BOOST_TEST(state.grades().amounts.claims == 0);
}

BOOST_FIXTURE_TEST_CASE(negative_amounts_count_as_a_reversal_without_its_status, Reversed) {
  for (int i = 0; i < 40; ++i)
    for (auto [of, status] : {std::pair{&state, "1"}, {&without, "22"}}) {
      answer(*of, i, false);
      reverse(*of, i, false, status);
    }
  BOOST_TEST((state.digest() == without.digest()));
  BOOST_TEST(state.answered_claims() == 0);
}

BOOST_FIXTURE_TEST_CASE(an_unusable_response_changes_nothing, Reversed) {
  const auto spoil = [](const auto& how) {
    auto response = response_to(submission_of(1, kFirstDay), kFirstDay.plus(14), false);
    how(response.remittance);
    return response;
  };
  const Money cent = Money::cents(1);
  state.responded(
      spoil([&](auto& claim) { claim.lines.front().charge_amount = -cent, claim.lines.front().paid_amount = -cent; }));
  state.responded(spoil([&](auto& claim) { claim.lines.front().allowed_amount = -cent; }));
  state.responded(spoil([&](auto& claim) { claim.charge_amount = -claim.charge_amount; }));
  state.responded(spoil([&](auto& claim) { claim.paid_amount = -claim.paid_amount; }));
  state.responded(
      spoil([&](auto& claim) { claim.lines.clear(), claim.charge_amount = -cent, claim.paid_amount = Money{}; }));
  state.responded(spoil([&](auto& claim) { claim.status = "22"; }));  // and pays
  state.responded(spoil([&](auto& claim) { claim.status = "17"; }));  // decides nothing
  BOOST_TEST((state.digest() == without.digest()));
}

BOOST_AUTO_TEST_CASE(a_reversal_removes_the_response_from_the_history) {
  State state;
  const auto claim = submission_of(1, kFirstDay);
  state.submitted(claim);
  auto response = response_to(claim, kFirstDay.plus(14), false);
  state.responded(response);
  BOOST_TEST(state.grades().denial.claims() == 1);
  BOOST_TEST(state.grades().amounts.claims == 1);
  response.remittance.status = "22";
  response.remittance.paid_amount = -response.remittance.paid_amount;
  state.responded(response);
  const auto history = state.history_of(submission_of(kLater, kFirstDay.plus(20)));
  BOOST_TEST(history.pair_responses == 0);
  BOOST_TEST(history.pair_paid == 0);
  BOOST_TEST(state.grades().denial.claims() == 0);
  BOOST_TEST(state.grades().amounts.claims == 0);
}

BOOST_AUTO_TEST_CASE(a_reversed_response_is_not_used_in_the_fit) {
  State state, without;
  const auto denied = [](int number) { return number % 3 == 0; };
  const auto day = kFirstDay.plus(45);
  std::vector<Submission> kept, reversed;
  for (State* of : {&state, &without}) live(*of, kFirstDay, 30, 20, 10, denied);
  for (int i = 0; i < 300; ++i) {
    kept.push_back(submission_of(1'000 + i, day));
    reversed.push_back(submission_of(2'000 + i, day));
  }
  for (State* of : {&state, &without}) {
    for (const auto& claim : kept) of->submitted(claim);
    for (const auto& claim : reversed) of->submitted(claim);
    for (int i = 0; i < 300; ++i) of->responded(response_to(kept[static_cast<std::size_t>(i)], day, denied(i)));
  }
  for (const auto& claim : reversed) {
    auto response = response_to(claim, day, false);
    state.responded(response);
    response.remittance.status = "22";
    response.remittance.paid_amount = -response.remittance.paid_amount;
    state.responded(response);
  }
  const auto before = without.blend().log_odds_of({});
  for (State* of : {&state, &without}) of->close_day(day);
  BOOST_TEST(without.blend().log_odds_of({}) != before);
  BOOST_TEST(state.blend().log_odds_of({}) == without.blend().log_odds_of({}));
}

BOOST_AUTO_TEST_CASE(a_reversal_removes_the_patients_share) {
  State state, without;
  live(state, kFirstDay, 20, 2, 10, [](int) { return false; });
  live(without, kFirstDay, 20, 2, 10, [](int) { return false; });
  const auto ask = submission_of(kLater, kFirstDay.plus(60));
  const auto expected = [&](const State& of) { return of.predict(ask, {}).expected_if_paid.cents(); };
  const auto before = expected(state);
  std::vector<Response> answers;
  for (int i = 0; i < 20; ++i) {
    const auto claim = submission_of(1'000 + i, kFirstDay.plus(40));
    for (State* of : {&state, &without}) of->submitted(claim);
    answers.push_back(response_to(claim, kFirstDay.plus(50), false, "50", 9'000, 7'000));
    state.responded(answers.back());
  }
  BOOST_TEST(expected(state) < before - 500);
  for (auto& answer : answers) {
    answer.remittance.status = "22";
    answer.remittance.paid_amount = -answer.remittance.paid_amount;
    state.responded(answer);
  }
  BOOST_TEST(std::abs(expected(state) - expected(without)) <= 1);
}

BOOST_AUTO_TEST_CASE(a_reversal_removes_the_entries_of_the_patients_chart) {
  State state;
  const auto answer = [&](int number, bool denied, bool reverse) {
    const auto claim = submission_of(number, kFirstDay);
    if (!reverse) state.submitted(claim);
    auto response = response_to(claim, kFirstDay.plus(14), denied, "27");  // coverage had ended
    if (reverse) {
      response.remittance.status = "22";
      response.remittance.paid_amount = -response.remittance.paid_amount;
    }
    state.responded(response);
  };
  const auto history = [&](int number) {
    auto ask = submission_of(kLater, kFirstDay.plus(20));
    ask.chart = submission_of(number, kFirstDay).chart;
    return state.history_of(ask);
  };
  answer(1, true, false);
  BOOST_TEST(history(1).chart_eligibility_denials == 1);
  answer(1, true, true);
  BOOST_TEST(history(1).chart_eligibility_denials == 0);
  answer(2, false, false);
  BOOST_TEST(history(2).chart_last_paid_payer == "P1");
  BOOST_TEST(history(2).chart_seen_by_servicer);
  answer(2, false, true);
  BOOST_TEST(history(2).chart_last_paid_payer == "");
  BOOST_TEST(!history(2).chart_seen_by_servicer);
}

BOOST_AUTO_TEST_SUITE_END()
