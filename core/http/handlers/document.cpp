// GET /v1/openapi.json, GET /v1/openapi.yaml, GET /docs/errors, GET /v1/changelog
#include "core/http/document/changelog.hpp"
#include "core/http/document/error_page.hpp"
#include "core/http/document/openapi_document.hpp"
#include "core/http/error_map.hpp"
#include "core/http/handlers/handlers.hpp"
#include "core/http/wire/operations/changelog_json.hpp"

namespace tideover::http {
namespace {

const std::string& error_page() {
  static const std::string page = error_page_of(openapi_description(), [](std::string_view name) {
    const auto code = domain::error_code_named(name);
    return code && is_retryable(*code);
  });
  return page;
}

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
  auto errors = document_route("/docs/errors", "text/html; charset=utf-8", [] { return error_page(); });
  errors.offers_html = true;
  routes.add(std::move(errors));
  routes.add({"GET", "/v1/changelog", std::nullopt, BodyKind::none,
              [body = wire::encode_changelog(changelog_sections(changelog(), changelog_fragments()))](
                  Context&) -> domain::Result<Reply> { return Reply{body}; }});
}

}  // namespace tideover::http
