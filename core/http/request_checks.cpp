#include "core/http/request_checks.hpp"

#include <algorithm>
#include <array>

#include "core/domain/basics/text.hpp"
#include "core/http/media_type.hpp"

namespace tideover::http {

using domain::Error;
using domain::ErrorCode;

namespace {

/// The media types of the responses of a route, apart from errors.
std::string types_of(const Route& route) {
  if (!route.only_type.empty()) return route.only_type;
  std::string types = "application/json";
  if (route.offers_csv) types += ", text/csv";
  if (route.offers_ndjson) types += ", application/x-ndjson";
  if (route.offers_x12) types += ", application/edi-x12";
  if (route.offers_pdf) types += ", application/pdf";
  return types;
}

/// True when the client accepts a type of the responses of a route.
bool is_acceptable(const Route& route, const std::string* accept) {
  if (!route.only_type.empty()) return accepts(route.only_type, accept);
  return accepts_json(accept) || (route.offers_csv && wants_csv(accept)) || (route.offers_pdf && wants_pdf(accept)) ||
         (route.offers_ndjson && accepts_ndjson(accept)) || (route.offers_x12 && accepts_x12(accept));
}

}  // namespace

domain::Result<std::map<std::string, std::string>> query_of(std::string_view raw) {
  std::map<std::string, std::string> query;
  while (!raw.empty()) {
    const auto end = raw.find('&');
    const auto word = raw.substr(0, end);
    raw = end == std::string_view::npos ? std::string_view{} : raw.substr(end + 1);
    const auto equals = word.find('=');
    const auto name = percent_decode(word.substr(0, equals), true);
    const auto value = equals == std::string_view::npos ? std::optional<std::string>("")
                                                        : percent_decode(word.substr(equals + 1), true);
    if (!name || !value) {
      const auto shown = wire::presentable(name.value_or(std::string(word.substr(0, equals))));
      auto error = Error::of(ErrorCode::invalid_parameter,
                             "The query parameter " + shown + " is not percent-encoded UTF-8 text without NUL bytes.");
      error.fields.push_back({shown, "must be percent-encoded UTF-8 text without NUL bytes"});
      return error;
    }
    if (!name->empty()) query.emplace(*name, *value);
  }
  return query;
}

domain::Status check_parameters(const Route& route, const std::map<std::string, std::string>& query) {
  std::vector<domain::FieldFault> unknown, not_ascii;
  for (const auto& [name, value] : query) {
    const auto known = std::find_if(route.parameters.begin(), route.parameters.end(),
                                    [&](const Parameter& parameter) { return parameter.name == name; });
    if (known == route.parameters.end())
      unknown.push_back({wire::presentable(name), "is not a parameter of this operation"});
    else if (!known->takes_any_text && !domain::is_ascii(value))
      not_ascii.push_back({name, "must be ASCII text"});
  }
  if (!unknown.empty()) {
    std::vector<std::string> names;
    for (const auto& parameter : route.parameters) names.push_back(parameter.name);
    std::string known;
    for (const auto& name : names) known += (known.empty() ? "" : ", ") + name;
    auto error = Error::of(ErrorCode::invalid_parameter,
                           "Unknown query parameter: " + unknown.front().path +
                               ". Allowed parameters: " + (known.empty() ? std::string("none") : known) + ".")
                     .with_list("allowed", names);
    error.fields = std::move(unknown);
    return error;
  }
  if (not_ascii.empty()) return {};
  auto error =
      Error::of(ErrorCode::invalid_parameter, "A query parameter has characters outside of ASCII; see details.fields.");
  error.fields = std::move(not_ascii);
  return error;
}

domain::Status check_single_headers(const Headers& headers) {
  constexpr std::array kSingle{"Authorization", "Content-Encoding", "Content-Type", "Idempotency-Key"};
  auto error = Error::of(ErrorCode::invalid_parameter, "A header is sent more than once; see details.fields.");
  for (const auto* name : kSingle)
    if (headers.count(name) > 1) error.fields.push_back({name, "is sent more than once"});
  if (error.fields.empty()) return {};
  return error;
}

domain::Status check_media(const Route& route, const Headers& headers) {
  const auto* coding = headers.find("Content-Encoding");
  if (coding && route.body != BodyKind::none && !equal_ignoring_case(*coding, "identity")) {
    auto error = Error::of(ErrorCode::unsupported_media_type,
                           "Content-Encoding is not supported. Send the body without a content coding.");
    error.fields.push_back({"Content-Encoding", "must be absent or identity"});
    return error;
  }
  if (route.body == BodyKind::json && !is_json(headers.find("Content-Type")))
    return Error::of(ErrorCode::unsupported_media_type, "Content-Type is not supported. Send application/json.");
  return {};
}

domain::Status check_accept(const Route& route, const Headers& headers) {
  if (is_acceptable(route, headers.find("Accept"))) return {};
  return Error::of(ErrorCode::not_acceptable,
                   "The Accept header excludes every type of this response. Accept one of: " + types_of(route) + '.');
}

domain::Status check_allowed(const Route& route, const Context& context) {
  const auto& scopes = context.request_context.caller.scopes;
  const bool lacks_reading =
      route.explains_to && context.query_text("explain") == "true" && !scopes.has(*route.explains_to);
  if (const auto lacked = route.scope && !scopes.has(*route.scope) ? route.scope
                          : lacks_reading                          ? route.explains_to
                                                                   : std::nullopt)
    return Error::of(ErrorCode::insufficient_scope,
                     "The access token lacks the scope of this operation; see details.scope.")
        .with("scope", std::string(name_of(*lacked)));
  if (auto known = check_parameters(route, context.query); !known) return known;
  return check_media(route, context.request.headers);
}

bool is_comparison(const Route& route, const Context& context) {
  return route.may_compare && context.query_text("what_if") == "true";
}

std::optional<domain::Error> settle_faults(Context& context, wire::Faults& faults, const domain::Status& checked) {
  if (prefers_strict_handling(context.request.headers.find("Prefer")))
    for (const auto& name : faults.ignored) faults.add(name, "is not a field of this request");
  context.ignored = faults.ignored;
  if (checked) return faults.error();
  if (faults.fields.empty()) return checked.error();
  for (const auto& [path, problem] : checked.error().fields)
    if (!faults.has(path)) faults.add(path, problem);
  auto error = faults.error();
  error->lists = checked.error().lists;
  return error;
}

domain::Status note_unused_body(Context& context) {
  wire::Faults faults;
  json::Document document;
  if (json::parse(context.request.body, document) && document.root().kind() == json::Kind::object)
    wire::ObjectReader(document.root(), "", faults).finish();
  else
    faults.ignored.push_back("body");
  if (auto error = settle_faults(context, faults)) return *error;
  return {};
}

}  // namespace tideover::http
