// Values as banks write them.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tideover/date.hpp"

namespace bank_text {

std::string_view trim(std::string_view text);
/// Printable ASCII stays, any other byte becomes "?": files come in whatever character set the bank uses.
std::string printable(std::string_view text);
std::vector<std::string_view> split(std::string_view text, char separator);

/// Larger amounts are taken for this one: beyond every limit, and a million of them can still be added up.
constexpr std::int64_t kBeyondAllAmounts = 1'000'000'000'000;
/// Digits alone; nullopt for anything else and for none.
std::optional<std::int64_t> parse_digits(std::string_view text);
/// The same with a sign in front.
std::optional<std::int64_t> parse_signed(std::string_view text);

/// YYMMDD of this century; nullopt where there is no such day.
std::optional<tideover_date> parse_short_date(std::string_view text);

}  // namespace bank_text
