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

void rotate_secret(WebhookEndpoint& endpoint, std::string secret, std::int64_t overlap_s, Timestamp now) {
  auto& previous = endpoint.previous_secrets;
  if (overlap_s == 0) {
    previous.clear();
  } else {
    std::erase_if(previous, [&](const PreviousSecret& old) { return old.until <= now; });
    previous.insert(previous.begin(), {std::move(endpoint.secret), now.plus_ms(overlap_s * 1000)});
    if (previous.size() > kMostPreviousSecrets) previous.resize(kMostPreviousSecrets);
  }
  endpoint.secret = Sensitive<std::string>(std::move(secret));
}

EndpointHealth health_after(EndpointHealth health, AttemptResult result, Timestamp now) {
  if (result == AttemptResult::delivered) return {};
  if (!health.failing_since) health.failing_since = now;
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
