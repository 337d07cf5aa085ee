// The audit trail: who did what, when, in which request, with what outcome. Append-only.
#pragma once
#include <string>

#include "core/domain/date.hpp"
#include "core/domain/id.hpp"

namespace tideover::ports {

struct AuditRow {
  domain::AuditId id;
  domain::ClientId client;
  std::string request_id;
  std::string operation;  // "POST /v1/claims/reviews"
  std::string object_id;
  std::string outcome;    // "ok" or an error name
  domain::Timestamp at;
};

class AuditRecords {
 public:
  virtual ~AuditRecords() = default;
  virtual void append(const domain::TenantId& tenant, const AuditRow& row) = 0;
};

}  // namespace tideover::ports
