// POST /v1/oauth/token: JSON, a form or HTTP Basic, as standard OAuth libraries send them.
#include <chrono>

#include "core/crypto/primitives/encoding.hpp"
#include "core/http/handlers/handlers.hpp"
#include "core/http/media_type.hpp"
#include "core/http/wire/access/token_json.hpp"
#include "core/http/wire/basics/error_json.hpp"
#include "core/http/wire/basics/object_reader.hpp"

namespace tideover::http {
namespace {

using domain::Error;
using domain::ErrorCode;

Error invalid_request(std::string message, std::vector<domain::FieldFault> fields) {
  auto error = Error::of(ErrorCode::invalid_request, std::move(message));
  error.fields = std::move(fields);
  return error;
}

domain::Result<usecases::TokenRequest> from_json(const std::string& body) {
  json::Document document;
  if (const auto parsed = json::parse(body, document); !parsed)
    return wire::malformed(ErrorCode::invalid_request, *parsed.error);
  if (document.root().kind() != json::Kind::object) return wire::not_an_object(ErrorCode::invalid_request);
  wire::Faults faults;
  auto request = wire::decode_token_request(document.root(), faults);
  if (auto error = faults.error()) {
    error->code = ErrorCode::invalid_request;
    return *error;
  }
  return request;
}

domain::Result<usecases::TokenRequest> from_form(const std::string& body) {
  usecases::TokenRequest request;
  std::string_view left = body;
  while (!left.empty()) {
    const auto end = left.find('&');
    const auto word = left.substr(0, end);
    left = end == std::string_view::npos ? std::string_view{} : left.substr(end + 1);
    const auto equals = word.find('=');
    if (equals == std::string_view::npos) continue;
    const auto name = percent_decode(word.substr(0, equals), true);
    const auto value = percent_decode(word.substr(equals + 1), true);
    if (!name || !value)
      return invalid_request(
          "The form is not valid percent-encoded UTF-8.",
          {{wire::presentable(name.value_or("body")), "must be percent-encoded UTF-8 text without NUL bytes"}});
    std::string* target = *name == "client_id"       ? &request.client_id
                          : *name == "client_secret" ? &request.client_secret
                          : *name == "grant_type"    ? &request.grant_type
                          : *name == "scope"         ? &request.scope
                                                     : nullptr;
    if (!target) continue;
    if (!target->empty())
      return invalid_request("The form has the field " + *name + " twice. Send it once.",
                             {{*name, "is sent more than once"}});
    *target = *value;
  }
  return request;
}

/// RFC 6749 section 2.3.1: both parts are form-encoded before they are joined. A client must use one method only.
domain::Status add_basic(const std::string& header, usecases::TokenRequest& request) {
  const Error malformed = Error::of(ErrorCode::invalid_client,
                                    "The Authorization header is not valid. Use Basic with client id and secret.");
  const auto blank = header.find(' ');
  if (blank == std::string::npos || !equal_ignoring_case(std::string_view(header).substr(0, blank), "Basic"))
    return malformed;
  const auto bytes = crypto::base64_decode(std::string_view(header).substr(blank + 1));
  if (!bytes) return malformed;
  const std::string pair(bytes->begin(), bytes->end());
  const auto colon = pair.find(':');
  if (colon == std::string::npos) return malformed;
  const auto id = percent_decode(std::string_view(pair).substr(0, colon), true);
  const auto secret = percent_decode(std::string_view(pair).substr(colon + 1), true);
  if (!id || !secret) return malformed;
  if (!request.client_secret.empty() || (!request.client_id.empty() && request.client_id != *id))
    return invalid_request(
        "The client authenticates twice. Send the credentials in the header or in the body, not in both.",
        {{"Authorization", "must be absent when the body has other credentials"},
         {request.client_secret.empty() ? "client_id" : "client_secret", "must be absent with HTTP Basic"}});
  request.client_id = *id;
  request.client_secret = *secret;
  return {};
}

/// The request in any of its forms.
domain::Result<usecases::TokenRequest> token_request(const Context& context) {
  const auto* type = context.request.headers.find("Content-Type");
  const auto* authorization = context.request.headers.find("Authorization");
  const bool bare = context.request.body.empty() && authorization;
  if (!bare && !is_json(type) && !is_form(type))
    return Error::of(ErrorCode::unsupported_media_type,
                     "Content-Type is not supported. Send application/json or application/x-www-form-urlencoded.");
  auto request = is_json(type) ? from_json(context.request.body) : from_form(context.request.body);
  if (!request) return request.error();
  if (authorization)
    if (auto added = add_basic(*authorization, *request); !added) return added.error();
  return request;
}

}  // namespace

void add_token_route(RouteTable& routes, const usecases::IssueToken& issue_token, RateLimiter* limiter) {
  Route route{"POST", "/v1/oauth/token", std::nullopt, BodyKind::raw,
              [&issue_token, limiter](Context& context) -> domain::Result<Reply> {
                if (limiter) context.rates.policy = limiter->policy(RateClass::token);
                const auto request = token_request(context);
                if (!request) return request.error();
                const auto take_token = [&](const domain::ClientId& client) -> domain::Status {
                  return limiter ? limiter->take_token(client, std::chrono::steady_clock::now(), context.rates)
                                 : domain::Status();
                };
                const auto token = issue_token(context.request_context, *request, take_token);
                if (!token) return token.error();
                Reply answer;
                answer.body = wire::encode_token(*token);
                answer.headers.add("Cache-Control", "no-store");
                answer.headers.add("Pragma", "no-cache");
                return answer;
              }};
  route.is_public = true;
  route.issues_token = true;
  routes.add(std::move(route));
}

}  // namespace tideover::http
