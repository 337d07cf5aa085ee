// GET /v1/audit
#include "core/http/handlers/handlers.hpp"
#include "core/http/handlers/paging.hpp"
#include "core/http/wire/operations/audit_json.hpp"

namespace tideover::http {
namespace {

using domain::Error;
using domain::ErrorCode;

domain::Result<usecases::AuditQuery> audit_query_of(const Context& context, const Page& page) {
  auto after = wire::audit_place_of(page.after);
  if (!after) return invalid_cursor();
  auto refusal = Error::of(ErrorCode::invalid_parameter, "A date is not valid. Use YYYY-MM-DD; see details.fields.");
  usecases::AuditQuery query{context.query_text("client_id"),
                             context.query_text("request_id"),
                             context.query_text("object_id"),
                             context.query_text("outcome"),
                             day_of(context, "from", refusal),
                             day_of(context, "to", refusal),
                             std::move(*after),
                             page.limit};
  if (!refusal.fields.empty()) return refusal;
  return query;
}

}  // namespace

void add_audit_route(RouteTable& routes, const usecases::ReadAudit& audit) {
  routes.add({"GET", "/v1/audit", domain::Scope::audit_read, BodyKind::none,
              [&](Context& context) -> domain::Result<Reply> {
                const auto page = page_of(context);
                if (!page) return page.error();
                const auto query = audit_query_of(context, *page);
                if (!query) return query.error();
                const auto found = audit(context.request_context.caller.tenant, *query);
                if (!found) return found.error();
                return Reply{wire::encode_audit_page(*found, *page)};
              }},
             paged({"client_id", any_text("request_id"), any_text("object_id"), "outcome", "from", "to"}));
}

}  // namespace tideover::http
