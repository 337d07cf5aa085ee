#include "core/usecases/reviews/weigh_record.hpp"

#include <algorithm>
#include <cmath>

#include "core/domain/basics/bank_calendar.hpp"
#include "core/domain/basics/within.hpp"
#include "core/estimators/basics/arithmetic.hpp"

namespace tideover::usecases {
namespace {

using domain::kOneInBps;
using domain::Money;

constexpr int kHighestDenialBps = 9950;
constexpr int kHorizonDays = 730;

int bps_of(double share) {
  return static_cast<int>(std::lround(share * kOneInBps));
}
double share_of(int bps) {
  return bps / static_cast<double>(kOneInBps);
}
double between(double weight, double record, double published) {
  return weight * record + (1 - weight) * published;
}

/// Whether this payer allowed the price before: in the same fee period, or in an earlier one, adjusted by the payer's
/// price step or by the Medicare fee since.
bool is_remembered(estimators::PriceSource source) {
  using estimators::PriceSource;
  switch (source) {
    case PriceSource::site_price:
    case PriceSource::provider_price:
    case PriceSource::payer_price:
    case PriceSource::site_step:
    case PriceSource::provider_step:
    case PriceSource::payer_step:
    case PriceSource::site_fee:
    case PriceSource::provider_fee:
    case PriceSource::payer_fee:
      return true;
    default:
      return false;
  }
}

Money allowed_of(const domain::Forecast& published, const domain::PayerRates& rates,
                 const estimators::Submission& claim, const estimators::Prediction& predicted, double weight) {
  const bool by_line = !claim.lines.empty() && claim.lines.size() == predicted.lines.size();
  if (!by_line && predicted.lines.size() != 1) return published.allowed;
  double cents = 0;
  for (std::size_t i = 0; i < predicted.lines.size(); ++i) {
    const auto& line = predicted.lines[i];
    const Money charge = by_line ? claim.lines[i].amount : claim.amount;
    const double usual = static_cast<double>(std::min(charge, portion(charge, rates.allowed_bps)).cents());
    const auto contract = by_line ? claim.lines[i].contract : std::nullopt;
    cents += contract
                 ? static_cast<double>(std::min(charge, *contract).cents())
                 : between(is_remembered(line.source) ? 1 : weight, static_cast<double>(line.allowed.cents()), usual);
  }
  return domain::within(Money::cents(std::llround(cents)), Money{}, claim.amount);
}

/// Published rates have no spread: a payer that pays at all pays the expected amount.
domain::CashOdds cash_odds(const domain::Forecast& weighed, const estimators::Prediction& predicted,
                           double published_nonpayment, double weight) {
  const double allowed = static_cast<double>(weighed.allowed.cents());
  // The record's odds refer to its own allowed amount.
  const double scale = allowed > 0 ? static_cast<double>(predicted.allowed.cents()) / allowed : 0;
  auto odds =
      domain::CashOdds::all_or_nothing(bps_of(between(weight, predicted.p_final_nonpayment, published_nonpayment)));
  int least = odds.nonpayment_bps;
  for (std::size_t step = 0; step < odds.below_bps.size(); ++step) {
    const double share = static_cast<double>(step + 1) / domain::CashOdds::kSteps;
    const auto amount = Money::cents(std::llround(static_cast<double>(weighed.expected.cents()) * share * scale));
    if (amount > Money{})
      least = std::max(least, bps_of(between(weight, predicted.p_cash_below(amount), published_nonpayment)));
    odds.below_bps[step] = std::min(least, kOneInBps);
  }
  return odds;
}

/// The first day by which this share is paid. The share only grows, so bisection finds it.
template <class PaidBy>
int first_day(const PaidBy& paid_by, double share) {
  int low = 1, high = kHorizonDays;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (paid_by(middle) < share)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

}  // namespace

WeighedForecast weigh_record(const domain::Forecast& published, const domain::PayerRates& rates,
                             const domain::ForecastPolicy& policy, const estimators::Submission& claim,
                             const estimators::Prediction& predicted, int evidence, int confidence_cap_bps) {
  const double weight = evidence / static_cast<double>(evidence + policy.payer_evidence);
  const auto odds_of = [&](double record) {
    return between(weight, estimators::log_odds(record),
                   estimators::log_odds(share_of(published.denial_probability_bps)));
  };
  const double odds = odds_of(predicted.p_denial);

  WeighedForecast weighed{published, {}, {}};
  auto& forecast = weighed.forecast;
  forecast.denial_probability_bps = domain::within(bps_of(estimators::probability(odds)), 0, kHighestDenialBps);
  forecast.denial_predicted = forecast.denial_probability_bps >= policy.denial_threshold_bps ||
                              (published.denial_predicted && predicted.denial_predicted);

  forecast.allowed = allowed_of(published, rates, claim, predicted, weight);
  const auto paid_share = [](Money expected, Money allowed) {
    return allowed > Money{} ? static_cast<double>(expected.cents()) / static_cast<double>(allowed.cents()) : 0.0;
  };
  const double share = between(weight, paid_share(predicted.expected, predicted.allowed),
                               paid_share(published.expected, published.allowed));
  forecast.expected = domain::within(Money::cents(std::llround(static_cast<double>(forecast.allowed.cents()) * share)),
                                     Money{}, forecast.allowed);

  const auto& days = forecast.denial_predicted ? predicted.reworked_by : predicted.first_by;
  const auto paid_by = [&](int day) {
    const auto at = static_cast<std::size_t>(domain::within(day, 0, estimators::kCalendarDays - 1));
    return between(weight, static_cast<double>(days[at]), share_of(paid_by_bps(rates, day)));
  };
  const int wait = first_day(paid_by, share_of(policy.date_quantile_bps));
  forecast.payment_date = domain::banking_day_on_or_after(std::max(claim.submitted.plus(wait), claim.reviewed));

  // The record's confidence is calibrated for its own date. For another date it shifts with the days.
  const double record = domain::within(predicted.confidence + predicted.p_paid_by(forecast.payment_date) -
                                           predicted.p_paid_by(predicted.expected_payment_date),
                                       0.0, 1.0);
  const double usual = share_of(kOneInBps - published.denial_probability_bps) *
                       share_of(paid_by_bps(rates, days_between(claim.submitted, forecast.payment_date)));
  forecast.confidence_bps = std::min(bps_of(between(weight, record, usual)), confidence_cap_bps);

  auto& learned = weighed.learned;
  learned.denial_low_bps = bps_of(estimators::probability(odds + estimators::log_odds(predicted.p_denial_low) -
                                                          estimators::log_odds(predicted.p_denial)));
  learned.denial_high_bps = bps_of(estimators::probability(odds + estimators::log_odds(predicted.p_denial_high) -
                                                           estimators::log_odds(predicted.p_denial)));
  learned.cash_q10 = predicted.cash_q10;
  learned.cash_q50 = predicted.cash_q50;
  learned.cash_q90 = predicted.cash_q90;
  learned.evidence = evidence;
  learned.weight_bps = bps_of(weight);
  learned.amount_remembered = !predicted.lines.empty();
  for (std::size_t i = 0; i < predicted.lines.size(); ++i)
    learned.amount_remembered = learned.amount_remembered && (is_remembered(predicted.lines[i].source) ||
                                                              (i < claim.lines.size() && claim.lines[i].contract));
  weighed.cash =
      cash_odds(forecast, predicted, share_of(final_nonpayment_bps(published.denial_probability_bps, policy)), weight);
  return weighed;
}

}  // namespace tideover::usecases
