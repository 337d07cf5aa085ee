// GET /v1/audit
#include "core/http/handlers/handlers.hpp"
#include "core/http/handlers/paging.hpp"
#include "core/http/wire/operations/audit_json.hpp"

namespace tideover::http {
namespace {

using domain::Error;
using domain::ErrorCode;

domain::Result<usecases::AuditQuery> audit_query_of(const Context& context) {
  const auto page = page_of(context);
  if (!page) return page.error();
  auto after = wire::decode_audit_cursor(page->after);
  if (!after)
    return Error::of(ErrorCode::invalid_cursor, "The cursor is not valid. Use next_cursor of the previous page.");
  auto refusal = Error::of(ErrorCode::invalid_parameter, "A date is not valid. Use YYYY-MM-DD; see details.fields.");
  usecases::AuditQuery query{context.query_text("client_id"),
                             context.query_text("request_id"),
                             context.query_text("object_id"),
                             context.query_text("outcome"),
                             day_of(context, "from", refusal),
                             day_of(context, "to", refusal),
                             std::move(*after),
                             page->limit};
  if (!refusal.fields.empty()) return refusal;
  return query;
}

}  // namespace

void add_audit_route(RouteTable& routes, const usecases::ReadAudit& audit) {
  routes.add({"GET", "/v1/audit", domain::Scope::audit_read, BodyKind::none,
              [&](Context& context) -> domain::Result<Reply> {
                const auto query = audit_query_of(context);
                if (!query) return query.error();
                const auto page = audit(context.request_context.caller.tenant, *query);
                if (!page) return page.error();
                return Reply{wire::encode_audit_page(*page)};
              }},
             paged({"client_id", "request_id", "object_id", "outcome", "from", "to"}));
}

}  // namespace tideover::http
