#include "core/http/cors.hpp"

#include <algorithm>

namespace tideover::http {
namespace {

/// Request headers with a meaning for this API, except those that need no permission.
constexpr std::string_view kRequestHeaders =
    "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Prefer, X-Request-Id, traceparent";
/// Response headers of this API, except those that a page may read without permission.
constexpr std::string_view kResponseHeaders =
    "Allow, Api-Version, ETag, Idempotent-Replayed, Link, Location, RateLimit, RateLimit-Policy, Retry-After, "
    "Rules-Version, WWW-Authenticate, X-Environment, X-Ignored-Fields, X-Request-Id, traceparent";
/// How long a browser may keep a permission; a change of the configuration takes effect after that time.
constexpr std::string_view kPermissionSeconds = "600";

}  // namespace

const std::string* Cors::origin_of(const Request& request) const {
  const auto* origin = request.headers.find("Origin");
  return origin && std::find(origins_.begin(), origins_.end(), *origin) != origins_.end() ? origin : nullptr;
}

void Cors::share(const Request& request, Headers& headers) const {
  if (origins_.empty()) return;
  headers.add("Vary", "Origin");
  const auto* origin = origin_of(request);
  if (!origin) return;
  headers.add("Access-Control-Allow-Origin", *origin);
  headers.add("Access-Control-Expose-Headers", std::string(kResponseHeaders));
}

void Cors::permit(const Request& request, std::string_view methods, Headers& headers) const {
  if (!origin_of(request) || !request.headers.find("Access-Control-Request-Method")) return;
  headers.add("Access-Control-Allow-Methods", std::string(methods));
  headers.add("Access-Control-Allow-Headers", std::string(kRequestHeaders));
  headers.add("Access-Control-Max-Age", std::string(kPermissionSeconds));
}

}  // namespace tideover::http
