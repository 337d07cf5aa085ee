// Decisions of the recourse policy in SQL. Bound to one session and its thread.
#pragma once
#include "core/ports/records/recourse/recourse_records.hpp"
#include "core/store/sql/session.hpp"

namespace tideover::store {

class RecourseStore final : public ports::RecourseRecords {
 public:
  explicit RecourseStore(sql::Session& session) : session_(session) {}

  void append(const domain::TenantId& tenant, const domain::RecourseEntry& entry) override;
  std::vector<domain::RecourseEntry> of(const domain::TenantId& tenant,
                                        const domain::SettlementId& settlement) const override;
  std::vector<domain::RecourseEntry> of_remittance(const domain::TenantId& tenant,
                                                   const domain::RemittanceId& remittance) const override;
  domain::Money held_of(const domain::TenantId& tenant, const domain::SettlementId& settlement) const override;
  domain::Money not_due_of(const domain::TenantId& tenant, const domain::SettlementId& settlement) const override;
  ports::PracticeBalance practice(const domain::TenantId& tenant, std::string_view payee_npi) const override;
  std::vector<domain::RecourseEntry> between(const domain::TenantId& tenant, domain::Timestamp from,
                                             domain::Timestamp until, std::string_view after,
                                             std::size_t limit) const override;
  std::vector<ports::CollectedFee> fees_between(const domain::TenantId& tenant, domain::Timestamp from,
                                                domain::Timestamp until, std::string_view after,
                                                std::size_t limit) const override;
  std::vector<std::pair<domain::TenantId, domain::RecourseEntry>> due(domain::Date today,
                                                                      std::size_t limit) const override;
  bool end_hold(const domain::TenantId& tenant, const domain::LedgerTransactionId& id) override;

 private:
  sql::Session& session_;
};

}  // namespace tideover::store
