// POST /v1/imports/claims, GET /v1/imports/claims/{job_id}
#include "core/http/handlers/handlers.hpp"
#include "core/http/handlers/reading.hpp"
#include "core/http/wire/import_json.hpp"

namespace tideover::http {

void add_import_routes(RouteTable& routes, usecases::StartImport& imports) {
  Route route{"POST", "/v1/imports/claims", domain::Scope::imports_write, BodyKind::json, [&](Context& context) -> domain::Result<Reply> {
    const auto request = read_body(context, wire::decode_import);
    if (!request) return request.error();
    std::string location;
    auto answer = reply(imports(context.act, *request, [&](const domain::ImportJob& job) {
      location = "/v1/imports/claims/" + job.id.text();
      return wire::encode_import(job);
    }));
    if (answer) answer->headers.add("Location", location);
    return answer;
  }};
  route.answer_retention_days = 30;
  route.carries_file = true;
  routes.add(std::move(route));
  Route job{"GET", "/v1/imports/claims/{job_id}", domain::Scope::imports_read, BodyKind::none, [&](Context& context) -> domain::Result<Reply> {
    const auto found = imports.find(context.act.caller.tenant, context.path[0]);
    if (!found) return found.error();
    return Reply{wire::encode_import(*found)};
  }};
  job.shows_patients = true;  // its faults name claims
  routes.add(std::move(job));
}

}  // namespace tideover::http
