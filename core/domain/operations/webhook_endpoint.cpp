#include "core/domain/operations/webhook_endpoint.hpp"

#include <utility>

namespace tideover::domain {

std::string_view name_of(DisabledReason reason) {
  switch (reason) {
    case DisabledReason::failing:
      return "failing";
    case DisabledReason::gone:
      return "gone";
    case DisabledReason::requested:
      return "requested";
  }
  return "requested";
}

std::optional<DisabledReason> disabled_reason_named(std::string_view name) {
  for (const auto reason : {DisabledReason::failing, DisabledReason::gone, DisabledReason::requested})
    if (name_of(reason) == name) return reason;
  return std::nullopt;
}

void drop_expired_secrets(WebhookEndpoint& endpoint, Timestamp now) {
  std::erase_if(endpoint.previous_secrets, [&](const PreviousSecret& old) { return old.until <= now; });
}

void rotate_secret(WebhookEndpoint& endpoint, std::string secret, std::int64_t overlap_s, Timestamp now) {
  auto& previous = endpoint.previous_secrets;
  if (overlap_s == 0 || endpoint.secret_fault) {
    previous.clear();
  } else {
    drop_expired_secrets(endpoint, now);
    previous.insert(previous.begin(), {std::move(endpoint.secret), now.plus_ms(overlap_s * 1000)});
    if (previous.size() > kMostPreviousSecrets) previous.resize(kMostPreviousSecrets);
  }
  endpoint.secret = Sensitive<std::string>(std::move(secret));
  endpoint.secret_fault.reset();
}

EndpointHealth health_after(EndpointHealth health, AttemptResult result, Timestamp now, const DisablePolicy& policy) {
  if (result == AttemptResult::delivered) return {};
  // An earlier version stored only the first failure.
  const auto last = health.last_failure_at ? health.last_failure_at : health.failing_since;
  if (!last || now.ms() - last->ms() > policy.longest_gap_ms) health.failing_since = now;
  health.last_failure_at = now;
  if (result == AttemptResult::gone) {
    if (++health.gone_answers == 1) health.gone_since = now;
  } else {
    health.gone_answers = 0;
    health.gone_since.reset();
  }
  return health;
}

std::optional<DisabledReason> reason_to_disable(const EndpointHealth& health, Timestamp now,
                                                const DisablePolicy& policy) {
  if (health.gone_since && health.gone_answers >= policy.gone_answers &&
      now.ms() - health.gone_since->ms() >= policy.gone_spread_ms)
    return DisabledReason::gone;
  if (health.failing_since && now.ms() - health.failing_since->ms() >= policy.failing_ms)
    return DisabledReason::failing;
  return std::nullopt;
}

}  // namespace tideover::domain
