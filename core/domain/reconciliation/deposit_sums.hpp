// Step 4 of the match ladder, several deposits for one remittance: which of a payer's waiting deposits add up to which
// of its waiting remittances.
#pragma once
#include <cstddef>
#include <functional>
#include <vector>

#include "core/domain/reconciliation/remittance.hpp"

namespace tideover::domain {

/// Deposits that together are what the remittance announces, to the cent; one alone is a sum too.
struct DepositSum {
  std::size_t notice = 0;  // positions in what was given
  std::vector<std::size_t> deposits;
};

/// Beyond so many of either, nearly every amount is some sum.
inline constexpr std::size_t kMostSummed = 12;

/// Every sum there is, of deposits that may be a part of the remittance's money; none where there are more than
/// kMostSummed of either. Claims of the remittances are not looked at.
using MayBePart = std::function<bool(const Deposit& part, const RemittanceDraft& notice)>;
std::vector<DepositSum> deposit_sums(const std::vector<Deposit>& deposits, const std::vector<Remittance>& notices,
                                     const MayBePart& may_be_part);

/// Whether both cannot be true: they share a deposit or are about one remittance.
bool exclude_each_other(const DepositSum& a, const DepositSum& b);

}  // namespace tideover::domain
