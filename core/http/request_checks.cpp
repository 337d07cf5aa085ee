#include "core/http/request_checks.hpp"

#include <algorithm>
#include <array>

#include "core/domain/basics/text.hpp"
#include "core/http/media_type.hpp"

namespace tideover::http {

using domain::Error;
using domain::ErrorCode;

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

domain::Status check_coding(const Route& route, const Headers& headers) {
  const auto* coding = headers.find("Content-Encoding");
  if (!coding || route.body == BodyKind::none || equal_ignoring_case(*coding, "identity")) return {};
  auto error = Error::of(ErrorCode::unsupported_media_type,
                         "Content-Encoding is not supported. Send the body without a content coding.");
  error.fields.push_back({"Content-Encoding", "must be absent or identity"});
  return error;
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
