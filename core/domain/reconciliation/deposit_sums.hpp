// Which of a payer's waiting deposits together may pay which of its waiting remittances. Sums are proposals only.
//
// Threads: pure functions.
#pragma once
#include <cstddef>
#include <functional>
#include <vector>

#include "core/domain/reconciliation/remittance.hpp"

namespace tideover::domain {

/// Deposits whose sum equals the amount of the remittance to the cent. A single deposit is a sum, too.
struct DepositSum {
  std::size_t remittance = 0;  // positions in the arguments
  std::vector<std::size_t> deposits;
};

/// With more deposits or remittances than this, almost every amount is the sum of some deposits.
inline constexpr std::size_t kMostSummed = 12;

/// All sums of deposits that `may_be_part` accepts. Empty when there are more than kMostSummed deposits or remittances.
/// The claims of the remittances are not read.
using MayBePart = std::function<bool(const Deposit& part, const RemittanceDraft& remittance)>;
std::vector<DepositSum> deposit_sums(const std::vector<Deposit>& deposits, const std::vector<Remittance>& remittances,
                                     const MayBePart& may_be_part);

}  // namespace tideover::domain
