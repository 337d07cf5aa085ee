// The estimator as a whole: as-of discipline, bounds, replay and cold start.
#include "core/estimators/state.hpp"

#include <boost/test/unit_test.hpp>
#include <random>

#include "core/domain/basics/bank_calendar.hpp"
#include "tests/fakes/printing.hpp"

using namespace tideover;
using namespace tideover::estimators;
using domain::Date;
using domain::Money;

namespace {

const Date kFirstDay = *domain::parse_date("2025-03-03");

Submission submission_of(int number, Date day, const char* payer = "P1", const char* code = "99213") {
  Submission claim;
  claim.claim_id = "C" + std::to_string(number);
  claim.submitted = claim.reviewed = day;
  claim.date_of_service = day.plus(-3);
  claim.payer_id = payer;
  claim.payer_class = PayerClass::commercial;
  claim.billing_npi = "1234567893";
  claim.servicer_npi = "1679576722";
  claim.facility = "F1";
  claim.chart = static_cast<std::uint64_t>(1'000 + number);
  claim.amount = Money::cents(20'000);
  SubmittedLine line;
  line.code = code;
  line.amount = claim.amount;
  claim.lines.push_back(line);
  return claim;
}

Response response_to(const Submission& claim, Date day, bool denied, const char* carc = "50",
                     std::int64_t allowed = 9'000, std::int64_t patient = 1'000) {
  Response response;
  response.claim_id = claim.claim_id;
  response.responded = day;
  if (!denied) response.posted = domain::banking_day_on_or_after(day);
  auto& answer = response.remittance;
  answer.claim_identifier = claim.claim_id;
  answer.status = denied ? "4" : "1";
  answer.charge_amount = claim.amount;
  domain::RemittanceLine line;
  line.cpt = claim.lines.empty() ? "" : claim.lines.front().code;
  line.units = "1";
  line.charge_amount = claim.amount;
  if (denied) {
    line.adjustments = {{"CO", carc, claim.amount}};
  } else {
    line.allowed_amount = Money::cents(allowed);
    line.paid_amount = Money::cents(allowed - patient);
    line.adjustments = {{"CO", "45", claim.amount - Money::cents(allowed)}, {"PR", "2", Money::cents(patient)}};
  }
  answer.paid_amount = line.paid_amount;
  answer.lines.push_back(line);
  return response;
}

/// Claims a day, each answered `wait` days later; `denied(number)` says how.
template <class Denied>
int live(State& state, Date from, int days, int a_day, int wait, const Denied& denied, int number = 0,
         const char* payer = "P1", const char* code = "99213") {
  std::vector<std::pair<Date, Response>> coming;
  std::size_t next = 0;
  for (int i = 0; i < days + wait; ++i) {
    const Date day = from.plus(i);
    for (int k = 0; i < days && k < a_day; ++k) {
      const auto claim = submission_of(number, day, payer, code);
      state.submitted(claim);
      coming.emplace_back(day.plus(wait), response_to(claim, day.plus(wait), denied(number)));
      ++number;
    }
    for (; next < coming.size() && coming[next].first <= day; ++next) state.responded(coming[next].second);
    state.close_day(day);
  }
  return number;
}

constexpr int kLater = 100'000;  // numbers of claims that are only predicted

}  // namespace

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
