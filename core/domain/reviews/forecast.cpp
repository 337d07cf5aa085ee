#include "core/domain/reviews/forecast.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/domain/basics/bank_calendar.hpp"
#include "core/domain/basics/within.hpp"

namespace tideover::domain {
namespace {

constexpr int kHighestDenialBps = 9950;
constexpr double kZOf80Percent = 0.8416212335729143;
constexpr int kHorizonDays = 730;  // later payments count as none

int complement_product(int left_bps, int right_bps) {
  // (1-l)(1-r) in basis points, rounded half up; both factors are at most 10 000, so int holds the product.
  return ((kOneInBps - left_bps) * (kOneInBps - right_bps) + kOneInBps / 2) / kOneInBps;
}

int denial_probability(const std::vector<Finding>& reasons, int background_bps) {
  std::map<std::string, int> strongest;  // ordered, so that the product's roundings are the same on every run
  for (const auto& finding : reasons) {
    int& held = strongest[finding.family.empty() ? finding.rule_id : finding.family];
    held = within(finding.probability_bps, held, kOneInBps);
  }
  int denied = background_bps;
  for (const auto& [family, bps] : strongest) denied = kOneInBps - complement_product(denied, bps);
  return within(denied, 0, kHighestDenialBps);
}

/// The first day by which this share is paid, at most the horizon. Shares only grow, so bisection finds it.
int days_to_quantile(const PayerRates& rates, int quantile_bps) {
  int low = 1, high = kHorizonDays;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (paid_by_bps(rates, middle) < quantile_bps)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

}  // namespace

int paid_by_bps(const PayerRates& rates, int days) {
  if (days <= 0) return 0;
  const double median = std::max(1, rates.median_days_to_pay);
  const double p80 = std::max(median + 0.5, static_cast<double>(rates.p80_days_to_pay));
  const double sigma = (std::log(p80) - std::log(median)) / kZOf80Percent;
  const double z = (std::log(static_cast<double>(days)) - std::log(median)) / sigma;
  const double share = 0.5 * std::erfc(-z / std::sqrt(2.0));
  // The epsilon lets the p80 day itself, exact on paper, count as 80 %.
  return static_cast<int>(std::floor(share * kOneInBps + 1e-6));
}

int final_nonpayment_bps(int denial_bps, const ForecastPolicy& policy) {
  return denial_bps - denial_bps * policy.recovery_bps / kOneInBps;
}

std::optional<Money> contracted_amount(const ClaimDraft& claim, const std::vector<ListedFee>& listed,
                                       const PayerRates& rates) {
  if (std::none_of(listed.begin(), listed.end(), [](const ListedFee& line) { return line.contract.has_value(); }))
    return std::nullopt;
  Money asked, allowed;
  for (std::size_t i = 0; i < claim.service_lines.size(); ++i) {
    const auto& charge = claim.service_lines[i].amount;
    if (!charge) return std::nullopt;
    const auto contract = i < listed.size() ? listed[i].contract : std::nullopt;
    asked += *charge;
    allowed += std::min(*charge, contract.value_or(portion(*charge, rates.allowed_bps)));
  }
  return asked == claim.submitted_amount ? std::optional(allowed) : std::nullopt;
}

Forecast make_forecast(Money submitted, const std::vector<Finding>& reasons, const PayerRates& rates,
                       const ForecastPolicy& policy, Date counted_from, Date today, int confidence_cap_bps,
                       const std::optional<Money>& contracted) {
  Forecast forecast;
  forecast.denial_probability_bps = denial_probability(reasons, rates.denial_bps);
  forecast.denial_predicted = forecast.denial_probability_bps >= policy.denial_threshold_bps;

  forecast.allowed = std::min(submitted, contracted.value_or(portion(submitted, rates.allowed_bps)));
  const int paid_share = kOneInBps - rates.patient_share_bps;
  const Money if_paid = portion(forecast.allowed, paid_share);
  const int final_bps = kOneInBps - final_nonpayment_bps(forecast.denial_probability_bps, policy);
  forecast.expected = within(portion(if_paid, final_bps), Money{}, forecast.allowed);

  forecast.payment_date =
      banking_day_on_or_after(std::max(counted_from.plus(days_to_quantile(rates, policy.date_quantile_bps)), today));

  const int by_then = paid_by_bps(rates, days_between(counted_from, forecast.payment_date));
  const int paid = (kOneInBps - forecast.denial_probability_bps) * by_then / kOneInBps;
  forecast.confidence_bps = std::min(paid, confidence_cap_bps);
  return forecast;
}

void leave_remainder(Forecast& forecast, LearnedForecast* learned, const ClaimDetails& claim, int nonpayment_bps) {
  const Money allowed = forecast.allowed;
  forecast.allowed = std::max(allowed - claim.paid_by_others.value_or(Money{}), Money{});
  const Money payable = std::max(forecast.allowed - claim.patient_paid.value_or(Money{}), Money{});
  const auto lower = [&](Money& amount, Money most) {
    if (forecast.allowed < allowed) amount = proportion(amount, forecast.allowed, allowed);
    if (claim.patient_paid) amount = std::min(amount, most);
  };
  lower(forecast.expected, portion(payable, kOneInBps - nonpayment_bps));
  if (!learned) return;
  for (Money* quantile : {&learned->cash_q10, &learned->cash_q50, &learned->cash_q90}) lower(*quantile, payable);
}

}  // namespace tideover::domain
