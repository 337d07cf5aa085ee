#include "x12/elements.hpp"

#include <algorithm>

namespace x12 {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}
bool is_visible(char c) {
  return c >= ' ' && c <= '~';
}

}  // namespace

std::optional<int> parse_count(std::string_view text) {
  text = trim(text);
  if (text.empty() || text.size() > 9) return std::nullopt;
  int count = 0;
  for (const char c : text) {
    if (!is_digit(c)) return std::nullopt;
    count = count * 10 + (c - '0');
  }
  return count;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::string dollars(std::int64_t cents) {
  const std::int64_t size = cents < 0 ? -cents : cents;
  const std::string fraction = std::to_string(size % 100);
  return (cents < 0 ? "-" : "") + std::to_string(size / 100) + (fraction.size() < 2 ? ".0" : ".") + fraction;
}

bool same_control_number(std::string_view a, std::string_view b) {
  const auto bare = [](std::string_view text) {
    text = trim(text);
    while (!text.empty() && text.front() == '0') text.remove_prefix(1);
    return text;
  };
  return bare(a) == bare(b);
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string printable(std::string_view text) {
  std::string cleaned(text);
  std::replace_if(
      cleaned.begin(), cleaned.end(), [](char c) { return !is_visible(c); }, '?');
  return cleaned;
}

bool is_printable(std::string_view text) {
  return std::all_of(text.begin(), text.end(), is_visible);
}

}  // namespace x12
