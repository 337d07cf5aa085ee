#include "core/http/wire/basics/error_json.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "core/http/wire/json/writer.hpp"

namespace tideover::wire {
namespace {

bool is_oauth(domain::ErrorCode code) {
  using domain::ErrorCode;
  return code == ErrorCode::invalid_request || code == ErrorCode::invalid_client ||
         code == ErrorCode::unsupported_grant_type || code == ErrorCode::invalid_scope ||
         code == ErrorCode::unauthorized_client;
}

/// Details that are numbers on the wire: amounts, counts and positions. A plugin may use such a name for text.
bool is_number(std::string_view name, std::string_view text) {
  constexpr std::array<std::string_view, 8> kNumbers{"advance_amount", "column",   "line",       "max_amount",
                                                     "max_bytes",      "max_rows", "min_amount", "residual_due"};
  if (std::find(kNumbers.begin(), kNumbers.end(), name) == kNumbers.end()) return false;
  if (text.starts_with('-')) text.remove_prefix(1);
  const auto whole = text.substr(0, text.find('.'));
  const auto is_digits = [](std::string_view part) {
    return !part.empty() && std::all_of(part.begin(), part.end(), [](char c) { return c >= '0' && c <= '9'; });
  };
  return is_digits(whole) && (whole.size() == 1 || whole.front() != '0') &&
         (whole.size() == text.size() || is_digits(text.substr(whole.size() + 1)));
}

/// "Rail rejected" for rail_rejected.
std::string title_of(std::string_view name) {
  std::string title(name);
  std::replace(title.begin(), title.end(), '_', ' ');
  title.front() = static_cast<char>(title.front() - 'a' + 'A');
  return title;
}

void encode_details(json::Writer& out, const domain::Error& error) {
  out.key("details").begin_object();
  for (const auto& [name, text] : error.details) {
    if (is_number(name, text))
      out.key(name).raw_number(text);
    else
      out.key(name).string(text);
  }
  for (const auto& [name, values] : error.lists) {
    out.key(name).begin_array();
    for (const auto& value : values) out.string(value);
    out.end_array();
  }
  if (!error.fields.empty()) {
    out.key("missing").begin_array();
    for (const auto& fault : error.fields)
      if (fault.problem == "required") out.string(fault.path);
    out.end_array();
    std::map<std::string_view, std::vector<std::string_view>> by_field;
    for (const auto& fault : error.fields) by_field[fault.path].push_back(fault.problem);
    out.key("fields").begin_object();
    for (const auto& [path, problems] : by_field) {
      out.key(path).begin_array();
      for (const auto problem : problems) out.string(problem);
      out.end_array();
    }
    out.end_object();
  }
  out.end_object();
}

}  // namespace

domain::Error malformed(domain::ErrorCode code, const json::ParseError& error) {
  const auto line = std::to_string(error.line), column = std::to_string(error.column),
             byte = std::to_string(error.offset + 1);
  const bool has_line = error.line > 0;
  auto refusal = domain::Error::of(code, "The request body is not valid JSON: " + error.message);
  if (has_line)
    refusal.details = {{"line", line}, {"column", column}};
  else
    refusal.details = {{"byte", byte}};
  refusal.fields.push_back(
      {"body", (has_line ? "line " + line + ", column " + column : "byte " + byte) + ": " + error.message});
  return refusal;
}

domain::Error not_an_object(domain::ErrorCode code) {
  auto refusal = domain::Error::of(code, "The request body is not a JSON object.");
  refusal.fields.push_back({"body", "must be an object"});
  return refusal;
}

std::string encode_error(const domain::Error& error, const std::string& request_id, int status, bool retryable,
                         bool problem) {
  std::string body;
  json::Writer out(body);
  const auto name = domain::name_of(error.code);
  out.begin_object();
  out.key("error").string(name);
  out.key("message").string(error.message);
  out.key("request_id").string(request_id);
  out.key("retryable").boolean(retryable);
  if (is_oauth(error.code)) out.key("error_description").string(error.message);
  // Relative to this service, which does not know its public name.
  const auto doc_url = "/docs/errors#" + std::string(name);
  out.key("doc_url").string(doc_url);
  if (problem) {
    out.key("type").string(doc_url);
    out.key("title").string(title_of(name));
    out.key("status").number(status);
    out.key("detail").string(error.message);
  }
  if (!error.details.empty() || !error.lists.empty() || !error.fields.empty()) encode_details(out, error);
  out.end_object();
  return body;
}

}  // namespace tideover::wire
