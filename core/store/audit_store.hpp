// The audit trail in SQL.
// Bound to one session and its thread.
#pragma once
#include "core/ports/audit_records.hpp"
#include "core/store/sql/session.hpp"

namespace tideover::store {

class AuditStore final : public ports::AuditRecords {
 public:
  explicit AuditStore(sql::Session& session) : session_(session) {}

  void append(const domain::TenantId& tenant, const ports::AuditRow& row) override;

 private:
  sql::Session& session_;
};

}  // namespace tideover::store
