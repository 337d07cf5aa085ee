// Grades: how rules, stated forecasts and confidences did on answered claims.
#include <boost/test/unit_test.hpp>
#include <cstdlib>

#include "core/estimators/state.hpp"
#include "tests/estimators/submissions.hpp"
#include "tests/fakes/printing.hpp"

using namespace tideover;
using namespace tideover::estimators;
using namespace tideover::tests;
using domain::Date;
using domain::Money;

BOOST_AUTO_TEST_SUITE(estimator_state)

BOOST_AUTO_TEST_CASE(a_rule_that_fires_on_many_lines_is_graded_once_a_claim) {
  State state;
  auto claim = submission_of(1, kFirstDay);
  claim.lines[0].amount = Money::cents(4'000);
  claim.lines.resize(5, claim.lines[0]);
  for (int line = 0; line < 5; ++line) {
    FiredRule rule;
    rule.rule_id = "denial.some";
    rule.carc = "50";
    rule.weight_bps = 3'000;
    rule.strength = 20;
    rule.line = line;
    claim.fired.push_back(rule);
  }
  state.submitted(claim);
  const auto response = response_to(claim, kFirstDay.plus(14), true);
  state.responded(response);
  BOOST_REQUIRE_EQUAL(state.grades().rules.size(), 1U);
  const auto grade = state.grades().rules.front();
  BOOST_TEST(grade.hits == 1);
  BOOST_TEST(grade.denied == 1);
  BOOST_TEST(grade.confirmed == 1);
  BOOST_TEST((grade.flagged == claim.amount));
  claim.claim_id = "C2";
  state.submitted(claim);
  auto paid = response_to(claim, kFirstDay.plus(14), false);
  state.responded(paid);
  BOOST_TEST(state.grades().rules.front().hits == 2);
  paid.remittance.status = "22";
  paid.remittance.paid_amount = -paid.remittance.paid_amount;
  state.responded(paid);
  auto reversal = response;
  reversal.remittance.status = "22";
  state.responded(reversal);
  const auto after = state.grades().rules.front();  // a denial stays one
  BOOST_TEST(after.hits == 1);
  BOOST_TEST(after.denied == 1);
  BOOST_TEST((after.flagged == claim.amount));
}

BOOST_AUTO_TEST_CASE(stated_forecasts_are_graded_and_do_not_change_learning) {
  State silent, stating;
  const auto stays_silent = [](int number) { return number % 7 == 3; };
  const auto review = [&](int number, Date day) {
    auto claim = submission_of(number, kFirstDay.plus(number / 6));
    claim.reviewed = day;
    silent.submitted(claim);
    const Date by = claim.submitted.plus(stays_silent(number) ? 70 : 20);
    claim.stated = Stated{{2'500, false, Money::cents(12'000), Money::cents(10'000), by, 9'000},
                          domain::CashOdds::all_or_nothing(2'000)};
    stating.submitted(claim);
  };
  for (int i = 0; i < 900; ++i) {
    const Date day = kFirstDay.plus(i / 6);
    review(i, day);
    if (i >= 300 && stays_silent(i - 300))
      review(i - 300, day);  // the predicted date is graded already, the stated one is not
    for (State* state : {&silent, &stating}) {
      if (i >= 120 && !stays_silent(i - 120))
        state->responded(response_to(submission_of(i - 120, day.plus(-20)), day, i % 5 == 0));
      if (i % 6 == 5) state->close_day(day);
    }
  }
  for (int i = 0; i < 150; ++i)
    for (State* state : {&silent, &stating}) state->close_day(kFirstDay.plus(150 + i));
  const auto ask = submission_of(kLater, kFirstDay.plus(300));
  const auto alone = silent.predict(ask, {}), beside = stating.predict(ask, {});
  BOOST_TEST(alone.p_denial == beside.p_denial);
  BOOST_TEST(alone.confidence == beside.confidence);
  BOOST_TEST((alone.expected_payment_date == beside.expected_payment_date));
  BOOST_TEST(alone.expected == beside.expected);
  BOOST_TEST((silent.digest() == stating.digest()) == false);

  const auto grades = stating.grades();
  BOOST_TEST(grades.denial.bins()[5].claims == 669);
  BOOST_TEST(grades.denial.bins()[5].predicted() == 0.25);
  BOOST_TEST(grades.confidence.bins()[18].claims == 900);
  BOOST_TEST(grades.confidence.bins()[18].predicted() == 0.9);
  BOOST_TEST(grades.amounts.absolute_error_cents == 3'000 * grades.amounts.claims);
  BOOST_TEST(grades.advances.claims == 900);
  BOOST_TEST(grades.advances.advanced_cents == 900 * 8'500);
  BOOST_TEST(std::abs(grades.advances.expected_loss_cents - 900 * 1'700) <= 900);  // rounded down
  BOOST_REQUIRE(grades.payers.size() == 1u);
  BOOST_TEST(grades.payers[0].in_time > 0);
  BOOST_TEST(grades.payers[0].in_time < grades.payers[0].paid);  // what falls on a weekend is paid on Monday
  BOOST_TEST(grades.payers[0].error == grades.payers[0].absolute_error);
  BOOST_TEST(silent.grades().denial.bins()[5].claims < 669);
}

BOOST_AUTO_TEST_CASE(a_confidence_is_graded_once_by_the_newest_stated_date) {
  State state;
  auto claim = submission_of(1, kFirstDay);
  const auto state_by = [&](int days, int confidence_bps) {
    claim.stated = Stated{{0, false, {}, {}, kFirstDay.plus(days), confidence_bps}, {}};
    state.submitted(claim);
  };
  const auto graded = [&](int from, int to) {
    for (int day = from; day <= to; ++day) state.close_day(kFirstDay.plus(day));
    return state.grades().confidence.claims();
  };
  state_by(85, 9'000);
  BOOST_TEST(graded(0, 80) == 0);  // the predicted date is graded by then
  state_by(88, 2'000);
  BOOST_TEST(graded(81, 92) == 0);
  BOOST_TEST(graded(93, 120) == 1);
  BOOST_TEST(state.grades().confidence.bins()[4].claims == 1);
  state_by(150, 9'000);
  BOOST_TEST(graded(121, 200) == 1);
}

BOOST_AUTO_TEST_SUITE_END()
