#include "core/domain/reconciliation/deposit_sums.hpp"

#include <algorithm>

namespace tideover::domain {

std::vector<DepositSum> deposit_sums(const std::vector<Deposit>& deposits, const std::vector<Remittance>& notices,
                                     const MayBePart& may_be_part) {
  std::vector<DepositSum> sums;
  if (deposits.size() > kMostSummed || notices.size() > kMostSummed) return sums;
  for (std::size_t notice = 0; notice < notices.size(); ++notice) {
    const auto& draft = notices[notice].draft;
    std::vector<std::size_t> parts;
    for (std::size_t i = 0; i < deposits.size(); ++i)
      if (may_be_part(deposits[i], draft)) parts.push_back(i);
    for (std::size_t chosen = 1; chosen < std::size_t{1} << parts.size(); ++chosen) {
      const auto is_chosen = [&](std::size_t i) { return ((chosen >> i) & 1) != 0; };
      Money total;
      for (std::size_t i = 0; i < parts.size(); ++i)
        if (is_chosen(i)) total += deposits[parts[i]].amount;
      if (total != draft.payment_amount) continue;
      auto& sum = sums.emplace_back(DepositSum{notice, {}});
      for (std::size_t i = 0; i < parts.size(); ++i)
        if (is_chosen(i)) sum.deposits.push_back(parts[i]);
    }
  }
  return sums;
}

bool exclude_each_other(const DepositSum& a, const DepositSum& b) {
  return a.notice == b.notice || std::any_of(a.deposits.begin(), a.deposits.end(), [&](std::size_t deposit) {
           return std::find(b.deposits.begin(), b.deposits.end(), deposit) != b.deposits.end();
         });
}

}  // namespace tideover::domain
