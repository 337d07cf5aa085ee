// POST and GET /v1/webhooks/endpoints, GET and DELETE /v1/webhooks/endpoints/{endpoint_id}
#include "core/http/handlers/handlers.hpp"
#include "core/http/handlers/paging.hpp"
#include "core/http/handlers/reading.hpp"
#include "core/http/wire/basics/list_json.hpp"
#include "core/http/wire/operations/webhook_json.hpp"

namespace tideover::http {

void add_webhook_routes(RouteTable& routes, usecases::WebhookEndpoints& endpoints) {
  using domain::Scope;
  routes.add({"POST", "/v1/webhooks/endpoints", Scope::webhooks_manage, BodyKind::json,
              [&](Context& context) -> domain::Result<Reply> {
                const auto endpoint = read_body(context, wire::decode_webhook_endpoint);
                if (!endpoint) return endpoint.error();
                return reply(endpoints.create(context.request_context, *endpoint, wire::encode_new_webhook_endpoint));
              }});
  routes.add({"GET", "/v1/webhooks/endpoints", Scope::webhooks_manage, BodyKind::none,
              [&](Context& context) -> domain::Result<Reply> {
                const auto page = page_of(context);
                if (!page) return page.error();
                const auto found = endpoints.list(context.request_context.caller.tenant, page->after, page->limit + 1);
                if (!found) return found.error();
                return Reply{wire::encode_webhook_endpoints(*found, *page)};
              }},
             paged());
  routes.add({"GET", "/v1/webhooks/endpoints/{endpoint_id}", Scope::webhooks_manage, BodyKind::none,
              [&](Context& context) -> domain::Result<Reply> {
                const auto endpoint = endpoints.one(context.request_context.caller.tenant, context.path[0]);
                if (!endpoint) return endpoint.error();
                return Reply{wire::encode_webhook_endpoint(*endpoint)};
              }});
  routes.add({"DELETE", "/v1/webhooks/endpoints/{endpoint_id}", Scope::webhooks_manage, BodyKind::none,
              [&](Context& context) -> domain::Result<Reply> {
                return reply(endpoints.remove(context.request_context, context.path[0], wire::encode_removed));
              }});
}

}  // namespace tideover::http
