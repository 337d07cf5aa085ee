// GET and POST /v1/clients, GET and PATCH /v1/clients/{client_id}, rotation and revocation of secrets, GET /v1/roles
#include "core/http/entity_tags.hpp"
#include "core/http/handlers/handlers.hpp"
#include "core/http/handlers/paging.hpp"
#include "core/http/handlers/reading.hpp"
#include "core/http/wire/access/client_json.hpp"

namespace tideover::http {
namespace {

void add_reading_routes(RouteTable& routes, usecases::Clients& clients, const domain::Roles& roles) {
  using domain::Scope;
  routes.add({"GET", "/v1/roles", Scope::admin, BodyKind::none,
              [&](Context&) -> domain::Result<Reply> { return Reply{wire::encode_roles(roles)}; }});
  routes.add({"GET", "/v1/clients", Scope::admin, BodyKind::none,
              [&](Context& context) -> domain::Result<Reply> {
                const auto page = ordered_page_of(context);
                if (!page) return page.error();
                const auto found = clients.list(context.request_context.caller.tenant, page->rows());
                if (!found) return found.error();
                return Reply{wire::encode_clients(*found, *page)};
              }},
             ordered({"idempotency_key"}));
  routes.add(
      {"GET", "/v1/clients/{client_id}", Scope::admin, BodyKind::none, [&](Context& context) -> domain::Result<Reply> {
         const auto client = clients.one(context.request_context.caller.tenant, context.path[0]);
         if (!client) return client.error();
         return tagged_for_change(Reply{wire::encode_client(*client)});
       }});
}

}  // namespace

void add_client_routes(RouteTable& routes, usecases::Clients& clients, const domain::Roles& roles) {
  using domain::Scope;
  add_reading_routes(routes, clients, roles);
  const auto with_roles = [&roles](auto decode) {
    return [&roles, decode](const json::Value& body, wire::Faults& faults) { return decode(body, faults, roles); };
  };
  routes.add({"POST", "/v1/clients", Scope::admin, BodyKind::json,
              [&clients, with_roles](Context& context) -> domain::Result<Reply> {
                const auto wanted = read_body(context, with_roles(wire::decode_new_client));
                if (!wanted) return wanted.error();
                return reply(clients.create(context.request_context, *wanted, wire::encode_client));
              }});
  routes.add({"PATCH", "/v1/clients/{client_id}", Scope::admin, BodyKind::json,
              [&clients, with_roles](Context& context) -> domain::Result<Reply> {
                auto change = read_body(context, with_roles(wire::decode_client_change));
                if (!change) return change.error();
                auto expected =
                    expected_content<usecases::ClientWithSecrets>(context.request.headers, wire::encode_client);
                if (!expected) return expected.error();
                change->expected = std::move(*expected);
                auto answer =
                    reply(clients.update(context.request_context, context.path[0], *change, wire::encode_client));
                if (!answer) return answer;
                return tagged_for_change(std::move(*answer));
              }});
  routes.add({"POST", "/v1/clients/{client_id}/rotate-secret", Scope::admin, BodyKind::json,
              [&](Context& context) -> domain::Result<Reply> {
                const auto overlap_s = read_body(context, wire::decode_client_secret_rotation);
                if (!overlap_s) return overlap_s.error();
                return reply(clients.rotate(context.request_context, context.path[0], *overlap_s, wire::encode_client));
              }});
  routes.add({"POST", "/v1/clients/{client_id}/secrets/{secret_id}/revoke", Scope::admin, BodyKind::none,
              [&](Context& context) -> domain::Result<Reply> {
                return reply(
                    clients.revoke(context.request_context, context.path[0], context.path[1], wire::encode_client));
              }});
}

}  // namespace tideover::http
