#include "core/estimators/prediction.hpp"

#include <algorithm>

namespace tideover::estimators {
namespace {

std::size_t day_index(domain::Date from, domain::Date to) { return static_cast<std::size_t>(std::clamp(days_between(from, to), 0, kCalendarDays - 1)); }

}  // namespace

double Prediction::p_paid_by(domain::Date day) const {
  if (day < submitted) return 0;
  const auto at = day_index(submitted, day);
  return p_first * static_cast<double>(first_by[at]) + p_reworked * static_cast<double>(reworked_by[at]);
}

double Prediction::p_paid_by_given_first_payment(domain::Date day) const { return day < submitted ? 0 : static_cast<double>(first_by[day_index(submitted, day)]); }

int Prediction::quantile_days(double level) const {
  const auto at = std::find_if(first_by.begin(), first_by.end() - 1, [&](float share) { return static_cast<double>(share) >= level; });
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
    const auto loss_at = [&](double factor) { return std::max(0.0, 1 - factor * due * (1 - share_of_step(step)) / lent); };
    // An amount that nobody remembers may be a quarter off, rather less than more.
    lost += odds * (sure * loss_at(1) + (1 - sure) * 0.5 * (loss_at(0.7) + loss_at(1.1)));
  }
  return 1 - paid + paid * lost;
}

}  // namespace tideover::estimators
