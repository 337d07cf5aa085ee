#include "core/usecases/events/webhook_endpoints.hpp"

#include <algorithm>

namespace tideover::usecases {

using domain::Error;
using domain::ErrorCode;

namespace {
Error no_endpoint() {
  return Error::of(ErrorCode::not_found, "Webhook endpoint not found.");
}
}  // namespace

domain::Result<StoredResponse> WebhookEndpoints::create(const RequestContext& context, domain::WebhookEndpoint endpoint,
                                                        const Render<domain::WebhookEndpoint>& render) {
  if (auto refusal = faults_of(endpoint)) return *refusal;
  endpoint.id = ids_.next<domain::WebhookEndpointId>();
  endpoint.secret = domain::Sensitive(credentials_.new_webhook_secret());
  endpoint.created_at = context.now;
  // The response is stored in plain text for replays, so it is stored without the secret.
  domain::WebhookEndpoint without_secret = endpoint;
  without_secret.secret = {};
  const std::string kept = render(without_secret);
  const auto done = store_.commit([&](ports::Records& records) -> domain::Status {
    records.webhooks().insert(context.caller.tenant, endpoint);
    leave_trace(records, context, ids_, endpoint.id.text(), kept);
    return {};
  });
  if (!done) return done.error();
  return StoredResponse{render(endpoint)};
}

std::optional<Error> WebhookEndpoints::faults_of(const domain::WebhookEndpoint& endpoint) const {
  std::optional<Error> refusal;
  if (endpoint.url.empty()) {
    refusal = Error::of(ErrorCode::validation_error, "An endpoint needs a url.");
    refusal->fields.push_back({"url", "required"});
  } else if (auto fit = check_url_(endpoint.url); !fit) {
    refusal = fit.error();
  }
  const auto& kinds = domain::event_kinds();
  const bool known = std::all_of(endpoint.events.begin(), endpoint.events.end(), [&](const auto& event) {
    return std::find(kinds.begin(), kinds.end(), event) != kinds.end();
  });
  if (known) return refusal;
  const std::string sentence = "events has an unknown kind.";
  if (refusal)
    refusal->message += (refusal->message.ends_with('.') ? " " : ". ") + sentence;
  else
    refusal = Error::of(ErrorCode::validation_error, sentence);
  refusal->lists.push_back({"allowed", {kinds.begin(), kinds.end()}});
  refusal->fields.push_back({"events", "names an unknown kind"});
  return refusal;
}

domain::Result<std::vector<domain::WebhookEndpoint>> WebhookEndpoints::list(const domain::TenantId& tenant,
                                                                            std::string_view after,
                                                                            std::size_t limit) const {
  return fetch(store_, [&](const ports::Records& records) { return records.webhooks().list(tenant, after, limit); });
}

domain::Result<domain::WebhookEndpoint> WebhookEndpoints::one(const domain::TenantId& tenant,
                                                              const std::string& endpoint_id) const {
  const auto id = domain::WebhookEndpointId::parse(endpoint_id);
  if (!id) return no_endpoint();
  return fetch(store_, no_endpoint(),
               [&](const ports::Records& records) { return records.webhooks().find(tenant, *id); });
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
