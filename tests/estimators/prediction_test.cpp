// Predictions of the estimator as a whole: what they follow, and what they start from.
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/domain/basics/bank_calendar.hpp"
#include "core/estimators/state.hpp"
#include "tests/estimators/submissions.hpp"
#include "tests/fakes/printing.hpp"

using namespace tideover;
using namespace tideover::estimators;
using namespace tideover::tests;
using domain::Date;
using domain::Money;

BOOST_AUTO_TEST_SUITE(estimator_state)

BOOST_AUTO_TEST_CASE(an_unknown_payer_gets_the_base_rate_and_a_wide_interval) {
  const State state;
  const auto prediction = state.predict(submission_of(1, kFirstDay), {});
  BOOST_TEST(prediction.p_denial > 0.05);
  BOOST_TEST(prediction.p_denial < 0.15);
  BOOST_TEST(!prediction.denial_predicted);
  BOOST_TEST(prediction.p_denial_high - prediction.p_denial_low > 0.2);
  BOOST_TEST(prediction.allowed > Money{});
  BOOST_TEST(prediction.allowed <= Money::cents(20'000));
  BOOST_TEST(prediction.expected <= prediction.expected_if_paid);
  BOOST_TEST(prediction.expected_if_paid <= prediction.allowed);
  BOOST_TEST(domain::is_banking_day(prediction.expected_payment_date));
  BOOST_TEST(prediction.reasons.empty());
}

BOOST_AUTO_TEST_CASE(only_applied_events_change_predictions) {
  State state;
  const auto before = state.predict(submission_of(kLater, kFirstDay), {});
  for (int i = 0; i < 50; ++i) state.submitted(submission_of(i, kFirstDay));
  const auto submitted_only = state.predict(submission_of(kLater, kFirstDay), {});
  BOOST_TEST(submitted_only.p_denial == before.p_denial);
  BOOST_TEST((submitted_only.allowed == before.allowed));
  for (int i = 0; i < 50; ++i) state.responded(response_to(submission_of(i, kFirstDay), kFirstDay.plus(14), true));
  BOOST_TEST(state.predict(submission_of(kLater, kFirstDay.plus(20)), {}).p_denial > 2 * before.p_denial);
}

BOOST_AUTO_TEST_CASE(denials_of_one_procedure_are_predicted_with_their_reason) {
  State state;
  std::vector<std::pair<Submission, bool>> waiting;
  for (int i = 0; i < 100; ++i) {
    const Date day = kFirstDay.plus(i);
    for (int k = 0; k < 7; ++k) {
      const bool refused_kind = k >= 5;
      const int number = 10 * i + k;
      waiting.emplace_back(submission_of(number, day, "P1", refused_kind ? "20610" : "99213"),
                           refused_kind ? number % 10 != 0 : number % 20 == 0);
      state.submitted(waiting.back().first);
    }
    for (int k = 0; i >= 14 && k < 7; ++k) {
      const auto& [claim, denied] = waiting[static_cast<std::size_t>(7 * (i - 14) + k)];
      state.responded(response_to(claim, day, denied));
    }
    state.close_day(day);
  }
  const Date day = kFirstDay.plus(101);
  const auto refused = state.predict(submission_of(kLater, day, "P1", "20610"), {});
  BOOST_TEST(refused.p_denial > 0.6);
  BOOST_TEST(refused.denial_predicted);
  BOOST_REQUIRE(!refused.reasons.empty());
  BOOST_TEST(refused.reasons.front().carc == "50");
  BOOST_TEST(state.predict(submission_of(kLater + 1, day, "P1", "99213"), {}).p_denial < 0.15);
}

BOOST_AUTO_TEST_CASE(a_denial_counts_against_its_cause_only) {
  const auto after = [](const char* carc) {
    State state;
    live(state, kFirstDay, 60, 5, 14, [](int) { return false; });
    for (int i = 0; i < 3; ++i) {
      const auto claim = submission_of(kLater + i, kFirstDay.plus(70), "P1", "20610");
      state.submitted(claim);
      state.responded(response_to(claim, kFirstDay.plus(80), true, carc));
    }
    return state.predict(submission_of(kLater + 10, kFirstDay.plus(90), "P1", "20610"), {}).p_denial;
  };
  BOOST_TEST(after("50") > 0.3);   // not necessary: the procedure
  BOOST_TEST(after("27") < 0.15);  // not covered: those patients
}

BOOST_AUTO_TEST_CASE(document_requests_for_large_charges_are_expected_for_larger_ones_only) {
  State state;
  live(state, kFirstDay, 60, 5, 14, [](int) { return false; });
  const auto of = [](int number, Date day, const char* provider, std::int64_t cents) {
    auto claim = submission_of(number, day);
    claim.billing_npi = claim.servicer_npi = provider;
    claim.amount = claim.lines.front().amount = Money::cents(cents);
    return claim;
  };
  for (int i = 0; i < 24; ++i) {
    const auto claim = of(kLater + i, kFirstDay.plus(70), "1679576722", 300'000);
    state.submitted(claim);
    state.responded(response_to(claim, kFirstDay.plus(80), i % 4 == 0, "252"));
  }
  const Date day = kFirstDay.plus(90);
  BOOST_TEST(state.predict(of(kLater + 50, day, "1679576722", 600'000), {}).p_denial > 0.1);
  BOOST_TEST(state.predict(of(kLater + 51, day, "1003000126", 600'000), {}).p_denial >
             0.1);  // for any billing provider
  BOOST_TEST(state.predict(of(kLater + 52, day, "1679576722", 20'000), {}).p_denial <
             0.06);  // it is not the provider's
}

BOOST_AUTO_TEST_CASE(denial_codes_separate_an_unenrolled_doctor_from_an_office_that_bills_badly) {
  struct Denials {
    double own, of_colleague;
  };
  const auto after = [](const char* carc) {
    State state;
    live(state, kFirstDay, 60, 5, 14, [](int) { return false; });
    const auto of = [](int number, Date day) {
      auto claim = submission_of(number, day);
      claim.servicer_npi = "1003000126";
      return claim;
    };
    for (int i = 0; i < 3; ++i) {
      const auto claim = of(kLater + i, kFirstDay.plus(70));
      state.submitted(claim);
      state.responded(response_to(claim, kFirstDay.plus(80), true, carc));
    }
    const Date day = kFirstDay.plus(90);
    return Denials{state.predict(of(kLater + 20, day), {}).p_denial,
                   state.predict(submission_of(kLater + 21, day), {}).p_denial};
  };
  const auto not_enrolled = after("B7"), bills_badly = after("16");
  BOOST_TEST(not_enrolled.own > 0.5);
  BOOST_TEST(not_enrolled.of_colleague < 0.1);
  BOOST_TEST(bills_badly.of_colleague > 3 * not_enrolled.of_colleague);
}

BOOST_AUTO_TEST_CASE(a_line_denied_beside_a_paid_one_counts_against_its_procedure) {
  State state;
  live(state, kFirstDay, 60, 5, 14, [](int) { return false; });
  for (int i = 0; i < 4; ++i) {
    auto claim = submission_of(kLater + i, kFirstDay.plus(70));
    claim.lines.push_back(claim.lines.front());
    claim.lines[1].code = "20610";
    claim.lines[1].amount = Money::cents(5'000);
    claim.amount = Money::cents(25'000);
    state.submitted(claim);
    auto response = response_to(claim, kFirstDay.plus(80), false);
    domain::RemittanceLine refused;
    refused.cpt = "20610";
    refused.units = "1";
    refused.charge_amount = Money::cents(5'000);
    refused.adjustments = {{"CO", "16", Money::cents(5'000)}};
    response.remittance.lines.push_back(refused);
    state.responded(response);
  }
  const Date day = kFirstDay.plus(90);
  BOOST_TEST(state.predict(submission_of(kLater + 10, day, "P1", "20610"), {}).p_denial > 0.3);
  BOOST_TEST(state.predict(submission_of(kLater + 11, day), {}).p_denial < 0.1);
}

BOOST_AUTO_TEST_CASE(a_policy_of_several_small_payers_is_expected_of_another_one_of_their_class) {
  State state;
  live(state, kFirstDay, 60, 5, 14, [](int) { return false; });
  for (int i = 0; i < 8; ++i) {
    const auto claim = submission_of(kLater + i, kFirstDay.plus(70), ("S" + std::to_string(i)).c_str(), "20610");
    state.submitted(claim);
    state.responded(response_to(claim, kFirstDay.plus(80), true));
  }
  auto same = submission_of(kLater + 20, kFirstDay.plus(90), "S20", "20610"), other = same;
  other.payer_class = PayerClass::medicare;
  BOOST_TEST(state.predict(same, {}).p_denial > 0.4);
  BOOST_TEST(state.predict(other, {}).p_denial < 0.3);
}

BOOST_AUTO_TEST_CASE(predicted_amounts_and_dates_follow_the_payer_s_record) {
  State state;
  live(state, kFirstDay, 60, 5, 14, [](int) { return false; });
  const auto prediction = state.predict(submission_of(kLater, kFirstDay.plus(80)), {});
  BOOST_TEST(prediction.allowed == Money::cents(9'000));
  BOOST_TEST((prediction.lines.at(0).source == PriceSource::site_price));
  BOOST_TEST(std::abs(prediction.expected_if_paid.cents() - 8'000) < 200);
  BOOST_TEST(std::abs(prediction.quantile_days(0.5) - 14) <= 1);
  BOOST_TEST(days_between(prediction.submitted, prediction.expected_payment_date) < 20);
  BOOST_TEST(prediction.confidence > 0.8);
  BOOST_TEST(prediction.p_paid_by(prediction.submitted.plus(5)) < 0.1);
  BOOST_TEST(prediction.p_paid_by(prediction.submitted.plus(60)) > 0.9);
}

BOOST_AUTO_TEST_CASE(expected_loss_rises_with_the_advance_and_starts_at_the_nonpayment_rate) {
  State state;
  live(state, kFirstDay, 60, 5, 14, [](int i) { return i % 10 == 0; });
  const auto prediction = state.predict(submission_of(kLater, kFirstDay.plus(80)), {});
  BOOST_REQUIRE_CLOSE(prediction.expected_loss(Money::cents(100)), prediction.p_final_nonpayment, 1e-6);
  BOOST_TEST(prediction.expected_loss(Money::cents(7'000)) < prediction.expected_loss(Money::cents(9'000)));
  BOOST_TEST(prediction.expected_loss(Money::cents(90'000)) > 0.85);
}

BOOST_AUTO_TEST_CASE(a_fired_rule_raises_the_probability_and_names_its_code) {
  State state;
  live(state, kFirstDay, 60, 5, 14, [](int i) { return i % 20 == 0; });
  auto claim = submission_of(kLater, kFirstDay.plus(80));
  const double without = state.predict(claim, {}).p_denial;
  FiredRule rule;
  rule.rule_id = "denial.timely_filing";
  rule.carc = "29";
  rule.weight_bps = 9'500;
  rule.strength = 50;
  rule.hard = true;
  claim.fired = {rule};
  const auto prediction = state.predict(claim, {});
  BOOST_TEST(prediction.p_denial > 0.8);
  BOOST_TEST(prediction.denial_predicted);
  BOOST_TEST(prediction.reasons.at(0).rule_id == "denial.timely_filing");
  claim.fired[0].shadow = true;
  BOOST_TEST(state.predict(claim, {}).p_denial == without);
  // Two of one family count once, a second family adds.
  rule.weight_bps = 3'000;
  rule.strength = 20;
  rule.hard = false;
  rule.family = "dup";
  auto second = rule;
  second.rule_id = "denial.other";
  claim.fired = {rule};
  const double one = state.predict(claim, {}).p_denial;
  claim.fired = {rule, second};
  BOOST_TEST(state.predict(claim, {}).p_denial == one);
  claim.fired[1].family = "npi";
  BOOST_TEST(state.predict(claim, {}).p_denial > one);
}

BOOST_AUTO_TEST_CASE(labels_without_any_pattern_get_the_base_rate) {
  State state;
  std::mt19937 random(11);
  std::vector<bool> denied(6'000);
  for (std::size_t i = 0; i < denied.size(); ++i) denied[i] = random() % 10 == 0;
  live(state, kFirstDay, 120, 50, 14, [&](int i) { return static_cast<bool>(denied[static_cast<std::size_t>(i)]); });
  for (int i = 0; i < 50; ++i) {
    const auto prediction = state.predict(submission_of(kLater + i, kFirstDay.plus(140 + i % 5)), {});
    BOOST_REQUIRE_SMALL(prediction.p_denial - 0.1, 0.035);
  }
}

BOOST_AUTO_TEST_CASE(a_missing_response_lowers_the_probability_of_payment) {
  State answered, silent;
  live(answered, kFirstDay, 120, 10, 14, [](int) { return false; });
  int number = 0;
  for (int i = 0; i < 134; ++i) {
    for (int k = 0; i < 120 && k < 10; ++k) {
      const auto claim = submission_of(number++, kFirstDay.plus(i));
      silent.submitted(claim);
      if (k % 2 == 0) silent.responded(response_to(claim, kFirstDay.plus(i), false));
    }
    silent.close_day(kFirstDay.plus(i));
  }
  const auto ask = submission_of(kLater, kFirstDay.plus(140));
  BOOST_TEST(answered.predict(ask, {}).p_silent < 0.02);
  BOOST_TEST(silent.predict(ask, {}).p_silent > 0.2);
  BOOST_TEST(silent.predict(ask, {}).p_final_nonpayment > answered.predict(ask, {}).p_final_nonpayment);
}

BOOST_AUTO_TEST_CASE(a_response_without_lines_gives_the_price_of_the_only_line) {
  const auto learn = [](State& state, bool balances) {
    for (int i = 0; i < 6; ++i) {
      const auto claim = submission_of(i, kFirstDay);
      state.submitted(claim);
      auto response = response_to(claim, kFirstDay.plus(14), false);
      response.remittance.adjustments = response.remittance.lines.front().adjustments;
      if (!balances) response.remittance.adjustments.clear();
      response.remittance.lines.clear();
      state.responded(response);
    }
    return state.predict(submission_of(kLater, kFirstDay.plus(20)), {});
  };
  State with_adjustments, without_adjustments;
  BOOST_TEST((learn(with_adjustments, true).allowed == Money::cents(9'000)));
  BOOST_TEST((learn(with_adjustments, true).lines.at(0).source <= PriceSource::payer_price));
  // A paid amount alone gives no price: the patient's share is unknown.
  BOOST_TEST((learn(without_adjustments, false).lines.at(0).source > PriceSource::payer_price));
}

BOOST_AUTO_TEST_SUITE_END()
