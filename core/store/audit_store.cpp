#include "core/store/audit_store.hpp"

#include "core/store/columns.hpp"

namespace tideover::store {

void AuditStore::append(const domain::TenantId& tenant, const ports::AuditRow& row) {
  session_.run(
      "INSERT INTO audit_rows (tenant, id, client_id, request_id, operation, object_id, outcome, at) "
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      tenant.text(), row.id.text(), row.client.text(), row.request_id, row.operation, row.object_id, row.outcome,
      row.at.ms());
}

}  // namespace tideover::store
