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

void RouteTable::add(Route route) {
  Compiled compiled;
  for (const auto segment : split(route.pattern))
    compiled.segments.emplace_back(segment.starts_with('{') ? "" : segment);
  compiled_.push_back(std::move(compiled));
  routes_.push_back(std::move(route));
}

void RouteTable::add(Route route, std::vector<std::string> parameters) {
  route.parameters = std::move(parameters);
  add(std::move(route));
}

RouteTable::Match RouteTable::match(std::string_view method, std::string_view path) const {
  Match match;
  if (!path.starts_with('/')) return match;
  const auto given = split(path);
  const bool is_whole =
      std::any_of(routes_.begin(), routes_.end(), [&](const Route& route) { return route.pattern == path; });
  for (std::size_t r = 0; r < routes_.size(); ++r) {
    const auto& wanted = compiled_[r].segments;
    if (wanted.size() != given.size()) continue;
    std::vector<std::string> parameters;
    bool fits = true;
    for (std::size_t i = 0; i < wanted.size() && fits; ++i) {
      if (!wanted[i].empty()) {
        fits = wanted[i] == given[i];
        continue;
      }
      auto decoded = percent_decode(given[i], false);
      fits = decoded && !decoded->empty();
      if (fits) parameters.push_back(std::move(*decoded));
    }
    if (!fits) continue;
    // A path without parameters precedes one with parameters (OpenAPI 3.1, path templating).
    if (is_whole && !parameters.empty()) continue;
    match.allowed.push_back(routes_[r].method);
    if (routes_[r].method == method || (method == "HEAD" && routes_[r].method == "GET")) {
      match.route = &routes_[r];
      match.path = std::move(parameters);
      return match;
    }
  }
  return match;
}

}  // namespace tideover::http
