#include "core/http/route_table.hpp"

#include <algorithm>

#include "core/domain/basics/text.hpp"

namespace tideover::http {
namespace {

std::vector<std::string_view> split(std::string_view path) {
  std::vector<std::string_view> segments;
  while (!path.empty()) {
    path.remove_prefix(1);  // the leading '/'
    const auto end = path.find('/');
    segments.push_back(path.substr(0, end));
    path = end == std::string_view::npos ? std::string_view{} : path.substr(end);
  }
  return segments;
}

int hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// RFC 3986 section 3.3: pchar without an escape.
bool is_plain_in_segment(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
         std::string_view("-._~!$&'()*+,;=:@").find(c) != std::string_view::npos;
}

void add_escaped(std::string& path, std::string_view segment) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  for (const char c : segment) {
    const auto byte = static_cast<unsigned char>(c);
    if (is_plain_in_segment(c))
      path += c;
    else
      path += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
  }
}

void add_method(std::vector<std::string>& methods, const std::string& method) {
  const auto add = [&](const std::string& name) {
    if (std::find(methods.begin(), methods.end(), name) == methods.end()) methods.push_back(name);
  };
  add(method);
  if (method == "GET") add("HEAD");
}

/// The values of the parameters of a pattern; nullopt when the path is another one. An empty segment of the pattern is
/// a parameter.
std::optional<std::vector<std::string>> parameters_of(const std::vector<std::string>& wanted,
                                                      const std::vector<std::string>& given) {
  if (wanted.size() != given.size()) return std::nullopt;
  std::vector<std::string> parameters;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i].empty() ? given[i].empty() : wanted[i] != given[i]) return std::nullopt;
    if (wanted[i].empty()) parameters.push_back(given[i]);
  }
  return parameters;
}

}  // namespace

std::optional<std::string> percent_decode(std::string_view text, bool plus_is_blank) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%') {
      if (i + 2 >= text.size()) return std::nullopt;
      const int high = hex(text[i + 1]), low = hex(text[i + 2]);
      if (high < 0 || low < 0 || (high == 0 && low == 0)) return std::nullopt;
      decoded += static_cast<char>(high * 16 + low);
      i += 2;
    } else {
      decoded += plus_is_blank && text[i] == '+' ? ' ' : text[i];
    }
  }
  if (!domain::is_utf8(decoded)) return std::nullopt;
  return decoded;
}

std::string path_of(std::string_view pattern, const std::vector<std::string>& parameters) {
  std::string path;
  auto parameter = parameters.begin();
  for (const auto segment : split(pattern)) {
    path += '/';
    if (segment.starts_with('{'))
      add_escaped(path, *parameter++);
    else
      path += segment;
  }
  return path;
}

void RouteTable::add(Route route) {
  Compiled compiled;
  for (const auto segment : split(route.pattern))
    compiled.segments.emplace_back(segment.starts_with('{') ? "" : segment);
  compiled_.push_back(std::move(compiled));
  routes_.push_back(std::move(route));
}

void RouteTable::add(Route route, std::vector<Parameter> parameters) {
  route.parameters = std::move(parameters);
  add(std::move(route));
}

RouteTable::Match RouteTable::match(std::string_view method, std::string_view path) const {
  Match match;
  if (path == "*") {
    for (const auto& route : routes_) add_method(match.allowed, route.method);
    return match;
  }
  if (!path.starts_with('/')) return match;
  std::vector<std::string> given;
  for (const auto segment : split(path)) {
    auto decoded = percent_decode(segment, false);
    if (!decoded) return match;
    given.push_back(std::move(*decoded));
  }
  const auto serves = [&](const Route& route) {
    return route.method == method || (method == "HEAD" && route.method == "GET");
  };
  for (std::size_t r = 0; r < routes_.size(); ++r) {
    auto parameters = parameters_of(compiled_[r].segments, given);
    if (!parameters) continue;
    add_method(match.allowed, routes_[r].method);
    // A path without parameters precedes one with parameters (OpenAPI 3.1, path templating).
    if (!serves(routes_[r]) || (match.route && !parameters->empty())) continue;
    match.route = &routes_[r];
    match.path = std::move(*parameters);
    if (match.path.empty()) return match;
  }
  return match;
}

}  // namespace tideover::http
