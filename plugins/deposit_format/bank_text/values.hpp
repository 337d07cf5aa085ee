// Values in the forms that banks use.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tideover/date.hpp"

namespace bank_text {

std::string_view trim(std::string_view text);
/// Keeps printable ASCII and replaces any other byte by "?", since the character set of a bank's files is unknown.
std::string printable(std::string_view text);
std::vector<std::string_view> split(std::string_view text, char separator);

/// Larger amounts are read as this one: above every limit, and the sum of a million of them still fits.
constexpr std::int64_t kBeyondAllAmounts = 1'000'000'000'000;
/// Digits only; nullopt for other or empty text.
std::optional<std::int64_t> parse_digits(std::string_view text);
/// The same with a sign in front.
std::optional<std::int64_t> parse_signed(std::string_view text);

/// YYMMDD of this century; nullopt when the day does not exist.
std::optional<tideover_date> parse_short_date(std::string_view text);

}  // namespace bank_text
