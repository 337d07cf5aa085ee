#include "core/usecases/events/webhook_deliveries.hpp"

#include <algorithm>

#include "core/usecases/events/endpoint_errors.hpp"

namespace tideover::usecases {

using domain::Error;
using domain::ErrorCode;

namespace {

Error no_delivery() {
  return Error::of(ErrorCode::not_found, "Delivery not found. The event was not sent to this endpoint.");
}

/// The end of an attempt in progress is stored in real time.
void show_in_time_of_tenant(ports::Delivery& delivery, const RequestContext& context) {
  if (delivery.in_progress) delivery.next_try_at = delivery.next_try_at.plus_ms(context.shift_ms);
}

/// Refuses an endpoint that receives nothing.
domain::Result<domain::WebhookEndpoint> find_enabled(const ports::Records& records, const domain::TenantId& tenant,
                                                     const domain::WebhookEndpointId& id) {
  auto endpoint = records.webhooks().find(tenant, id);
  if (!endpoint) return no_endpoint();
  if (endpoint->enabled) return *std::move(endpoint);
  return Error::of(ErrorCode::invalid_state, "The endpoint is disabled. Enable it first.");
}

}  // namespace

domain::Result<StoredResponse> WebhookDeliveries::send_test(const RequestContext& context,
                                                            const std::string& endpoint_id,
                                                            const Render<TestEvent>& render) {
  const auto id = domain::WebhookEndpointId::parse(endpoint_id);
  if (!id) return no_endpoint();
  const TestEvent test{ids_.next<domain::EventId>(), *id};
  const std::string body = render(test);
  const auto done = store_.commit([&](ports::Records& records) -> domain::Status {
    const auto endpoint = find_enabled(records, context.caller.tenant, *id);
    if (!endpoint) return endpoint.error();
    records.events().append(context.caller.tenant, {test.event, context.now, domain::Ping{*id, endpoint->revision}});
    leave_trace(records, context, ids_, id->text(), body);
    return {};
  });
  if (!done) return done.error();
  return StoredResponse{body};
}

domain::Result<std::vector<ports::Delivery>> WebhookDeliveries::list(const RequestContext& context,
                                                                     const std::string& endpoint_id,
                                                                     ports::DeliveryQuery query) const {
  const auto& kinds = domain::event_kinds();
  if (!query.kind.empty() && std::find(kinds.begin(), kinds.end(), query.kind) == kinds.end()) {
    auto error = Error::of(ErrorCode::invalid_parameter, "type has an unknown kind of event.");
    error.fields.push_back({"type", "names an unknown kind"});
    error.lists.push_back({"allowed", {kinds.begin(), kinds.end()}});
    return error;
  }
  const auto id = domain::WebhookEndpointId::parse(endpoint_id);
  if (!id) return no_endpoint();
  query.endpoint = *id;
  return fetch(store_, no_endpoint(),
               [&](const ports::Records& records) -> std::optional<std::vector<ports::Delivery>> {
                 const auto& tenant = context.caller.tenant;
                 if (!records.webhooks().find(tenant, *id)) return std::nullopt;
                 auto found = records.events().deliveries(tenant, query);
                 for (auto& delivery : found) show_in_time_of_tenant(delivery, context);
                 return found;
               });
}

domain::Result<StoredResponse> WebhookDeliveries::retry(const RequestContext& context, const std::string& endpoint_id,
                                                        const std::string& event_id,
                                                        const Render<ports::Delivery>& render) {
  const auto id = domain::WebhookEndpointId::parse(endpoint_id);
  if (!id) return no_endpoint();
  const auto event = domain::EventId::parse(event_id);
  if (!event) return no_delivery();
  const auto& tenant = context.caller.tenant;
  std::string body;
  const auto done = store_.commit([&](ports::Records& records) -> domain::Status {
    if (auto endpoint = find_enabled(records, tenant, *id); !endpoint) return endpoint.error();
    if (!records.events().find_delivery(tenant, *event, *id)) return no_delivery();
    records.events().deliver_again(tenant, *event, *id, context.now);
    auto delivery = *records.events().find_delivery(tenant, *event, *id);
    show_in_time_of_tenant(delivery, context);
    body = render(delivery);
    leave_trace(records, context, ids_, id->text(), body);
    return {};
  });
  if (!done) return done.error();
  return StoredResponse{body};
}

}  // namespace tideover::usecases
