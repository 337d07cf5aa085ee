// Arithmetic on tideover_date: days, parsing, text. Proleptic Gregorian calendar. For banking days see sdk::Host.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "plugin.h"

namespace tideover::sdk {

inline bool is_none(tideover_date d) {
  return d.year == 0 && d.month == 0 && d.day == 0;
}

/// Days since 1970-01-01.
inline std::int32_t to_days(tideover_date d) {
  const std::int32_t year = d.month <= 2 ? d.year - 1 : d.year;
  const std::int32_t era = (year >= 0 ? year : year - 399) / 400;
  const std::int32_t year_of_era = year - era * 400;
  const std::int32_t day_of_year = (153 * (d.month + (d.month > 2 ? -3 : 9)) + 2) / 5 + d.day - 1;
  return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719468;
}

inline tideover_date from_days(std::int32_t days) {
  days += 719468;
  const std::int32_t era = (days >= 0 ? days : days - 146096) / 146097;
  const std::int32_t day_of_era = days - era * 146097;
  const std::int32_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const std::int32_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int32_t shifted_month = (5 * day_of_year + 2) / 153;
  const std::int32_t month = shifted_month < 10 ? shifted_month + 3 : shifted_month - 9;
  return {year_of_era + era * 400 + (month <= 2 ? 1 : 0), month, day_of_year - (153 * shifted_month + 2) / 5 + 1};
}

inline tideover_date plus_days(tideover_date d, std::int32_t days) {
  return from_days(to_days(d) + days);
}
inline bool same_day(tideover_date a, tideover_date b) {
  return to_days(a) == to_days(b);
}

/// Parses CCYYMMDD. nullopt for a day that does not exist or is outside 1900 to 2199.
inline std::optional<tideover_date> parse_compact_date(std::string_view text) {
  if (text.size() != 8) return std::nullopt;
  std::int32_t value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + (c - '0');
  }
  const tideover_date date{value / 10000, value / 100 % 100, value % 100};
  if (date.year < 1900 || date.year > 2199 || date.month < 1 || date.month > 12 || date.day < 1) return std::nullopt;
  const tideover_date back = from_days(to_days(date));
  if (back.month != date.month || back.day != date.day) return std::nullopt;
  return date;
}

/// The date as YYYY-MM-DD.
inline std::string date_text(tideover_date d) {
  const auto padded = [](std::int32_t number, std::size_t width) {
    std::string digits = std::to_string(number);
    return std::string(width > digits.size() ? width - digits.size() : 0, '0') + digits;
  };
  return padded(d.year, 4) + "-" + padded(d.month, 2) + "-" + padded(d.day, 2);
}

}  // namespace tideover::sdk
