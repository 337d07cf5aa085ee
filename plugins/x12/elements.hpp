// Values of single X12 elements.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace x12 {

inline bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
/// Digits only, at most nine.
std::optional<int> parse_count(std::string_view text);
std::vector<std::string_view> split(std::string_view text, char separator);
/// "-12.05"
std::string dollars(std::int64_t cents);
/// Control numbers compare without leading zeros and blanks.
bool same_control_number(std::string_view a, std::string_view b);
/// Without the blanks and tabs around it.
std::string_view trim(std::string_view text);
/// Keeps printable ASCII and replaces any other byte by "?", since the character set of a payer's files is unknown.
std::string printable(std::string_view text);
bool is_printable(std::string_view text);

}  // namespace x12
