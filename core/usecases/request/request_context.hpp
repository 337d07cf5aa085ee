// A request as use cases see it (caller, time, idempotency key), and its trace. Response, audit row and effect are
// written by one transaction or not at all.
#pragma once
#include <cstdint>
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
  std::string scope;        // operation and key; unique within the tenant
  std::string fingerprint;  // SHA-256 of the canonical request
  int retention_days = 1;
};

struct RequestContext {
  domain::Caller caller;
  std::string request_id;
  std::string operation;  // "POST /v1/claims/reviews"
  domain::Timestamp now;  // of the tenant
  std::optional<IdempotencyClaim> idempotency;
  std::int64_t shift_ms = 0;  // `now` minus the real time; in the sandbox only

  domain::Timestamp real_now() const { return now.plus_ms(-shift_ms); }
};

/// The body of a successful response, rendered once: the stored bytes are the sent bytes.
struct StoredResponse {
  std::string body;
  bool replayed = false;
};

/// Renders a value as the caller wants it.
template <class T>
using Render = std::function<std::string(const T&)>;

/// Whether an object is as the client read it. Empty: any state will do.
template <class T>
using Expected = std::function<bool(const T&)>;

/// Writes only the audit row, for a step whose response is not final.
void leave_audit_row(ports::Records& records, const RequestContext& context, ports::IdSource& ids,
                     std::string_view object_id, std::string_view outcome);

/// Writes the audit row and, under a key, the response. `refusal` is a final refusal; nullptr for success.
void leave_trace(ports::Records& records, const RequestContext& context, ports::IdSource& ids,
                 std::string_view object_id, const std::string& body, const domain::Error* refusal = nullptr);

/// Replaces the body that leave_trace() stored, for a response that became complete after its first commit. Does
/// nothing without a key.
domain::Status replace_answer(ports::Store& store, const RequestContext& context, const std::string& body);

}  // namespace tideover::usecases
