// POST and GET /v1/webhooks/endpoints; GET, PATCH and DELETE /v1/webhooks/endpoints/{endpoint_id}; POST
// .../rotate-secret and .../test; GET .../deliveries, POST .../deliveries/{event_id}/retry
#include "core/http/entity_tags.hpp"
#include "core/http/handlers/handlers.hpp"
#include "core/http/handlers/paging.hpp"
#include "core/http/handlers/reading.hpp"
#include "core/http/wire/basics/list_json.hpp"
#include "core/http/wire/operations/webhook_json.hpp"

namespace tideover::http {
namespace {

using domain::Error;
using domain::ErrorCode;
using domain::Scope;

domain::Result<ports::DeliveryQuery> delivery_query_of(const Context& context, const OrderedPage& page) {
  ports::DeliveryQuery query;
  query.kind = context.query_text("type");
  query.after = page.after;
  query.limit = page.limit + 1;
  query.order = page.order;
  const auto status = context.query_text("status");
  if (status.empty()) return query;
  query.state = wire::delivery_status_named(status);
  if (query.state) return query;
  auto refusal = Error::of(ErrorCode::invalid_parameter, "status must be pending, delivered or failed.");
  refusal.fields.push_back({"status", "must be pending, delivered or failed"});
  return refusal;
}

void add_delivery_routes(RouteTable& routes, usecases::WebhookDeliveries& deliveries) {
  routes.add({"POST", "/v1/webhooks/endpoints/{endpoint_id}/test", Scope::webhooks_manage, BodyKind::none,
              [&](Context& context) -> domain::Result<Reply> {
                return reply(deliveries.send_test(context.request_context, context.path[0], wire::encode_test_event));
              }});
  routes.add({"GET", "/v1/webhooks/endpoints/{endpoint_id}/deliveries", Scope::webhooks_manage, BodyKind::none,
              [&](Context& context) -> domain::Result<Reply> {
                const auto page = ordered_page_of(context);
                if (!page) return page.error();
                auto query = delivery_query_of(context, *page);
                if (!query) return query.error();
                const auto found = deliveries.list(context.request_context, context.path[0], *std::move(query));
                if (!found) return found.error();
                return Reply{wire::encode_deliveries(*found, *page)};
              }},
             paged({"status", "type", "order"}));
  routes.add({"POST", "/v1/webhooks/endpoints/{endpoint_id}/deliveries/{event_id}/retry", Scope::webhooks_manage,
              BodyKind::none, [&](Context& context) -> domain::Result<Reply> {
                return reply(
                    deliveries.retry(context.request_context, context.path[0], context.path[1], wire::encode_delivery));
              }});
}

}  // namespace

void add_webhook_routes(RouteTable& routes, usecases::WebhookEndpoints& endpoints,
                        usecases::WebhookDeliveries& deliveries) {
  routes.add({"POST", "/v1/webhooks/endpoints", Scope::webhooks_manage, BodyKind::json,
              [&](Context& context) -> domain::Result<Reply> {
                const auto check = [&](const domain::WebhookEndpoint& endpoint) {
                  return endpoints.check(endpoint.url, endpoint.events);
                };
                const auto endpoint = read_body(context, wire::decode_webhook_endpoint, check);
                if (!endpoint) return endpoint.error();
                return reply(endpoints.create(context.request_context, *endpoint, wire::encode_new_webhook_endpoint));
              }});
  routes.add({"GET", "/v1/webhooks/endpoints", Scope::webhooks_manage, BodyKind::none,
              [&](Context& context) -> domain::Result<Reply> {
                const auto page = ordered_page_of(context);
                if (!page) return page.error();
                const auto& request = context.request_context;
                const auto found = endpoints.list(request.caller.tenant, page->rows(), request.now);
                if (!found) return found.error();
                return Reply{wire::encode_webhook_endpoints(*found, *page)};
              }},
             ordered({"idempotency_key"}));
  routes.add({"GET", "/v1/webhooks/endpoints/{endpoint_id}", Scope::webhooks_manage, BodyKind::none,
              [&](Context& context) -> domain::Result<Reply> {
                const auto& request = context.request_context;
                const auto endpoint = endpoints.one(request.caller.tenant, context.path[0], request.now);
                if (!endpoint) return endpoint.error();
                return tagged_for_change(Reply{wire::encode_webhook_endpoint(*endpoint)});
              }});
  routes.add({"PATCH", "/v1/webhooks/endpoints/{endpoint_id}", Scope::webhooks_manage, BodyKind::json,
              [&](Context& context) -> domain::Result<Reply> {
                auto changes = read_body(context, wire::decode_endpoint_changes,
                                         [&](const usecases::EndpointChanges& sent) { return endpoints.check(sent); });
                if (!changes) return changes.error();
                auto expected =
                    expected_content<domain::WebhookEndpoint>(context.request.headers, wire::encode_webhook_endpoint);
                if (!expected) return expected.error();
                changes->expected = std::move(*expected);
                auto answer = reply(endpoints.update(context.request_context, context.path[0], *changes,
                                                     wire::encode_webhook_endpoint));
                if (!answer) return answer;
                return tagged_for_change(std::move(*answer));
              }});
  routes.add({"POST", "/v1/webhooks/endpoints/{endpoint_id}/rotate-secret", Scope::webhooks_manage, BodyKind::json,
              [&](Context& context) -> domain::Result<Reply> {
                const auto overlap_s = read_body(context, wire::decode_secret_rotation);
                if (!overlap_s) return overlap_s.error();
                return reply(endpoints.rotate_secret(context.request_context, context.path[0], *overlap_s,
                                                     wire::encode_new_webhook_endpoint));
              }});
  routes.add({"DELETE", "/v1/webhooks/endpoints/{endpoint_id}", Scope::webhooks_manage, BodyKind::none,
              [&](Context& context) -> domain::Result<Reply> {
                return reply(endpoints.remove(context.request_context, context.path[0], wire::encode_removed));
              }});
  add_delivery_routes(routes, deliveries);
}

}  // namespace tideover::http
