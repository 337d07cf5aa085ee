#include "core/usecases/webhook_endpoints.hpp"

#include <algorithm>

namespace tideover::usecases {

using domain::Error;
using domain::ErrorCode;

domain::Result<Answer> WebhookEndpoints::create(const Act& act, domain::WebhookEndpoint endpoint,
                                                const Render<domain::WebhookEndpoint>& render) {
  if (auto fit = check_url_(endpoint.url); !fit) return fit.error();
  const auto& kinds = domain::event_kinds();
  for (const auto& event : endpoint.events)
    if (std::find(kinds.begin(), kinds.end(), event) == kinds.end()) {
      Error error = Error::of(ErrorCode::validation_error, "events names a kind that does not exist.")
                        .with_list("allowed", {kinds.begin(), kinds.end()});
      error.fields.push_back({"events", "names an unknown kind"});
      return error;
    }
  endpoint.id = ids_.next<domain::WebhookEndpointId>();
  endpoint.secret = domain::Sensitive(credentials_.new_webhook_secret());
  endpoint.created_at = act.now;
  // The answer is kept in plain for replays: it is kept without the secret.
  domain::WebhookEndpoint without_secret = endpoint;
  without_secret.secret = {};
  const std::string kept = render(without_secret);
  const auto done = store_.commit([&](ports::Records& records) -> domain::Status {
    records.webhooks().insert(act.caller.tenant, endpoint);
    leave_trace(records, act, ids_, endpoint.id.text(), kept);
    return {};
  });
  if (!done) return done.error();
  return Answer{render(endpoint)};
}

domain::Result<std::vector<domain::WebhookEndpoint>> WebhookEndpoints::list(const domain::TenantId& tenant, std::string_view after,
                                                                           std::size_t limit) const {
  std::vector<domain::WebhookEndpoint> endpoints;
  const auto read = store_.read([&](const ports::Records& records) { endpoints = records.webhooks().list(tenant, after, limit); });
  if (!read) return read.error();
  return endpoints;
}

domain::Result<Answer> WebhookEndpoints::remove(const Act& act, const std::string& endpoint_id,
                                                const Render<domain::WebhookEndpointId>& render) {
  const Error missing = Error::of(ErrorCode::not_found, "There is no such webhook endpoint.");
  const auto id = domain::WebhookEndpointId::parse(endpoint_id);
  if (!id) return missing;
  const std::string body = render(*id);
  const auto done = store_.commit([&](ports::Records& records) -> domain::Status {
    if (!records.webhooks().remove(act.caller.tenant, *id)) return missing;
    leave_trace(records, act, ids_, id->text(), body);
    return {};
  });
  if (!done) return done.error();
  return Answer{body};
}

}  // namespace tideover::usecases
