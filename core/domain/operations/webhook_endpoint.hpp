// A webhook endpoint, its secrets, and when its failures disable it (core/docs/contract.md#webhooks). Pure.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/basics/date.hpp"
#include "core/domain/basics/decryption_fault.hpp"
#include "core/domain/basics/id.hpp"
#include "core/domain/basics/sensitive.hpp"

namespace tideover::domain {

/// Why an endpoint is disabled: it failed for too long, it answered 410 again and again, a client asked for it.
enum class DisabledReason { failing, gone, requested };
std::string_view name_of(DisabledReason reason);
std::optional<DisabledReason> disabled_reason_named(std::string_view name);

/// A secret that was rotated and still signs until its overlap ends.
struct PreviousSecret {
  Sensitive<std::string> secret;
  Timestamp until;
};

/// What the attempts of an endpoint show since its last success.
struct EndpointHealth {
  std::optional<Timestamp> failing_since;  // the first failure of those without a long pause between them
  int gone_answers = 0;                    // answers 410 in a row
  std::optional<Timestamp> gone_since;     // the first of them
  std::optional<Timestamp> last_failure_at;

  bool operator==(const EndpointHealth&) const = default;
};

struct WebhookEndpoint {
  WebhookEndpointId id;
  std::string url;
  std::vector<std::string> events;  // empty = all
  std::string description;
  Sensitive<std::string> secret;
  std::vector<PreviousSecret> previous_secrets;  // newest first
  std::optional<DecryptionFault> secret_fault;   // the secrets cannot be read, and are empty here
  bool enabled = true;
  std::optional<DisabledReason> disabled_reason;
  std::optional<Timestamp> disabled_at;  // absent for an endpoint that an earlier version disabled
  EndpointHealth health;
  int revision = 0;  // changes with each write but those of `health`
  Timestamp created_at;
};

/// At most this many previous secrets sign; the oldest ends first.
inline constexpr std::size_t kMostPreviousSecrets = 3;

void drop_expired_secrets(WebhookEndpoint& endpoint, Timestamp now);

/// Replaces the secret. The earlier ones sign until their overlap ends. With no overlap all of them end at once, as the
/// answer to a leak. Secrets that cannot be read end at once, too.
void rotate_secret(WebhookEndpoint& endpoint, std::string secret, std::int64_t overlap_s, Timestamp now);

enum class AttemptResult { delivered, failed, gone };

/// `gone_spread_ms`: the least time between the first and the last of the answers 410, so that parallel deliveries
/// during one short fault of a proxy count as one. `longest_gap_ms`: after a longer time without an attempt, a failure
/// is the first one again, because nothing shows that the receiver failed in between.
struct DisablePolicy {
  std::int64_t failing_ms = std::int64_t{5} * 86'400'000;
  int gone_answers = 3;
  std::int64_t gone_spread_ms = 5'000;
  std::int64_t longest_gap_ms = std::int64_t{27} * 3'600'000;
};

EndpointHealth health_after(EndpointHealth health, AttemptResult result, Timestamp now, const DisablePolicy& policy);
std::optional<DisabledReason> reason_to_disable(const EndpointHealth& health, Timestamp now,
                                                const DisablePolicy& policy);

}  // namespace tideover::domain
