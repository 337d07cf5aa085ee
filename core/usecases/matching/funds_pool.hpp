// The money that pays a remittance: one deposit, or several that pay it together. The pool acts as one deposit with the
// id of the first and the sums of all. keep() divides what was spent among the parts.
//
// Threads: use inside the caller's transaction.
#pragma once
#include <optional>
#include <vector>

#include "core/ports/store.hpp"

namespace tideover::usecases {

class FundsPool {
 public:
  /// The pool of this deposit and those that were pooled into it; without money when there is no deposit.
  static FundsPool of(const ports::Records& records, const domain::TenantId& tenant,
                      const std::optional<domain::DepositId>& deposit);
  /// Pools the deposits into the first one.
  static FundsPool pool(std::vector<domain::Deposit> deposits);

  const std::vector<domain::Deposit>& parts() const { return parts_; }
  /// The sum of all parts.
  domain::Money amount() const { return whole_ ? whole_->amount : domain::Money{}; }
  /// The pool as one deposit; nullptr when there is none.
  domain::Deposit* money() { return whole_ ? &*whole_ : nullptr; }
  /// Separates the parts again. Call it only when nothing of them is spent.
  void dissolve();
  /// Stores what was spent, and fills the first deposits first.
  void keep(ports::Records& records, const domain::TenantId& tenant);

 private:
  explicit FundsPool(std::vector<domain::Deposit> parts);

  std::vector<domain::Deposit> parts_;
  std::optional<domain::Deposit> whole_;
};

}  // namespace tideover::usecases
