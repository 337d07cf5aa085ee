// The audit trail in SQL. Bound to one session and its thread.
#pragma once
#include "core/ports/records/audit_records.hpp"
#include "core/store/sql/session.hpp"

namespace tideover::store {

class AuditStore final : public ports::AuditRecords {
 public:
  /// `node` names the chains of this process; it must outlive the store.
  AuditStore(sql::Session& session, const std::string& node) : session_(session), node_(node) {}

  void append(const domain::TenantId& tenant, const ports::AuditRow& row) override;
  ports::AuditPage list(const domain::TenantId& tenant, const ports::AuditFilter& filter,
                        const ports::AuditPlace& after, std::size_t limit) const override;
  std::vector<ports::ChainHead> heads() const override;
  ports::ChainHead head(const std::string& chain) const override;
  std::vector<ports::ChainLink> links(const ports::ChainHead& after, std::size_t limit) const override;

 private:
  sql::Session& session_;
  const std::string& node_;
};

}  // namespace tideover::store
