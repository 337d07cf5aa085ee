#include "core/domain/basics/date.hpp"

#include <algorithm>
#include <chrono>

namespace tideover::domain {
namespace {

using std::chrono::day;
using std::chrono::month;
using std::chrono::sys_days;
using std::chrono::year;
using std::chrono::year_month_day;

constexpr std::int64_t kDayMs = 86'400'000;
/// 0000-01-01 and 9999-12-31: the years with four digits.
constexpr std::int64_t kFirstDay = -719'528, kLastDay = 2'932'896;

std::optional<int> number(std::string_view text) {
  int value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + (c - '0');
  }
  return value;
}

std::optional<Date> from_parts(std::string_view y, std::string_view m, std::string_view d) {
  const auto yy = number(y), mm = number(m), dd = number(d);
  if (!yy || !mm || !dd) return std::nullopt;
  return Date::from_ymd(*yy, static_cast<unsigned>(*mm), static_cast<unsigned>(*dd));
}

/// Writes the last `count` digits of a number. Ten times as fast as printf.
void put_digits(std::string& text, std::size_t at, std::size_t count, int value) {
  for (std::size_t i = count; i-- > 0; value /= 10) text[at + i] = static_cast<char>('0' + value % 10);
}

}  // namespace

std::optional<Date> Date::from_ymd(int y, unsigned m, unsigned d) {
  if (y < 1900 || y > 2199 || m > 12 || d > 31) return std::nullopt;  // the calendar types would wrap
  const year_month_day date{year{y}, month{m}, day{d}};
  if (!date.ok()) return std::nullopt;
  return Date(static_cast<std::int32_t>(sys_days{date}.time_since_epoch().count()));
}

YearMonthDay Date::ymd() const {
  const year_month_day date{sys_days{std::chrono::days{days_}}};
  return {static_cast<int>(date.year()), static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day())};
}

int Date::weekday() const {
  return static_cast<int>(std::chrono::weekday{sys_days{std::chrono::days{days_}}}.c_encoding());
}

Date Timestamp::utc_date() const {
  const std::int64_t before = ms_ % kDayMs < 0 ? 1 : 0;  // of the day that a negative count begins in
  return Date::from_days(static_cast<std::int32_t>(std::max(kFirstDay, std::min(kLastDay, ms_ / kDayMs - before))));
}

std::optional<Date> parse_date(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  return from_parts(text.substr(0, 4), text.substr(5, 2), text.substr(8, 2));
}

std::optional<Timestamp> parse_timestamp(std::string_view text) {
  if (text.size() < 20 || (text[10] != 'T' && text[10] != 't') || text[13] != ':' || text[16] != ':')
    return std::nullopt;
  const auto date = parse_date(text.substr(0, 10));
  const auto hour = number(text.substr(11, 2)), minute = number(text.substr(14, 2)),
             second = number(text.substr(17, 2));
  if (!date || !hour || !minute || !second || *hour > 23 || *minute > 59 || *second > 59) return std::nullopt;
  text.remove_prefix(19);

  int ms = 0;
  if (text.front() == '.') {
    text.remove_prefix(1);
    const auto end = std::min(text.find_first_not_of("0123456789"), text.size());
    if (end == 0) return std::nullopt;
    for (std::size_t i = 0; i < 3; ++i) ms = ms * 10 + (i < end ? text[i] - '0' : 0);
    text.remove_prefix(end);
  }

  int offset_minutes = 0;
  if (text != "Z" && text != "z") {
    if (text.size() != 6 || (text[0] != '+' && text[0] != '-') || text[3] != ':') return std::nullopt;
    const auto hours = number(text.substr(1, 2)), minutes = number(text.substr(4, 2));
    if (!hours || !minutes || *hours > 23 || *minutes > 59) return std::nullopt;
    offset_minutes = (text[0] == '-' ? -1 : 1) * (*hours * 60 + *minutes);
  }
  const std::int64_t minutes_in_day = std::int64_t{*hour} * 60 + *minute - offset_minutes;
  return Timestamp::from_ms(date->days() * std::int64_t{86'400'000} + minutes_in_day * 60'000 +
                            std::int64_t{*second} * 1000 + ms);
}

std::string format_date(Date date) {
  const auto [y, m, d] = date.ymd();
  std::string text = "0000-00-00";
  put_digits(text, 0, 4, y);
  put_digits(text, 5, 2, static_cast<int>(m));
  put_digits(text, 8, 2, static_cast<int>(d));
  return text;
}

std::string format_timestamp(Timestamp at) {
  const Date date = at.utc_date();
  const auto in_day = static_cast<int>((at.ms() % kDayMs + kDayMs) % kDayMs);
  std::string text = format_date(date) + "T00:00:00.000Z";
  put_digits(text, 11, 2, in_day / 3'600'000);
  put_digits(text, 14, 2, in_day / 60'000 % 60);
  put_digits(text, 17, 2, in_day / 1000 % 60);
  put_digits(text, 20, 3, in_day % 1000);
  return text;
}

}  // namespace tideover::domain
