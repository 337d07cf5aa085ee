// The distribution of the payer's cash within 90 days of submission, relative to the expected reimbursement, and the
// loss of an advance by it. Advances are non-recourse, so what the payer does not pay is lost
// (core/docs/prediction.md#advance-terms). Integers only.
#pragma once
#include <array>
#include <cstdint>

namespace tideover::domain {

struct CashOdds {
  static constexpr int kSteps = 20, kStepBps = 500;
  int nonpayment_bps = 0;               // P(nothing is paid)
  std::array<int, kSteps> below_bps{};  // P(paid < 5 %, 10 %, ... 100 % of the expected amount); never falls
  friend bool operator==(const CashOdds&, const CashOdds&) = default;

  /// Either the whole expected amount comes, or nothing.
  static CashOdds all_or_nothing(int nonpayment_bps);
};

/// P(less is paid than the advance), linear between the steps. `advance_bps`: share of the expected amount, 0 to 10
/// 000.
int shortfall_bps(const CashOdds& odds, int advance_bps);
/// E[unpaid part of the advance] / advance.
int expected_loss_bps(const CashOdds& odds, int advance_bps);

/// The loss of an advance when the payer pays anything. A smaller advance does not make a payment of nothing less
/// likely.
struct LossCaps {
  int loss_bps = 0;       // E[unpaid part of the advance | something is paid] / advance
  int shortfall_bps = 0;  // P(less is paid than the advance | something is paid)
};
/// The largest advance within the limits: `most_bps`, or less in whole percents of the expected amount. 0: not even one
/// percent.
int largest_advance_bps(const CashOdds& odds, int most_bps, const LossCaps& caps);

}  // namespace tideover::domain
