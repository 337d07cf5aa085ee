// The money that pays a remittance: one deposit, or several that pay it together. To whoever books it is one deposit,
// which bears the name of the first and the sums of all; here it is divided again.
#pragma once
#include <optional>
#include <vector>

#include "core/ports/store.hpp"

namespace tideover::usecases {

class FundsPool {
 public:
  /// What this deposit stands for; without money where there is none.
  static FundsPool of(const ports::Records& records, const domain::TenantId& tenant,
                      const std::optional<domain::DepositId>& deposit);
  /// From now on the first stands for the others.
  static FundsPool pool(std::vector<domain::Deposit> deposits);

  const std::vector<domain::Deposit>& parts() const { return parts_; }
  /// What came in all.
  domain::Money amount() const { return whole_ ? whole_->amount : domain::Money{}; }
  /// All of them together; nullptr: there is none.
  domain::Deposit* money() { return whole_ ? &*whole_ : nullptr; }
  /// Each by itself again, once nothing of them is spent.
  void dissolve();
  /// Stores what was spent: the first deposits first.
  void keep(ports::Records& records, const domain::TenantId& tenant);

 private:
  explicit FundsPool(std::vector<domain::Deposit> parts);

  std::vector<domain::Deposit> parts_;
  std::optional<domain::Deposit> whole_;
};

}  // namespace tideover::usecases
