#include "core/usecases/events/webhook_endpoints.hpp"

#include <algorithm>

#include "core/usecases/events/endpoint_errors.hpp"

namespace tideover::usecases {

using domain::Error;
using domain::ErrorCode;

namespace {

/// For responses that are stored in plain text for replays.
domain::WebhookEndpoint without_secrets(domain::WebhookEndpoint endpoint) {
  endpoint.secret = {};
  for (auto& previous : endpoint.previous_secrets) previous.secret = {};
  return endpoint;
}

void set_enabled(ports::Records& records, const domain::TenantId& tenant, domain::WebhookEndpoint& endpoint,
                 bool enabled, domain::Timestamp now) {
  if (endpoint.enabled == enabled) return;
  endpoint.enabled = enabled;
  if (enabled) {
    endpoint.disabled_reason.reset();
    endpoint.disabled_at.reset();
    endpoint.health = {};
    records.webhooks().reset_health(tenant, endpoint.id);
  } else {
    endpoint.disabled_reason = domain::DisabledReason::requested;
    endpoint.disabled_at = now;
  }
}

}  // namespace

domain::Result<StoredResponse> WebhookEndpoints::create(const RequestContext& context, domain::WebhookEndpoint endpoint,
                                                        const Render<domain::WebhookEndpoint>& render) {
  if (auto fit = check(endpoint.url, endpoint.events); !fit) return fit.error();
  endpoint.id = ids_.next<domain::WebhookEndpointId>();
  endpoint.secret = domain::Sensitive(credentials_.new_webhook_secret());
  endpoint.created_at = context.now;
  const std::string kept = render(without_secrets(endpoint));
  const auto done = store_.commit([&](ports::Records& records) -> domain::Status {
    if (records.webhooks().count(context.caller.tenant) >= most_)
      return Error::of(ErrorCode::invalid_state, "The tenant has " + std::to_string(most_) +
                                                     " webhook endpoints, the most that it may have. Delete one.")
          .with("max_endpoints", std::to_string(most_));
    records.webhooks().insert(context.caller.tenant, endpoint);
    leave_trace(records, context, ids_, endpoint.id.text(), kept);
    return {};
  });
  if (!done) return done.error();
  return StoredResponse{render(endpoint)};
}

domain::Status WebhookEndpoints::check(const std::optional<std::string>& url,
                                       const std::vector<std::string>& events) const {
  std::optional<Error> refusal;
  if (url && url->empty()) {
    refusal = Error::of(ErrorCode::validation_error, "An endpoint needs a url.");
    refusal->fields.push_back({"url", "required"});
  } else if (url) {
    if (auto fit = check_url_(*url); !fit) refusal = fit.error();
  }
  const auto& kinds = domain::event_kinds();
  const bool known = std::all_of(events.begin(), events.end(), [&](const auto& event) {
    return std::find(kinds.begin(), kinds.end(), event) != kinds.end();
  });
  if (known) return refusal ? domain::Status(*refusal) : domain::Status();
  const std::string sentence = "events has an unknown kind.";
  if (refusal)
    refusal->message += (refusal->message.ends_with('.') ? " " : ". ") + sentence;
  else
    refusal = Error::of(ErrorCode::validation_error, sentence);
  refusal->lists.push_back({"allowed", {kinds.begin(), kinds.end()}});
  refusal->fields.push_back({"events", "names an unknown kind"});
  return *refusal;
}

domain::Result<std::vector<domain::WebhookEndpoint>> WebhookEndpoints::list(const domain::TenantId& tenant,
                                                                            const domain::ListPage& page,
                                                                            domain::Timestamp now) const {
  return fetch(store_, [&](const ports::Records& records) {
    auto found = records.webhooks().list(tenant, page);
    for (auto& endpoint : found) domain::drop_expired_secrets(endpoint, now);
    return found;
  });
}

domain::Result<domain::WebhookEndpoint> WebhookEndpoints::one(const domain::TenantId& tenant,
                                                              const std::string& endpoint_id,
                                                              domain::Timestamp now) const {
  const auto id = domain::WebhookEndpointId::parse(endpoint_id);
  if (!id) return no_endpoint();
  return fetch(store_, no_endpoint(), [&](const ports::Records& records) {
    auto found = records.webhooks().find(tenant, *id);
    if (found) domain::drop_expired_secrets(*found, now);
    return found;
  });
}

domain::Result<domain::WebhookEndpoint> WebhookEndpoints::change(const RequestContext& context,
                                                                 const std::string& endpoint_id, const Change& change,
                                                                 const Render<domain::WebhookEndpoint>& render) {
  const auto id = domain::WebhookEndpointId::parse(endpoint_id);
  if (!id) return no_endpoint();
  domain::WebhookEndpoint changed;
  const auto done = store_.commit([&](ports::Records& records) -> domain::Status {
    auto found = records.webhooks().find(context.caller.tenant, *id);
    if (!found) return no_endpoint();
    changed = *std::move(found);
    domain::drop_expired_secrets(changed, context.now);
    if (auto applied = change(records, changed); !applied) return applied;
    if (!records.webhooks().update(context.caller.tenant, changed))
      return Error::of(ErrorCode::conflict, "The endpoint changed at the same time. Send the request again.");
    leave_trace(records, context, ids_, id->text(), render(without_secrets(changed)));
    return {};
  });
  if (!done) return done.error();
  return changed;
}

domain::Result<StoredResponse> WebhookEndpoints::update(const RequestContext& context, const std::string& endpoint_id,
                                                        const EndpointChanges& changes,
                                                        const Render<domain::WebhookEndpoint>& render) {
  if (auto fit = check(changes); !fit) return fit.error();
  const auto changed = change(
      context, endpoint_id,
      [&](ports::Records& records, domain::WebhookEndpoint& endpoint) -> domain::Status {
        if (changes.expected && !changes.expected(endpoint))
          return Error::of(ErrorCode::version_conflict, "The endpoint changed after you read it. Read it again.");
        if (changes.url && *changes.url != endpoint.url) {
          endpoint.url = *changes.url;
          endpoint.health = {};  // failures of another receiver do not count
          records.webhooks().reset_health(context.caller.tenant, endpoint.id);
        }
        if (changes.events) endpoint.events = *changes.events;
        if (changes.description) endpoint.description = *changes.description;
        if (changes.enabled) set_enabled(records, context.caller.tenant, endpoint, *changes.enabled, context.now);
        return {};
      },
      render);
  if (!changed) return changed.error();
  return StoredResponse{render(without_secrets(*changed))};
}

domain::Result<StoredResponse> WebhookEndpoints::rotate_secret(const RequestContext& context,
                                                               const std::string& endpoint_id, std::int64_t overlap_s,
                                                               const Render<domain::WebhookEndpoint>& render) {
  if (overlap_s < 0 || overlap_s > kLongestOverlapS) {
    const std::string problem = "must be a whole number from 0 to " + std::to_string(kLongestOverlapS);
    auto refusal = Error::of(ErrorCode::validation_error, "overlap_seconds " + problem + '.');
    refusal.fields.push_back({"overlap_seconds", problem});
    return refusal;
  }
  const std::string secret = credentials_.new_webhook_secret();
  const auto changed = change(
      context, endpoint_id,
      [&](ports::Records&, domain::WebhookEndpoint& endpoint) -> domain::Status {
        domain::rotate_secret(endpoint, secret, overlap_s, context.now);
        return {};
      },
      render);
  if (!changed) return changed.error();
  return StoredResponse{render(*changed)};
}

domain::Result<StoredResponse> WebhookEndpoints::remove(const RequestContext& context, const std::string& endpoint_id,
                                                        const Render<domain::WebhookEndpointId>& render) {
  const auto id = domain::WebhookEndpointId::parse(endpoint_id);
  if (!id) return no_endpoint();
  const std::string body = render(*id);
  const auto done = store_.commit([&](ports::Records& records) -> domain::Status {
    if (!records.webhooks().remove(context.caller.tenant, *id)) return no_endpoint();
    leave_trace(records, context, ids_, id->text(), body);
    return {};
  });
  if (!done) return done.error();
  return StoredResponse{body};
}

}  // namespace tideover::usecases
