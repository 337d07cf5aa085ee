// GET /v1/openapi.json, GET /v1/openapi.yaml, GET /v1/changelog
// GET /docs, GET /docs/redoc.js, GET /docs/guides, GET /docs/guides/{guide}, GET /docs/errors
#include "core/http/document/changelog.hpp"
#include "core/http/document/error_page.hpp"
#include "core/http/document/openapi_document.hpp"
#include "core/http/document/reference.hpp"
#include "core/http/error_map.hpp"
#include "core/http/gzip.hpp"
#include "core/http/handlers/handlers.hpp"
#include "core/http/media_type.hpp"
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

Route public_route(std::string pattern, std::string type, RouteHandler handler) {
  Route route{"GET", std::move(pattern), std::nullopt, BodyKind::none, std::move(handler)};
  route.is_public = true;
  route.only_type = std::move(type);
  return route;
}

Reply document_reply(std::string body, std::string type) {
  Reply reply;
  reply.body = std::move(body);
  reply.content_type = std::move(type);
  return reply;
}

/// Headers of an HTML page: it loads only what `policy` allows, and tells no other origin where its reader was.
void protect(Reply& page, std::string_view policy) {
  page.headers.add("Content-Security-Policy", std::string(policy));
  page.headers.add("Referrer-Policy", "no-referrer");
}

/// The file with the coding that the client accepts, or 304 if the client has it.
Reply file_reply(const ReferenceFile& file, const Context& context) {
  const auto& headers = context.request.headers;
  const bool is_packed = accepts_gzip(headers.find("Accept-Encoding"));
  const auto tag = '"' + std::string(file.digest) + (is_packed ? "-gzip\"" : "\"");
  const bool is_versioned = context.query_text("v") == file.digest;
  Reply reply;
  reply.headers.add("ETag", tag);
  reply.headers.add("Vary", "Accept-Encoding");
  reply.headers.add("Cache-Control", is_versioned ? "public, max-age=31536000, immutable" : "no-cache");
  reply.headers.add("X-Content-Type-Options", "nosniff");
  if (!file.policy.empty()) protect(reply, file.policy);
  if (const auto* known = headers.find("If-None-Match"); known && known->find(tag) != std::string::npos) {
    reply.status = 304;
    reply.content_type = "";
    return reply;
  }
  if (is_packed) reply.headers.add("Content-Encoding", "gzip");
  reply.body = is_packed ? std::string(file.packed) : gunzip(file.packed);
  reply.content_type = file.type;
  return reply;
}

RouteHandler file_of_reference(std::function<std::string(const Context&)> path) {
  return [path = std::move(path)](Context& context) -> domain::Result<Reply> {
    if (const auto* file = reference_file(path(context))) return file_reply(*file, context);
    if (reference_files().empty())
      return domain::Error::of(domain::ErrorCode::not_found,
                               "This service was built without the API reference and the guides. "
                               "GET /v1/openapi.json has the whole contract.");
    return domain::Error::of(domain::ErrorCode::not_found, "Guide not found. GET /docs/guides lists the guides.");
  };
}

void add_reference_routes(RouteTable& routes) {
  const auto add = [&](const std::string& path, const std::string& type) {
    routes.add(public_route(path, type, file_of_reference([path](const Context&) { return path; })));
  };
  add("/docs", "text/html");
  add("/docs/redoc.js", "text/javascript");
  add("/docs/guides", "text/html");
  routes.add(public_route("/docs/guides/{guide}", "text/html",
                          file_of_reference([](const Context& context) { return "/docs/guides/" + context.path[0]; })));
}

}  // namespace

void add_document_routes(RouteTable& routes) {
  routes.add(public_route("/v1/openapi.json", "", [](Context&) { return Reply{openapi_json()}; }));
  routes.add(public_route("/v1/openapi.yaml", "application/yaml",
                          [](Context&) { return document_reply(std::string(openapi_yaml()), "application/yaml"); }));
  routes.add(public_route("/docs/errors", "text/html", [](Context&) {
    auto page = document_reply(error_page(), "text/html; charset=utf-8");
    protect(page, "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'");
    return page;
  }));
  add_reference_routes(routes);
  routes.add({"GET", "/v1/changelog", std::nullopt, BodyKind::none,
              [body = wire::encode_changelog(changelog_sections(changelog(), changelog_fragments()))](
                  Context&) -> domain::Result<Reply> { return Reply{body}; }});
}

}  // namespace tideover::http
