#include "core/domain/reviews/cash_odds.hpp"

#include <algorithm>

#include "core/domain/basics/money.hpp"
#include "core/domain/basics/within.hpp"

namespace tideover::domain {
namespace {

constexpr int kPercent = kOneInBps / 100;

/// P(less is paid) at the end of a step. Step 0: P(nothing is paid).
std::int64_t below(const CashOdds& odds, int step) {
  return step == 0 ? odds.nonpayment_bps : odds.below_bps[static_cast<std::size_t>(step - 1)];
}

struct Place {
  int step;             // ends at or before the share
  std::int64_t beyond;  // bps from there
};
Place place_of(int share_bps) {
  const int inside = within(share_bps, 0, kOneInBps);
  const int step = std::min(inside / CashOdds::kStepBps, CashOdds::kSteps - 1);
  return {step, inside - step * CashOdds::kStepBps};
}

std::int64_t rounded(std::int64_t part, std::int64_t whole) {
  return (2 * part + whole) / (2 * whole);
}

}  // namespace

CashOdds CashOdds::all_or_nothing(int nonpayment_bps) {
  CashOdds odds{nonpayment_bps, {}};
  odds.below_bps.fill(nonpayment_bps);
  return odds;
}

int shortfall_bps(const CashOdds& odds, int advance_bps) {
  const auto [step, beyond] = place_of(advance_bps);
  const auto low = below(odds, step), high = below(odds, step + 1);
  return static_cast<int>(low + rounded((high - low) * beyond, CashOdds::kStepBps));
}

int expected_loss_bps(const CashOdds& odds, int advance_bps) {
  if (advance_bps <= 0) return 0;
  const auto [step, beyond] = place_of(advance_bps);
  // E[(A - R)+] is the area under P(R < r) from 0 to A; trapezoids, twice.
  std::int64_t area = 0;
  for (int i = 0; i < step; ++i) area += (below(odds, i) + below(odds, i + 1)) * CashOdds::kStepBps;
  const auto low = below(odds, step), high = below(odds, step + 1);
  area = area * CashOdds::kStepBps + beyond * (2 * low * CashOdds::kStepBps + (high - low) * beyond);
  const std::int64_t advanced = step * std::int64_t{CashOdds::kStepBps} + beyond;
  return static_cast<int>(rounded(area, 2 * advanced * CashOdds::kStepBps));
}

int largest_advance_bps(const CashOdds& odds, int most_bps, const LossCaps& caps) {
  const std::int64_t paid = kOneInBps - odds.nonpayment_bps;
  const auto within = [&](int of_all_bps, int cap_bps) {
    return std::int64_t{of_all_bps - odds.nonpayment_bps} * kOneInBps <= cap_bps * paid;
  };
  int advance = domain::within(most_bps, 0, kOneInBps);
  while (advance > 0 && !(within(expected_loss_bps(odds, advance), caps.loss_bps) &&
                          within(shortfall_bps(odds, advance), caps.shortfall_bps)))
    advance = (advance - 1) / kPercent * kPercent;
  return advance;
}

}  // namespace tideover::domain
