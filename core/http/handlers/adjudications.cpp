// POST /v1/claims/adjudications
#include "core/http/handlers/handlers.hpp"
#include "core/http/handlers/reading.hpp"
#include "core/http/wire/adjudication_json.hpp"

namespace tideover::http {

void add_adjudication_routes(RouteTable& routes, usecases::CreateAdjudication& create_adjudication) {
  Route route{"POST", "/v1/claims/adjudications", domain::Scope::adjudications_write, BodyKind::json, [&](Context& context) -> domain::Result<Reply> {
    const auto request = read_body(context, wire::decode_adjudication);
    if (!request) return request.error();
    return reply(create_adjudication(context.act, *request, wire::encode_adjudication));
  }};
  route.answer_retention_days = 30;
  routes.add(std::move(route));
}

}  // namespace tideover::http
