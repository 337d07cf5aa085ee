// What published rates say and what the record says, brought together.
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
  estimators::Prediction told;

  Weighing() {
    claim.submitted = claim.reviewed = today;
    claim.amount = Money::cents(100'000);
    told.submitted = today;
    told.p_denial = 0.4;
    told.p_denial_low = 0.3;
    told.p_denial_high = 0.5;
    told.lines = {{Money::cents(40'000), estimators::PriceSource::mean_share, 0}};
    told.allowed = Money::cents(40'000);
    told.expected = Money::cents(20'000);
    told.first_by.fill(1);
    for (std::size_t day = 0; day < 10; ++day) told.first_by[day] = 0;
    told.reworked_by.fill(1);
    for (std::size_t day = 0; day < 60; ++day) told.reworked_by[day] = 0;
    told.p_first = 0.6;
    told.expected_payment_date = today.plus(10);
    told.confidence = 0.55;
  }
  domain::Forecast published() const {
    return domain::make_forecast(claim.amount, {}, rates, policy, today, today, domain::kOneInBps);
  }
  usecases::WeighedForecast weighed(int evidence, int cap = domain::kOneInBps) const {
    return usecases::weigh_record(published(), rates, policy, claim, told, evidence, cap);
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(weighing_the_record)

BOOST_FIXTURE_TEST_CASE(without_evidence_it_is_the_published_forecast, Weighing) {
  const auto before = published(), after = weighed(0).forecast;
  BOOST_TEST(after.denial_probability_bps == before.denial_probability_bps);
  BOOST_TEST((after.allowed == before.allowed));
  BOOST_TEST((after.expected == before.expected));
  BOOST_TEST((after.payment_date == before.payment_date));
  BOOST_TEST(std::abs(after.confidence_bps - before.confidence_bps) <= 1);
}

BOOST_FIXTURE_TEST_CASE(as_much_evidence_as_the_published_rates_are_worth_lies_half_way_in_log_odds, Weighing) {
  const auto half = weighed(20);
  // sqrt(odds of .1 x odds of .4): log odds of -2.197 and -0.405.
  BOOST_TEST(half.forecast.denial_probability_bps == 2139);
  BOOST_TEST((half.forecast.allowed == Money::cents(50'000)));
  BOOST_TEST(half.learned.weight_bps == 5000);
  BOOST_TEST(half.learned.denial_low_bps < 2139);
  BOOST_TEST(half.learned.denial_high_bps > 2139);
}

BOOST_FIXTURE_TEST_CASE(with_much_evidence_it_is_the_record_s, Weighing) {
  const auto sure = weighed(1'000'000).forecast;
  BOOST_TEST(std::abs(sure.denial_probability_bps - 4000) <= 1);
  BOOST_TEST((sure.allowed == Money::cents(40'000)));
  BOOST_TEST((sure.expected == Money::cents(20'000)));
  BOOST_TEST((sure.payment_date == today.plus(10)));
  BOOST_TEST(std::abs(sure.confidence_bps - 5500) <= 1);
}

BOOST_FIXTURE_TEST_CASE(an_amount_that_is_remembered_counts_whole, Weighing) {
  using Source = estimators::PriceSource;
  // Of this fee period, and of an earlier one: a new quarter does not bring the directory's rate back.
  for (const auto source :
       {Source::site_price, Source::provider_price, Source::payer_price, Source::site_step, Source::provider_step,
        Source::payer_step, Source::site_fee, Source::provider_fee, Source::payer_fee}) {
    told.lines.front().source = source;
    BOOST_TEST((weighed(1).forecast.allowed == Money::cents(40'000)), name_of(source));
    BOOST_TEST(weighed(1).learned.amount_remembered, name_of(source));
  }
  for (const auto source : {Source::code_share, Source::provider_share, Source::payer_share, Source::site_multiple,
                            Source::provider_multiple, Source::payer_multiple, Source::mean_share}) {
    told.lines.front().source = source;
    BOOST_TEST((weighed(1).forecast.allowed > Money::cents(50'000)), name_of(source));
    BOOST_TEST(!weighed(1).learned.amount_remembered, name_of(source));
  }
}

BOOST_FIXTURE_TEST_CASE(a_predicted_denial_is_dated_by_reworked_claims, Weighing) {
  told.p_denial = 0.9;
  const auto denied = weighed(1'000'000).forecast;
  BOOST_TEST(denied.denial_predicted);
  BOOST_TEST((denied.payment_date >= today.plus(60)));
}

BOOST_FIXTURE_TEST_CASE(a_cap_of_the_confidence_holds, Weighing) {
  BOOST_TEST(weighed(20, 1234).forecast.confidence_bps == 1234);
}

BOOST_FIXTURE_TEST_CASE(without_evidence_all_comes_or_nothing, Weighing) {
  // Denied with .10, of which .40 are paid in the end.
  BOOST_TEST((weighed(0).cash == domain::CashOdds::all_or_nothing(600)));
}

BOOST_FIXTURE_TEST_CASE(the_record_says_how_much_of_what_is_expected_comes, Weighing) {
  told.price_certainty_bps = 10'000;
  told.p_final_nonpayment = 0.5;
  told.share_odds = {};
  told.share_odds[0] = 0.75;                  // all of the allowed 400.00
  told.share_odds[19] = 0.25;                 // 30.00 of it
  const auto sure = weighed(1'000'000).cash;  // 200.00 is expected
  BOOST_TEST(std::abs(sure.nonpayment_bps - 5000) <= 1);
  BOOST_TEST(std::abs(sure.below_bps[1] - 5000) <= 1);   // less than 20.00
  BOOST_TEST(std::abs(sure.below_bps[3] - 6250) <= 1);   // than 40.00
  BOOST_TEST(std::abs(sure.below_bps[19] - 6250) <= 1);  // than 200.00
  const auto half = weighed(20).cash;
  BOOST_TEST(half.nonpayment_bps == 2800);  // half way to .06
  BOOST_TEST(std::is_sorted(half.below_bps.begin(), half.below_bps.end()));
}

BOOST_FIXTURE_TEST_CASE(an_amount_is_remembered_when_every_line_is, Weighing) {
  BOOST_TEST(!weighed(20).learned.amount_remembered);
  claim.lines.resize(2);
  told.lines = {{Money::cents(20'000), estimators::PriceSource::site_price, 0},
                {Money::cents(20'000), estimators::PriceSource::code_share, 0}};
  BOOST_TEST(!weighed(20).learned.amount_remembered);
  told.lines[1].source = estimators::PriceSource::payer_price;
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
