#include "core/usecases/audit/read_audit.hpp"

#include "core/domain/basics/midnight.hpp"

namespace tideover::usecases {

domain::Result<ports::AuditPage> ReadAudit::operator()(const domain::TenantId& tenant, const AuditQuery& query) const {
  if (query.from && query.to && *query.to < *query.from) {
    auto error = domain::Error::of(domain::ErrorCode::invalid_parameter, "The period ends before it begins.");
    error.fields.push_back({"to", "must not be before `from`"});
    return error;
  }
  ports::AuditFilter filter{query.client_id, query.request_id, query.object_id, query.outcome};
  if (query.from) filter.from = domain::midnight_of(*query.from);
  if (query.to) filter.until = domain::midnight_of(query.to->plus(1));
  return fetch(store_, [&](const ports::Records& records) {
    return records.audit().list(tenant, filter, query.after, query.limit);
  });
}

}  // namespace tideover::usecases
