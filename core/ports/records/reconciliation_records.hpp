// Reconciliation records of settlements.
#pragma once
#include <vector>

#include "core/domain/reconciliation/reconciliation.hpp"

namespace tideover::ports {

class ReconciliationRecords {
 public:
  virtual ~ReconciliationRecords() = default;
  /// A repeated number is a conflict: another writer was first.
  virtual void insert(const domain::TenantId& tenant, const domain::ReconciliationRecord& record) = 0;
  /// Oldest first.
  virtual std::vector<domain::ReconciliationRecord> of(const domain::TenantId& tenant,
                                                       const domain::SettlementId& settlement) const = 0;
  /// Oldest first.
  virtual std::vector<domain::ReconciliationRecord> of_deposit(const domain::TenantId& tenant,
                                                               const domain::DepositId& deposit) const = 0;
};

}  // namespace tideover::ports
