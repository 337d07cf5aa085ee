#include "core/estimators/prediction.hpp"

#include <algorithm>

#include "core/domain/basics/within.hpp"

namespace tideover::estimators {
namespace {

/// An amount without a precedent may be 30 % lower or 10 % higher.
constexpr double kUnsureLow = 0.7, kUnsureHigh = 1.1;

std::size_t day_index(domain::Date from, domain::Date to) {
  return static_cast<std::size_t>(domain::within(days_between(from, to), 0, kCalendarDays - 1));
}

}  // namespace

double Prediction::p_paid_by(domain::Date day) const {
  if (day < submitted) return 0;
  const auto at = day_index(submitted, day);
  return p_first * static_cast<double>(first_by[at]) + p_reworked * static_cast<double>(reworked_by[at]);
}

int Prediction::quantile_days(double level) const {
  const auto at = std::lower_bound(first_by.begin(), first_by.end() - 1, level,
                                   [](float share, double sought) { return static_cast<double>(share) < sought; });
  return static_cast<int>(at - first_by.begin());
}

double Prediction::expected_loss(domain::Money advance) const {
  if (advance <= domain::Money{}) return 0;
  const double paid = 1 - p_final_nonpayment;
  const double clean = 1 - share_odds[kShareSteps - 1];
  const double lent = static_cast<double>(advance.cents()), due = static_cast<double>(allowed.cents());
  const double sure = price_certainty_bps / 10'000.0;
  double lost = 0;
  for (int step = 0; step + 1 < kShareSteps; ++step) {
    const double odds = clean > 0 ? share_odds[static_cast<std::size_t>(step)] / clean : 0;
    const auto loss_at = [&](double factor) {
      return std::max(0.0, 1 - factor * due * (1 - share_of_step(step)) / lent);
    };
    lost += odds * (sure * loss_at(1) + (1 - sure) * 0.5 * (loss_at(kUnsureLow) + loss_at(kUnsureHigh)));
  }
  return 1 - paid + paid * lost;
}

double Prediction::p_cash_below(domain::Money amount) const {
  const double paid = 1 - p_final_nonpayment, clean = 1 - share_odds[kShareSteps - 1],
               sure = price_certainty_bps / 10'000.0;
  double below = 0;
  for (int step = 0; step + 1 < kShareSteps; ++step) {
    const double due = static_cast<double>(allowed.cents()) * (1 - share_of_step(step));
    const auto falls_short = [&](double factor) {
      return factor * due < static_cast<double>(amount.cents()) ? 1.0 : 0.0;
    };
    const double odds = clean > 0 ? share_odds[static_cast<std::size_t>(step)] / clean : 0;
    below += odds * (sure * falls_short(1) + (1 - sure) * 0.5 * (falls_short(kUnsureLow) + falls_short(kUnsureHigh)));
  }
  return 1 - paid + paid * below;
}

}  // namespace tideover::estimators
