// GET /v1/ledger/periods, POST /v1/ledger/periods/{period}/close, POST /v1/ledger/periods/{period}/reopen
#include "core/http/handlers/handlers.hpp"
#include "core/http/wire/ledger/period_json.hpp"

namespace tideover::http {

void add_ledger_period_routes(RouteTable& routes, usecases::ClosePeriod& periods) {
  routes.add({"GET", "/v1/ledger/periods", domain::Scope::reconciliation_read, BodyKind::none,
              [&](Context& context) -> domain::Result<Reply> {
                const auto closed = periods.list(context.request_context.caller.tenant);
                if (!closed) return closed.error();
                return Reply{wire::encode_periods(*closed)};
              }});
  routes.add(
      {"POST", "/v1/ledger/periods/{period}/close", domain::Scope::tasks_decide, BodyKind::none, [&](Context& context) {
         return reply(periods.close(context.request_context, context.path[0], wire::encode_period));
       }});
  routes.add({"POST", "/v1/ledger/periods/{period}/reopen", domain::Scope::tasks_decide, BodyKind::none,
              [&](Context& context) {
                return reply(periods.reopen(context.request_context, context.path[0], wire::encode_reopened));
              }});
}

}  // namespace tideover::http
