#include "core/usecases/matching/funds_pool.hpp"

#include <algorithm>

namespace tideover::usecases {

using domain::Deposit;
using domain::MatchState;
using domain::Money;

FundsPool::FundsPool(std::vector<Deposit> parts) : parts_(std::move(parts)) {
  if (parts_.empty()) return;
  whole_ = parts_.front();
  for (auto part = parts_.begin() + 1; part != parts_.end(); ++part) {
    // Sum the parts: the posting code spends the pool as if it were one deposit.
    whole_->amount += part->amount;
    whole_->matched_amount += part->matched_amount;
  }
}

FundsPool FundsPool::of(const ports::Records& records, const domain::TenantId& tenant,
                        const std::optional<domain::DepositId>& deposit) {
  std::vector<Deposit> parts;
  if (auto first = deposit ? records.deposits().find(tenant, *deposit) : std::nullopt) {
    parts.push_back(std::move(*first));
    for (auto& other : records.deposits().pooled_into(tenant, *deposit)) parts.push_back(std::move(other));
  }
  return FundsPool(std::move(parts));
}

FundsPool FundsPool::pool(std::vector<Deposit> deposits) {
  for (auto other = deposits.begin() + 1; other != deposits.end(); ++other) other->pooled_into = deposits.front().id;
  return FundsPool(std::move(deposits));
}

void FundsPool::dissolve() {
  for (auto& part : parts_) part.pooled_into.reset();
}

void FundsPool::keep(ports::Records& records, const domain::TenantId& tenant) {
  if (whole_) parts_.front().released = whole_->released;  // pooled money is never released
  // Spend the parts in order. The last one takes the rest, so that the parts always add up to the pool.
  Money left = whole_ ? whole_->matched_amount : Money{};
  for (auto& part : parts_) {
    const bool is_last = &part == &parts_.back();
    part.matched_amount = is_last ? left : std::min(left, part.amount);
    left -= part.matched_amount;
    part.status = whole_->status == MatchState::unmatched ? MatchState::unmatched
                  : part.matched_amount == part.amount    ? MatchState::matched
                                                          : MatchState::partly_matched;
    records.deposits().update_match(tenant, part);
  }
}

}  // namespace tideover::usecases
