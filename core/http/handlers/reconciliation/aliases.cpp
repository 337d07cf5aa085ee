// GET /v1/payers/aliases, DELETE /v1/payers/aliases/{alias_id}, GET /v1/payee_aliases, DELETE
// /v1/payee_aliases/{alias_id}
#include "core/http/handlers/handlers.hpp"
#include "core/http/handlers/paging.hpp"
#include "core/http/wire/basics/list_json.hpp"
#include "core/http/wire/reconciliation/alias_json.hpp"

namespace tideover::http {
namespace {

template <class Alias>
void add_routes(RouteTable& routes, const std::string& path, usecases::LearnedAliases<Alias>& aliases) {
  routes.add({"GET", path, domain::Scope::reconciliation_read, BodyKind::none,
              [&](Context& context) -> domain::Result<Reply> {
                const auto page = ordered_page_of(context);
                if (!page) return page.error();
                const auto found = aliases.list(context.request_context.caller.tenant, page->rows());
                if (!found) return found.error();
                return Reply{wire::encode_aliases(*found, *page)};
              }},
             ordered());
  routes.add({"DELETE", path + "/{alias_id}", domain::Scope::tasks_decide, BodyKind::none,
              [&](Context& context) -> domain::Result<Reply> {
                return reply(aliases.remove(context.request_context, context.path[0], wire::encode_removed));
              }});
}

}  // namespace

void add_alias_routes(RouteTable& routes, usecases::PayerAliases& of_payers, usecases::PayeeAliases& of_payees) {
  add_routes(routes, "/v1/payers/aliases", of_payers);
  add_routes(routes, "/v1/payee_aliases", of_payees);
}

}  // namespace tideover::http
