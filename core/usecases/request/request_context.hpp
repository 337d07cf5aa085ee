// One request as a use case sees it - who asks, when, under which idempotency key - and what it leaves behind. The
// answer, the audit row and the effect are written by one transaction or not at all.
#pragma once
#include <functional>
#include <optional>
#include <string>

#include "core/domain/basics/result.hpp"
#include "core/domain/basics/tenant.hpp"
#include "core/ports/id_source.hpp"
#include "core/ports/store.hpp"

namespace tideover::usecases {

struct IdempotencyClaim {
  std::string key;          // as sent
  std::string scope;        // operation and key: what must be unique within the tenant
  std::string fingerprint;  // SHA-256 of the canonical request
  int retention_days = 1;
};

struct RequestContext {
  domain::Caller caller;
  std::string request_id;
  std::string operation;  // "POST /v1/claims/reviews"
  domain::Timestamp now;
  std::optional<IdempotencyClaim> idempotency;
};

/// The body of a successful answer, rendered once: the bytes that are sent are the bytes that are kept.
struct StoredResponse {
  std::string body;
  bool replayed = false;
};

/// How the caller wants a value written down.
template <class T>
using Render = std::function<std::string(const T&)>;

/// The audit row alone: of a step whose answer is not final.
void leave_audit_row(ports::Records& records, const RequestContext& context, ports::IdSource& ids,
                     std::string_view object_id, std::string_view outcome);

/// Audit row and, under a key, the answer. `refusal` names a final refusal; nullptr for success.
void leave_trace(ports::Records& records, const RequestContext& context, ports::IdSource& ids,
                 std::string_view object_id, const std::string& body, const domain::Error* refusal = nullptr);

}  // namespace tideover::usecases
