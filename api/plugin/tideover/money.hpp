// Amounts and currencies as files write them.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace tideover::sdk {

/// The largest amount that the host accepts: 99 999 999.99.
inline constexpr std::int64_t kLargestCents = 9'999'999'999;

/// Parses dollars and returns cents: "1000", "-12.5", ".5", "5.". nullopt for other text, for more than two decimals
/// that are not zero, and for amounts beyond kLargestCents.
inline std::optional<std::int64_t> parse_cents(std::string_view text) {
  const bool is_negative = !text.empty() && text.front() == '-';
  if (is_negative) text.remove_prefix(1);
  std::int64_t cents = 0;
  int decimals = -1;  // -1 = before the point
  bool has_digit = false;
  for (const char c : text) {
    if (c == '.' && decimals < 0) {
      decimals = 0;
      continue;
    }
    if (!(c >= '0' && c <= '9')) return std::nullopt;
    has_digit = true;
    if (decimals == 2) {
      if (c != '0') return std::nullopt;
      continue;
    }
    if (decimals >= 0) ++decimals;
    cents = cents * 10 + (c - '0');
    if (cents > kLargestCents) return std::nullopt;
  }
  if (!has_digit) return std::nullopt;
  for (int missing = 2 - (decimals < 0 ? 0 : decimals); missing > 0; --missing) cents *= 10;
  if (cents > kLargestCents) return std::nullopt;
  return is_negative ? -cents : cents;
}

/// Whether `code` is USD, in any case. The host accepts no other currency.
inline bool is_us_dollars(std::string_view code) {
  return code.size() == 3 && (code[0] == 'U' || code[0] == 'u') && (code[1] == 'S' || code[1] == 's') &&
         (code[2] == 'D' || code[2] == 'd');
}

}  // namespace tideover::sdk
