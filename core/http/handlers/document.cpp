// GET /v1/openapi.json, GET /v1/openapi.yaml
#include "core/http/document/openapi_document.hpp"
#include "core/http/handlers/handlers.hpp"

namespace tideover::http {
namespace {

Route document_route(std::string pattern, std::string type, std::string (*text)()) {
  Route route{"GET", std::move(pattern), std::nullopt, BodyKind::none,
              [type = std::move(type), text](Context&) -> domain::Result<Reply> {
                Reply document;
                document.body = text();
                document.content_type = type;
                return document;
              }};
  route.is_public = true;
  return route;
}

}  // namespace

void add_document_routes(RouteTable& routes) {
  routes.add(document_route("/v1/openapi.json", "application/json", [] { return openapi_json(); }));
  auto yaml = document_route("/v1/openapi.yaml", "application/yaml", [] { return std::string(openapi_yaml()); });
  yaml.offers_yaml = true;
  routes.add(std::move(yaml));
}

}  // namespace tideover::http
