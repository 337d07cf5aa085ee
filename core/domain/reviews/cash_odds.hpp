// What of the expected reimbursement a payer may leave unpaid, and what an advance on it loses by that: the
// distribution of the payer's cash within 90 days of submission. An advance is non-recourse, so what the payer does not
// pay of it is lost (core/docs/prediction.md#advance-terms). Integers only.
#pragma once
#include <array>
#include <cstdint>

namespace tideover::domain {

struct CashOdds {
  static constexpr int kSteps = 20, kStepBps = 500;
  int nonpayment_bps = 0;               // P(nothing is paid)
  std::array<int, kSteps> below_bps{};  // P(less is paid than 5 %, 10 %, ... 100 % of what is expected); never falls
  friend bool operator==(const CashOdds&, const CashOdds&) = default;

  /// All that is expected comes, or nothing does.
  static CashOdds all_or_nothing(int nonpayment_bps);
};

/// P(less is paid than the advance), linear between the steps. `advance_bps`: of what is expected, 0 to 10 000.
int shortfall_bps(const CashOdds& odds, int advance_bps);
/// E[what of the advance is not paid] / advance.
int expected_loss_bps(const CashOdds& odds, int advance_bps);

/// What an advance may lose where the payer does pay. That it pays nothing at all no smaller advance makes less likely.
struct LossCaps {
  int loss_bps = 0;       // E[what of the advance is not paid | something is] / advance
  int shortfall_bps = 0;  // P(less is paid than the advance | something is)
};
/// The largest advance within the caps: `most_bps`, or less in whole percents of what is expected; 0: not even one
/// percent is.
int largest_advance_bps(const CashOdds& odds, int most_bps, const LossCaps& caps);

}  // namespace tideover::domain
