// Reconciliation records in SQL. Bound to one session and its thread.
#pragma once
#include "core/ports/records/reconciliation_records.hpp"
#include "core/store/sql/session.hpp"

namespace tideover::store {

class ReconciliationStore final : public ports::ReconciliationRecords {
 public:
  explicit ReconciliationStore(sql::Session& session) : session_(session) {}

  void insert(const domain::TenantId& tenant, const domain::ReconciliationRecord& record) override;
  std::vector<domain::ReconciliationRecord> of(const domain::TenantId& tenant,
                                               const domain::SettlementId& settlement) const override;
  std::vector<domain::ReconciliationRecord> of_deposit(const domain::TenantId& tenant,
                                                       const domain::DepositId& deposit) const override;

 private:
  sql::Session& session_;
};

}  // namespace tideover::store
