// Forecasts: a golden example, and what must hold for every input.
#include "core/domain/reviews/forecast.hpp"

#include <boost/test/unit_test.hpp>
#include <random>

#include "core/domain/basics/bank_calendar.hpp"
#include "tests/fakes/printing.hpp"

using namespace tideover::domain;

namespace {

const Date kToday = *parse_date("2026-11-20");

Finding finding(int bps, const std::string& family = "", const std::string& rule = "a.rule") {
  Finding found;
  found.rule_id = rule;
  found.family = family;
  found.probability_bps = bps;
  return found;
}

PayerRates rates(int denial_bps, int allowed_bps, int patient_share_bps, int median_days = 21, int p80_days = 30) {
  return {denial_bps, allowed_bps, patient_share_bps, median_days, p80_days};
}

Forecast forecast(Money submitted, const std::vector<Finding>& reasons, const PayerRates& payer,
                  const ForecastPolicy& policy = {}) {
  return make_forecast(submitted, reasons, payer, policy, kToday, kToday, kOneInBps);
}

struct Inputs {
  Money submitted;
  std::vector<Finding> findings;
  PayerRates payer;
  ForecastPolicy policy;
  Date counted_from;
  int cap_bps;
};

class RandomInputs {
 public:
  Inputs next() {
    Inputs in;
    in.submitted = Money::cents(number(0, 99'999'999));
    for (int i = number(0, 5); i > 0; --i)
      in.findings.push_back(finding(number(0, kOneInBps), number(0, 1) ? "family" + std::to_string(number(0, 2)) : "",
                                    "rule" + std::to_string(i)));
    const int median = number(1, 90);
    in.payer = rates(number(0, kOneInBps), number(0, kOneInBps), number(0, kOneInBps), median, median + number(0, 90));
    in.policy.recovery_bps = number(0, kOneInBps);
    in.policy.date_quantile_bps = number(1000, 9900);
    in.counted_from = kToday.plus(-number(0, 400));
    in.cap_bps = number(0, kOneInBps);
    return in;
  }
  int number(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }

 private:
  std::mt19937 random_{6};
};

Forecast forecast(const Inputs& in) {
  return make_forecast(in.submitted, in.findings, in.payer, in.policy, in.counted_from, kToday, in.cap_bps);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(forecasts)

BOOST_AUTO_TEST_CASE(a_payer_that_always_allows_80_percent_is_expected_to_pay_800_of_1000) {
  const auto predicted = forecast(Money::cents(100'000), {}, rates(0, 8000, 0));
  BOOST_TEST(predicted.allowed == Money::cents(80'000));
  BOOST_TEST(predicted.expected == Money::cents(80'000));
  BOOST_TEST(predicted.denial_probability_bps == 0);
  BOOST_TEST(!predicted.denial_predicted);
  BOOST_TEST(predicted.payment_date == *parse_date("2026-12-21"));  // 30 days on is a Sunday
  BOOST_TEST(predicted.confidence_bps >= 8000);
}

BOOST_AUTO_TEST_CASE(the_patient_s_share_and_the_risk_of_denial_lower_the_expected_payment) {
  ForecastPolicy no_recovery;
  no_recovery.recovery_bps = 0;
  const auto predicted = forecast(Money::cents(100'000), {finding(5000)}, rates(0, 8000, 1000), no_recovery);
  BOOST_TEST(predicted.allowed == Money::cents(80'000));
  BOOST_TEST(predicted.expected == Money::cents(36'000));  // 800.00 less 10 %, half of the time
  BOOST_TEST(predicted.denial_predicted);                  // at the threshold
  const auto recovered = forecast(Money::cents(100'000), {finding(5000)}, rates(0, 8000, 1000));
  BOOST_TEST(recovered.expected == Money::cents(50'400));  // 40 % of the denied half comes in the end
}

BOOST_AUTO_TEST_CASE(independent_findings_add_up_and_a_family_counts_once) {
  BOOST_TEST(forecast(Money::cents(1), {finding(5000, "", "a"), finding(5000, "", "b")}, rates(0, 8000, 0))
                 .denial_probability_bps == 7500);
  BOOST_TEST(forecast(Money::cents(1), {finding(5000, "x", "a"), finding(3000, "x", "b")}, rates(0, 8000, 0))
                 .denial_probability_bps == 5000);
  BOOST_TEST(forecast(Money::cents(1), {finding(5000)}, rates(800, 8000, 0)).denial_probability_bps == 5400);
}

BOOST_AUTO_TEST_CASE(nothing_is_ever_certain_to_be_denied) {
  BOOST_TEST(forecast(Money::cents(1), {finding(10'000)}, rates(0, 8000, 0)).denial_probability_bps == 9950);
}

BOOST_AUTO_TEST_CASE(a_probability_beyond_1_counts_as_1) {
  const auto predicted =
      forecast(Money::cents(1), {finding(20'000, "", "a"), finding(20'000, "", "b")}, rates(0, 8000, 0));
  BOOST_TEST(predicted.denial_probability_bps == 9950);
  BOOST_TEST(forecast(Money::cents(1), {finding(-5000)}, rates(800, 8000, 0)).denial_probability_bps == 800);
}

BOOST_AUTO_TEST_CASE(amounts_stay_within_the_submitted_charge) {
  RandomInputs random;
  for (int i = 0; i < 2'000; ++i) {
    const auto in = random.next();
    const auto predicted = forecast(in);
    BOOST_REQUIRE(predicted.expected >= Money{});
    BOOST_REQUIRE(predicted.expected <= predicted.allowed);
    BOOST_REQUIRE(predicted.allowed <= in.submitted);
    BOOST_REQUIRE(predicted.denial_probability_bps >= 0 && predicted.denial_probability_bps <= kOneInBps);
    BOOST_REQUIRE(predicted.confidence_bps >= 0 && predicted.confidence_bps <= in.cap_bps);
  }
}

BOOST_AUTO_TEST_CASE(a_stronger_or_further_finding_never_lowers_the_risk_nor_raises_the_payment) {
  RandomInputs random;
  for (int i = 0; i < 2'000; ++i) {
    auto in = random.next();
    const auto before = forecast(in);
    if (in.findings.empty() || i % 2)
      in.findings.push_back(finding(random.number(0, kOneInBps), "", "one more"));
    else
      in.findings.front().probability_bps = random.number(in.findings.front().probability_bps, kOneInBps);
    const auto after = forecast(in);
    BOOST_REQUIRE_GE(after.denial_probability_bps, before.denial_probability_bps);
    BOOST_REQUIRE_LE(after.expected, before.expected);
    BOOST_REQUIRE_LE(after.confidence_bps, before.confidence_bps);
    BOOST_REQUIRE(after.denial_predicted || !before.denial_predicted);
  }
}

BOOST_AUTO_TEST_CASE(the_order_of_findings_does_not_matter) {
  RandomInputs random;
  for (int i = 0; i < 500; ++i) {
    auto in = random.next();
    const auto before = forecast(in);
    std::reverse(in.findings.begin(), in.findings.end());
    BOOST_REQUIRE_EQUAL(forecast(in).denial_probability_bps, before.denial_probability_bps);
  }
}

BOOST_AUTO_TEST_CASE(the_date_is_the_first_banking_day_that_holds_the_quantile) {
  RandomInputs random;
  for (int i = 0; i < 2'000; ++i) {
    const auto in = random.next();
    const auto predicted = forecast(in);
    BOOST_REQUIRE(is_banking_day(predicted.payment_date));
    BOOST_REQUIRE_GE(predicted.payment_date, kToday);
    const int days = days_between(in.counted_from, predicted.payment_date);
    if (days < 730) BOOST_REQUIRE_GE(paid_by_bps(in.payer, days), in.policy.date_quantile_bps);
    // An earlier banking day would be before today or would not hold it.
    Date earlier = predicted.payment_date.plus(-1);
    while (!is_banking_day(earlier)) earlier = earlier.plus(-1);
    BOOST_REQUIRE(earlier < kToday ||
                  paid_by_bps(in.payer, days_between(in.counted_from, earlier)) < in.policy.date_quantile_bps);
  }
}

BOOST_AUTO_TEST_CASE(half_are_paid_by_the_median_and_80_percent_by_the_p80_day) {
  for (int median = 1; median <= 120; ++median)
    for (int p80 = median + 1; p80 <= median + 90; p80 += 7) {
      const auto payer = rates(0, 8000, 0, median, p80);
      BOOST_REQUIRE_EQUAL(paid_by_bps(payer, median), 5000);
      BOOST_REQUIRE_EQUAL(paid_by_bps(payer, p80), 8000);
    }
}

BOOST_AUTO_TEST_CASE(the_share_that_is_paid_only_grows_with_time) {
  for (const auto& payer :
       {rates(0, 8000, 0), rates(0, 8000, 0, 1, 1), rates(0, 8000, 0, 0, 0), rates(0, 8000, 0, 200, 20)}) {
    int before = 0;
    for (int days = -3; days < 800; ++days) {
      const int now = paid_by_bps(payer, days);
      BOOST_REQUIRE_GE(now, before);
      BOOST_REQUIRE_LE(now, kOneInBps);
      if (days <= 0) BOOST_REQUIRE_EQUAL(now, 0);
      before = now;
    }
  }
}

BOOST_AUTO_TEST_CASE(an_old_claim_is_expected_today_or_later_and_with_more_confidence) {
  const auto old = make_forecast(Money::cents(100'000), {}, rates(0, 8000, 0), {}, kToday.plus(-60), kToday, kOneInBps);
  BOOST_TEST(old.payment_date == kToday);
  BOOST_TEST(old.confidence_bps > 9000);
}

BOOST_AUTO_TEST_CASE(a_cap_holds_the_confidence_down) {
  BOOST_TEST(make_forecast(Money::cents(100'000), {}, rates(0, 8000, 0), {}, kToday, kToday, 4000).confidence_bps ==
             4000);
}

BOOST_AUTO_TEST_CASE(a_contract_price_is_the_allowed_amount) {
  ClaimDraft claim;
  claim.submitted_amount = Money::cents(30'000);
  claim.service_lines = {{"00010", "", 1000, Money::cents(20'000)}, {"00012", "", 1000, Money::cents(10'000)}};
  const auto payer = rates(0, 5000, 0);
  const std::vector<ListedFee> listed{{std::nullopt, 0, Money::cents(12'050)}, {}};
  BOOST_TEST((contracted_amount(claim, listed, payer) ==
              Money::cents(12'050 + 5'000)));  // the other line by the payer's usual share
  const auto predicted = make_forecast(claim.submitted_amount, {}, payer, {}, kToday, kToday, kOneInBps,
                                       contracted_amount(claim, listed, payer));
  BOOST_TEST((predicted.allowed == Money::cents(17'050)));
  BOOST_TEST((predicted.expected == Money::cents(17'050)));
  BOOST_TEST((contracted_amount(claim, {{std::nullopt, 0, Money::cents(99'999)}, {}}, payer) ==
              Money::cents(20'000 + 5'000)));  // never more than is asked
  BOOST_TEST(!contracted_amount(claim, {{}, {}}, payer));
  BOOST_TEST(!contracted_amount(claim, {}, payer));
  claim.submitted_amount = Money::cents(31'000);
  BOOST_TEST(!contracted_amount(claim, listed, payer));  // whatever else it asks for
  claim.submitted_amount = Money::cents(30'000);
  claim.service_lines[1].amount.reset();
  BOOST_TEST(!contracted_amount(claim, listed, payer));
}

BOOST_AUTO_TEST_CASE(payments_of_other_payers_are_not_paid_again) {
  const auto left = [](std::int64_t others, std::optional<std::int64_t> patient) {
    auto made = forecast(Money::cents(100'000), {}, rates(0, 8000, 0));  // 800.00 allowed and expected
    ClaimDetails claim;
    claim.paid_by_others = Money::cents(others);
    if (patient) claim.patient_paid = Money::cents(*patient);
    leave_remainder(made, nullptr, claim, 0);
    return std::pair(made.allowed.cents(), made.expected.cents());
  };
  BOOST_TEST((left(0, std::nullopt) == std::pair<std::int64_t, std::int64_t>(80'000, 80'000)));
  BOOST_TEST((left(60'000, std::nullopt) == std::pair<std::int64_t, std::int64_t>(20'000, 20'000)));
  BOOST_TEST((left(80'000, std::nullopt) == std::pair<std::int64_t, std::int64_t>(0, 0)));
  BOOST_TEST((left(9'999'999'999, std::nullopt) == std::pair<std::int64_t, std::int64_t>(0, 0)));
  BOOST_TEST((left(60'000, 5'000) == std::pair<std::int64_t, std::int64_t>(20'000, 15'000)));
  BOOST_TEST((left(0, 90'000) == std::pair<std::int64_t, std::int64_t>(80'000, 0)));
}

BOOST_AUTO_TEST_CASE(payments_of_the_patient_count_beyond_the_patient_s_share_only) {
  const auto expected = [](std::int64_t patient) {
    auto made = forecast(Money::cents(100'000), {}, rates(0, 8000, 2500));  // 200.00 of 800.00 are the patient's
    ClaimDetails claim;
    claim.patient_paid = Money::cents(patient);
    leave_remainder(made, nullptr, claim, 0);
    return made.expected.cents();
  };
  BOOST_TEST(expected(0) == 60'000);
  BOOST_TEST(expected(20'000) == 60'000);
  BOOST_TEST(expected(25'000) == 55'000);
}

BOOST_AUTO_TEST_CASE(the_bounds_hold_for_any_payments_of_others) {
  RandomInputs random;
  for (int i = 0; i < 5'000; ++i) {
    const auto in = random.next();
    auto made = make_forecast(in.submitted, in.findings, in.payer, in.policy, in.counted_from, kToday, in.cap_bps);
    const auto before = made;
    LearnedForecast learned;
    learned.cash_q10 = Money::cents(random.number(0, 1'000));
    learned.cash_q50 = Money::cents(random.number(1'000, 50'000'000));
    learned.cash_q90 = Money::cents(random.number(50'000'000, 99'999'999));
    ClaimDetails claim;
    if (random.number(0, 3) > 0) claim.paid_by_others = Money::cents(random.number(0, 120'000'000));
    if (random.number(0, 1) > 0) claim.patient_paid = Money::cents(random.number(0, 120'000'000));
    const int nonpayment_bps = random.number(0, kOneInBps);
    leave_remainder(made, &learned, claim, nonpayment_bps);
    BOOST_REQUIRE(made.expected >= Money{});
    BOOST_REQUIRE(made.expected <= made.allowed);
    BOOST_REQUIRE(made.allowed <= in.submitted);
    BOOST_REQUIRE(made.expected <= before.expected);
    BOOST_REQUIRE((made.allowed == std::max(before.allowed - claim.paid_by_others.value_or(Money{}), Money{})));
    BOOST_REQUIRE(learned.cash_q10 <= learned.cash_q50);
    BOOST_REQUIRE(learned.cash_q50 <= learned.cash_q90);
    if (made.allowed.is_zero() && before.allowed > Money{}) BOOST_REQUIRE(learned.cash_q90.is_zero());
  }
}

BOOST_AUTO_TEST_SUITE_END()
