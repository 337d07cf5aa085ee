// Allocations of remittances in SQL. Bound to one session and its thread.
#pragma once
#include "core/ports/records/allocation_records.hpp"
#include "core/store/sql/session.hpp"

namespace tideover::store {

class AllocationStore final : public ports::AllocationRecords {
 public:
  explicit AllocationStore(sql::Session& session) : session_(session) {}

  void append(const domain::TenantId& tenant, const domain::RemittanceId& remittance,
              const domain::AllocationRow& row) override;
  std::vector<domain::AllocationRow> of(const domain::TenantId& tenant,
                                        const domain::RemittanceId& remittance) const override;
  std::vector<ports::OpenBalance> open_balances(const domain::TenantId& tenant, std::string_view payer_id,
                                                std::size_t limit) const override;
  bool is_used(const domain::TenantId& tenant, const domain::AllocationRef& balance) const override;
  std::vector<domain::RemittanceId> charged_recoveries(const domain::TenantId& tenant, std::string_view payer_id,
                                                       const domain::RemittanceId& after,
                                                       std::size_t limit) const override;
  domain::Money recovered_of(const domain::TenantId& tenant, const domain::SettlementId& settlement,
                             const domain::RemittanceId& except) const override;

 private:
  sql::Session& session_;
};

}  // namespace tideover::store
