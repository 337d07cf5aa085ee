#include "core/http/media_type.hpp"

#include <string>
#include <string_view>

#include "core/http/server/request.hpp"

namespace tideover::http {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::string_view without_parameters(std::string_view type) {
  return trimmed(type.substr(0, type.find(';')));
}

bool is(std::string_view type, std::string_view name) {
  return equal_ignoring_case(type, name);
}

/// Cuts the part before the next `separator` off the text and returns it.
std::string_view take(std::string_view& text, char separator) {
  const auto end = text.find(separator);
  const auto taken = trimmed(text.substr(0, end));
  text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  return taken;
}

/// True when the parameters of a media range say q=0, "not acceptable" (RFC 9110 section 12.4.2).
bool is_refused(std::string_view parameters) {
  while (!parameters.empty()) {
    const auto parameter = take(parameters, ';');
    if (parameter.size() < 3 || !is(parameter.substr(0, 2), "q=")) continue;
    return parameter.substr(2).find_first_not_of("0.") == std::string_view::npos;
  }
  return false;
}

/// The preference of an Accept header for a type. The most specific matching range decides.
enum class Wish { unsaid, accepted, refused };

Wish wish_for(std::string_view name, std::string_view accept) {
  const std::string group = std::string(name.substr(0, name.find('/'))) + "/*";
  Wish wish = Wish::unsaid;
  int best = 0;
  while (!accept.empty()) {
    auto parameters = take(accept, ',');
    const auto range = take(parameters, ';');
    const int specific = is(range, name) ? 3 : is(range, group) ? 2 : is(range, "*/*") ? 1 : 0;
    if (specific <= best) continue;
    best = specific;
    wish = is_refused(parameters) ? Wish::refused : Wish::accepted;
  }
  return wish;
}

/// True when the header lists the type by name, not by a wildcard.
bool names(const std::string* accept, std::string_view type) {
  std::string_view rest = accept ? std::string_view(*accept) : std::string_view{};
  while (!rest.empty()) {
    auto parameters = take(rest, ',');
    if (is(take(parameters, ';'), type)) return !is_refused(parameters);
  }
  return false;
}

}  // namespace

bool is_json(const std::string* content_type) {
  return content_type && is(without_parameters(*content_type), "application/json");
}

bool is_form(const std::string* content_type) {
  return content_type && is(without_parameters(*content_type), "application/x-www-form-urlencoded");
}

bool accepts_json(const std::string* accept) {
  if (!accept || trimmed(*accept).empty()) return true;
  return wish_for("application/json", *accept) == Wish::accepted ||
         wish_for("application/problem+json", *accept) == Wish::accepted;
}

bool accepts_ndjson(const std::string* accept) {
  if (!accept || trimmed(*accept).empty()) return true;
  for (const auto* type : {"application/x-ndjson", "application/jsonl", "application/json"})
    if (wish_for(type, *accept) == Wish::accepted) return true;
  return false;
}

bool accepts_x12(const std::string* accept) {
  return !accept || wish_for("application/edi-x12", *accept) == Wish::accepted;
}

bool accepts(std::string_view type, const std::string* accept) {
  return !accept || trimmed(*accept).empty() || wish_for(type, *accept) == Wish::accepted;
}

bool wants_problem_json(const std::string* accept) {
  return names(accept, "application/problem+json");
}
bool wants_ndjson(const std::string* accept) {
  return names(accept, "application/x-ndjson") || names(accept, "application/jsonl");
}
bool wants_csv(const std::string* accept) {
  return names(accept, "text/csv");
}
bool wants_x12(const std::string* accept) {
  return names(accept, "application/edi-x12");
}
bool wants_pdf(const std::string* accept) {
  return names(accept, "application/pdf");
}

bool accepts_gzip(const std::string* accept_encoding) {
  std::string_view rest = accept_encoding ? std::string_view(*accept_encoding) : std::string_view{};
  bool by_wildcard = false;
  while (!rest.empty()) {
    auto parameters = take(rest, ',');
    const auto coding = take(parameters, ';');
    if (is(coding, "gzip") || is(coding, "x-gzip")) return !is_refused(parameters);
    if (coding == "*") by_wildcard = !is_refused(parameters);
  }
  return by_wildcard;
}

bool prefers_strict_handling(const std::string* prefer) {
  std::string_view rest = prefer ? std::string_view(*prefer) : std::string_view{};
  while (!rest.empty()) {
    auto parameters = take(rest, ',');
    auto preference = take(parameters, ';');
    if (!is(take(preference, '='), "handling")) continue;
    auto value = trimmed(preference);
    if (value.size() >= 2 && value.front() == '"' && value.back() == '"') value = value.substr(1, value.size() - 2);
    return is(value, "strict");  // the first of repeated preferences decides (RFC 7240 section 2)
  }
  return false;
}

}  // namespace tideover::http
