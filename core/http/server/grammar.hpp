// Character classes and the field line of RFC 9110 and 9112, used by the parsers of heads and trailers and by the
// writer of responses. Pure functions.
#pragma once

#include <optional>
#include <string_view>

namespace tideover::http {

/// tchar of RFC 9110 5.6.2: the characters of methods and field names.
constexpr bool is_token_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

constexpr bool is_token(std::string_view text) {
  for (const char c : text) {
    if (!is_token_char(c)) return false;
  }
  return !text.empty();
}

constexpr bool is_hex_digit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/// A byte that a field value may contain: no control character except the tab (RFC 9110 5.5).
constexpr bool is_field_char(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return c == '\t' || (byte >= 0x20 && byte != 0x7F);
}

constexpr std::string_view trim_blanks(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

struct FieldLine {
  std::string_view name;
  std::string_view value;
};

/// Splits `line`, which has no CRLF and whose bytes is_field_char has checked. None when it is not a field line: no
/// colon, no name, a blank in or after the name, or a folded line.
constexpr std::optional<FieldLine> split_field(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || !is_token(line.substr(0, colon))) return std::nullopt;
  return FieldLine{line.substr(0, colon), trim_blanks(line.substr(colon + 1))};
}

}  // namespace tideover::http
