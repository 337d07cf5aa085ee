// Reads the audit trail of a tenant: what its clients did and were refused. Actions of the service itself belong to no
// tenant and are not shown.
//
// Threads: thread-safe; read-only.
#pragma once
#include <optional>
#include <string>

#include "core/ports/store.hpp"

namespace tideover::usecases {

/// Empty members match everything.
struct AuditQuery {
  std::string client_id;
  std::string request_id;
  std::string object_id;
  std::string outcome;
  std::optional<domain::Date> from;  // days in UTC, both inclusive
  std::optional<domain::Date> to;
  ports::AuditPlace after;
  std::size_t limit = 25;
};

class ReadAudit {
 public:
  explicit ReadAudit(ports::Store& store) : store_(store) {}
  domain::Result<ports::AuditPage> operator()(const domain::TenantId& tenant, const AuditQuery& query) const;

 private:
  ports::Store& store_;
};

}  // namespace tideover::usecases
