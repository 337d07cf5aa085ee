// GET /v1/ledger/balances, GET /v1/ledger/entries
#include "core/http/handlers/handlers.hpp"
#include "core/http/handlers/paging.hpp"
#include "core/http/wire/ledger_json.hpp"

namespace tideover::http {

void add_ledger_routes(RouteTable& routes, const usecases::ReadLedger& ledger) {
  routes.add({"GET", "/v1/ledger/balances", domain::Scope::reconciliation_read, BodyKind::none, [&](Context& context) -> domain::Result<Reply> {
                const auto page = page_of(context);
                if (!page) return page.error();
                const auto balances = ledger.balances(context.act.caller.tenant, page->after, page->limit + 1);
                if (!balances) return balances.error();
                return Reply{wire::encode_balances(*balances, page->limit)};
              }});
  routes.add({"GET", "/v1/ledger/entries", domain::Scope::reconciliation_read, BodyKind::none, [&](Context& context) -> domain::Result<Reply> {
                const auto page = page_of(context);
                if (!page) return page.error();
                const auto entries = ledger.entries(context.act.caller.tenant, {context.query_text("settlement_id"), context.query_text("account"),
                                                                                page->after, page->limit + 1});
                if (!entries) return entries.error();
                return Reply{wire::encode_entries(*entries, page->limit)};
              }});
}

}  // namespace tideover::http
