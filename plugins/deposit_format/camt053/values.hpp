// Values of a camt.053 file.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tideover/date.hpp"

namespace camt053 {

/// Without blanks at its ends; line ends, tabs and other control characters are blanks.
std::string clean(std::string_view text);

/// The first `most` bytes, without a part of a character at the end.
std::string shortened(std::string text, std::size_t most);

/// "790.00" as cents, without a sign. nullopt for other text, a fraction of a cent, and 13 or more digits before the
/// point.
std::optional<std::int64_t> parse_amount(std::string_view text);

/// The day of "2026-11-20" or "2026-11-20T06:00:00-05:00".
std::optional<tideover_date> parse_day(std::string_view text);

std::optional<std::int64_t> parse_count(std::string_view text);

}  // namespace camt053
