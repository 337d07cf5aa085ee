// What a request leaves behind beside its effect: its answer under the idempotency key, and its audit row.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "core/domain/date.hpp"
#include "core/domain/id.hpp"

namespace tideover::ports {

struct StoredAnswer {
  std::string fingerprint;  // SHA-256 of the canonical request, hex
  std::string outcome;      // "ok" or the name of the refusal that was final
  std::string body;         // byte for byte as answered
  domain::Timestamp expires_at;
};

struct AuditRow {
  domain::AuditId id;
  domain::ClientId client;
  std::string request_id;
  std::string operation;  // "POST /v1/claims/reviews"
  std::string object_id;
  std::string outcome;    // "ok" or an error name
  domain::Timestamp at;
};

class RequestRecords {
 public:
  virtual ~RequestRecords() = default;
  /// `scope` is operation and key; unique per tenant: a second insert is a unique violation.
  virtual void insert_answer(const domain::TenantId& tenant, std::string_view scope, const StoredAnswer& answer,
                             domain::Timestamp now) = 0;
  virtual std::optional<StoredAnswer> find_answer(const domain::TenantId& tenant, std::string_view scope) const = 0;
  /// Removes at most `limit` answers that have expired; says how many.
  virtual int prune_answers(domain::Timestamp now, std::size_t limit) = 0;
  virtual void append_audit(const domain::TenantId& tenant, const AuditRow& row) = 0;
};

}  // namespace tideover::ports
