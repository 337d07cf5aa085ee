// GET /v1/payers/aliases, DELETE /v1/payers/aliases/{alias_id}
#include "core/http/handlers/handlers.hpp"
#include "core/http/handlers/paging.hpp"
#include "core/http/wire/basics/list_json.hpp"
#include "core/http/wire/reconciliation/payer_alias_json.hpp"

namespace tideover::http {

void add_payer_alias_routes(RouteTable& routes, usecases::PayerAliases& aliases) {
  routes.add({"GET", "/v1/payers/aliases", domain::Scope::reconciliation_read, BodyKind::none,
              [&](Context& context) -> domain::Result<Reply> {
                const auto page = page_of(context);
                if (!page) return page.error();
                const auto found = aliases.list(context.request_context.caller.tenant, page->after, page->limit + 1);
                if (!found) return found.error();
                return Reply{wire::encode_payer_aliases(*found, page->limit)};
              }},
             paged());
  routes.add({"DELETE", "/v1/payers/aliases/{alias_id}", domain::Scope::tasks_decide, BodyKind::none,
              [&](Context& context) -> domain::Result<Reply> {
                return reply(aliases.remove(context.request_context, context.path[0], wire::encode_removed));
              }});
}

}  // namespace tideover::http
