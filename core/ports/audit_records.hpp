// The audit trail: who did what, when, in which request, with what outcome. Append-only and hash-chained.
#pragma once
#include <string>

#include "core/domain/date.hpp"
#include "core/domain/id.hpp"
#include "core/ports/hash_chain.hpp"

namespace tideover::ports {

struct AuditRow {
  domain::AuditId id;
  domain::ClientId client;  // empty where nobody proved who they are
  std::string request_id;
  std::string operation;  // "POST /v1/claims/reviews"
  std::string object_id;  // never an identifier of a person; those are digested first
  std::string outcome;    // "ok" or an error name
  domain::Timestamp at;
  int times = 1;          // how many equal events this row stands for
};

class AuditRecords : public ChainReader<ChainLink> {
 public:
  /// An empty tenant stands for the service itself.
  virtual void append(const domain::TenantId& tenant, const AuditRow& row) = 0;
};

}  // namespace tideover::ports
