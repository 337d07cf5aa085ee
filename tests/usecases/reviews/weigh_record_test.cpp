// Published rates combined with the record.
#include "core/usecases/reviews/weigh_record.hpp"

#include <boost/test/unit_test.hpp>

using namespace tideover;
using domain::Money;

namespace {

struct Weighing {
  domain::Date today = *domain::parse_date("2026-11-20");
  domain::PayerRates rates{1000, 6000, 2000, 20, 30};
  domain::ForecastPolicy policy;
  estimators::Submission claim;
  estimators::Prediction prediction;

  Weighing() {
    claim.submitted = claim.reviewed = today;
    claim.amount = Money::cents(100'000);
    prediction.submitted = today;
    prediction.p_denial = 0.4;
    prediction.p_denial_low = 0.3;
    prediction.p_denial_high = 0.5;
    prediction.lines = {{Money::cents(40'000), estimators::PriceSource::mean_share, 0}};
    prediction.allowed = Money::cents(40'000);
    prediction.expected = Money::cents(20'000);
    prediction.first_by.fill(1);
    for (std::size_t day = 0; day < 10; ++day) prediction.first_by[day] = 0;
    prediction.reworked_by.fill(1);
    for (std::size_t day = 0; day < 60; ++day) prediction.reworked_by[day] = 0;
    prediction.p_first = 0.6;
    prediction.expected_payment_date = today.plus(10);
    prediction.confidence = 0.55;
  }
  domain::Forecast published() const {
    return domain::make_forecast(claim.amount, {}, rates, policy, today, today, domain::kOneInBps);
  }
  usecases::WeighedForecast weighed(int evidence, int cap = domain::kOneInBps) const {
    return usecases::weigh_record(published(), rates, policy, claim, prediction, evidence, cap);
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(weighing_the_record)

BOOST_FIXTURE_TEST_CASE(without_evidence_the_forecast_is_the_published_one, Weighing) {
  const auto before = published(), after = weighed(0).forecast;
  BOOST_TEST(after.denial_probability_bps == before.denial_probability_bps);
  BOOST_TEST((after.allowed == before.allowed));
  BOOST_TEST((after.expected == before.expected));
  BOOST_TEST((after.payment_date == before.payment_date));
  BOOST_TEST(std::abs(after.confidence_bps - before.confidence_bps) <= 1);
}

BOOST_FIXTURE_TEST_CASE(equal_evidence_lies_half_way_in_log_odds, Weighing) {
  const auto half = weighed(20);
  // sqrt(odds of .1 x odds of .4): log odds of -2.197 and -0.405.
  BOOST_TEST(half.forecast.denial_probability_bps == 2139);
  BOOST_TEST((half.forecast.allowed == Money::cents(50'000)));
  BOOST_TEST(half.learned.weight_bps == 5000);
  BOOST_TEST(half.learned.denial_low_bps < 2139);
  BOOST_TEST(half.learned.denial_high_bps > 2139);
}

BOOST_FIXTURE_TEST_CASE(with_much_evidence_the_forecast_is_that_of_the_record, Weighing) {
  const auto sure = weighed(1'000'000).forecast;
  BOOST_TEST(std::abs(sure.denial_probability_bps - 4000) <= 1);
  BOOST_TEST((sure.allowed == Money::cents(40'000)));
  BOOST_TEST((sure.expected == Money::cents(20'000)));
  BOOST_TEST((sure.payment_date == today.plus(10)));
  BOOST_TEST(std::abs(sure.confidence_bps - 5500) <= 1);
}

BOOST_FIXTURE_TEST_CASE(a_remembered_amount_counts_in_full, Weighing) {
  using Source = estimators::PriceSource;
  // Prices of this fee period and of an earlier one: a new quarter does not restore the directory's rate.
  for (const auto source :
       {Source::site_price, Source::provider_price, Source::payer_price, Source::site_step, Source::provider_step,
        Source::payer_step, Source::site_fee, Source::provider_fee, Source::payer_fee}) {
    prediction.lines.front().source = source;
    BOOST_TEST((weighed(1).forecast.allowed == Money::cents(40'000)), name_of(source));
    BOOST_TEST(weighed(1).learned.amount_remembered, name_of(source));
  }
  for (const auto source : {Source::code_share, Source::provider_share, Source::payer_share, Source::site_multiple,
                            Source::provider_multiple, Source::payer_multiple, Source::mean_share}) {
    prediction.lines.front().source = source;
    BOOST_TEST((weighed(1).forecast.allowed > Money::cents(50'000)), name_of(source));
    BOOST_TEST(!weighed(1).learned.amount_remembered, name_of(source));
  }
}

BOOST_FIXTURE_TEST_CASE(the_date_of_a_predicted_denial_follows_reworked_claims, Weighing) {
  prediction.p_denial = 0.9;
  const auto denied = weighed(1'000'000).forecast;
  BOOST_TEST(denied.denial_predicted);
  BOOST_TEST((denied.payment_date >= today.plus(60)));
}

BOOST_FIXTURE_TEST_CASE(the_confidence_is_capped, Weighing) {
  BOOST_TEST(weighed(20, 1234).forecast.confidence_bps == 1234);
}

BOOST_FIXTURE_TEST_CASE(without_evidence_payment_is_all_or_nothing, Weighing) {
  // Denied with .10, of which .40 are paid in the end.
  BOOST_TEST((weighed(0).cash == domain::CashOdds::all_or_nothing(600)));
}

BOOST_FIXTURE_TEST_CASE(the_record_gives_the_distribution_of_the_payment, Weighing) {
  prediction.price_certainty_bps = 10'000;
  prediction.p_final_nonpayment = 0.5;
  prediction.share_odds = {};
  prediction.share_odds[0] = 0.75;            // all of the allowed 400.00
  prediction.share_odds[19] = 0.25;           // 30.00 of it
  const auto sure = weighed(1'000'000).cash;  // 200.00 is expected
  BOOST_TEST(std::abs(sure.nonpayment_bps - 5000) <= 1);
  BOOST_TEST(std::abs(sure.below_bps[1] - 5000) <= 1);   // less than 20.00
  BOOST_TEST(std::abs(sure.below_bps[3] - 6250) <= 1);   // than 40.00
  BOOST_TEST(std::abs(sure.below_bps[19] - 6250) <= 1);  // than 200.00
  const auto half = weighed(20).cash;
  BOOST_TEST(half.nonpayment_bps == 2800);  // half way to .06
  BOOST_TEST(std::is_sorted(half.below_bps.begin(), half.below_bps.end()));
}

BOOST_FIXTURE_TEST_CASE(an_amount_is_remembered_if_every_line_is, Weighing) {
  BOOST_TEST(!weighed(20).learned.amount_remembered);
  claim.lines.resize(2);
  prediction.lines = {{Money::cents(20'000), estimators::PriceSource::site_price, 0},
                      {Money::cents(20'000), estimators::PriceSource::code_share, 0}};
  BOOST_TEST(!weighed(20).learned.amount_remembered);
  prediction.lines[1].source = estimators::PriceSource::payer_price;
  BOOST_TEST(weighed(20).learned.amount_remembered);
}

BOOST_FIXTURE_TEST_CASE(a_contract_outweighs_record_and_published_rates, Weighing) {
  claim.lines.resize(1);
  claim.lines[0].code = "00010";
  claim.lines[0].amount = claim.amount;
  claim.lines[0].contract = Money::cents(72'000);
  for (const int evidence : {0, 20, 1000}) {
    const auto after = weighed(evidence);
    BOOST_TEST((after.forecast.allowed == Money::cents(72'000)));
    BOOST_TEST(after.learned.amount_remembered);
  }
  claim.lines[0].contract = Money::cents(999'999);
  BOOST_TEST((weighed(20).forecast.allowed == claim.amount));
}

BOOST_AUTO_TEST_SUITE_END()
