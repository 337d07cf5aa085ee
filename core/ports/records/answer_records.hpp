// Stored responses under idempotency keys.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/domain/basics/date.hpp"
#include "core/domain/basics/id.hpp"

namespace tideover::ports {

struct StoredAnswer {
  std::string fingerprint;  // SHA-256 of the canonical request, hex
  std::string outcome;      // "ok" or the name of the final refusal
  std::string body;         // byte for byte as sent
  domain::Timestamp expires_at;
  std::string object_id{};  // what the request made or changed
};

class AnswerRecords {
 public:
  virtual ~AnswerRecords() = default;
  /// `scope` is operation and key, unique per tenant: a second insert is a unique violation.
  virtual void insert(const domain::TenantId& tenant, std::string_view scope, const StoredAnswer& answer,
                      domain::Timestamp now) = 0;
  /// Replaces the body of a stored answer, where it is still stored.
  virtual void replace(const domain::TenantId& tenant, std::string_view scope, std::string_view body) = 0;
  virtual std::optional<StoredAnswer> find(const domain::TenantId& tenant, std::string_view scope) const = 0;
  /// The approximate number of responses; cheap.
  virtual std::int64_t count() const = 0;
  /// Removes at most `limit` expired responses and returns how many.
  virtual int prune(domain::Timestamp now, std::size_t limit) = 0;
};

}  // namespace tideover::ports
