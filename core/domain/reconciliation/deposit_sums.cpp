#include "core/domain/reconciliation/deposit_sums.hpp"

#include <algorithm>

namespace tideover::domain {

std::vector<DepositSum> deposit_sums(const std::vector<Deposit>& deposits, const std::vector<Remittance>& remittances,
                                     const MayBePart& may_be_part) {
  std::vector<DepositSum> sums;
  if (deposits.size() > kMostSummed || remittances.size() > kMostSummed) return sums;
  for (std::size_t remittance = 0; remittance < remittances.size(); ++remittance) {
    const auto& draft = remittances[remittance].draft;
    std::vector<std::size_t> parts;
    for (std::size_t i = 0; i < deposits.size(); ++i)
      if (may_be_part(deposits[i], draft)) parts.push_back(i);
    // Try every subset: at most 2^kMostSummed, and a search that stops early could hide a second sum.
    for (std::size_t chosen = 1; chosen < std::size_t{1} << parts.size(); ++chosen) {
      const auto is_chosen = [&](std::size_t i) { return ((chosen >> i) & 1) != 0; };
      Money total;
      for (std::size_t i = 0; i < parts.size(); ++i)
        if (is_chosen(i)) total += deposits[parts[i]].amount;
      // No tolerance: a sum that is a cent off pays something else.
      if (total != draft.payment_amount) continue;
      auto& sum = sums.emplace_back(DepositSum{remittance, {}});
      for (std::size_t i = 0; i < parts.size(); ++i)
        if (is_chosen(i)) sum.deposits.push_back(parts[i]);
    }
  }
  return sums;
}

}  // namespace tideover::domain
