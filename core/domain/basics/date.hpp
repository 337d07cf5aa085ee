// Calendar dates and instants. A Date has no time zone; a Timestamp is UTC milliseconds. There is no implicit
// conversion between them.
#pragma once
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tideover::domain {

struct YearMonthDay {
  int year;
  unsigned month;  // 1..12
  unsigned day;    // 1..31
};

class Date {
 public:
  constexpr Date() = default;
  static constexpr Date from_days(std::int32_t days_since_1970) { return Date(days_since_1970); }
  /// nullopt unless the day exists, years 1900 to 2199.
  static std::optional<Date> from_ymd(int year, unsigned month, unsigned day);
  constexpr std::int32_t days() const { return days_; }
  YearMonthDay ymd() const;
  /// 0 = Sunday .. 6 = Saturday.
  int weekday() const;

  constexpr Date plus(int days) const { return Date(days_ + days); }
  friend constexpr int days_between(Date from, Date to) { return to.days_ - from.days_; }
  friend constexpr auto operator<=>(Date, Date) = default;

 private:
  explicit constexpr Date(std::int32_t days) : days_(days) {}
  std::int32_t days_ = 0;
};

class Timestamp {
 public:
  constexpr Timestamp() = default;
  static constexpr Timestamp from_ms(std::int64_t ms_since_1970) { return Timestamp(ms_since_1970); }
  constexpr std::int64_t ms() const { return ms_; }
  constexpr std::int64_t seconds() const { return ms_ / 1000; }
  constexpr Timestamp plus_ms(std::int64_t ms) const { return Timestamp(ms_ + ms); }
  constexpr Timestamp plus_days(int days) const { return Timestamp(ms_ + days * std::int64_t{86'400'000}); }
  /// The calendar date in UTC, of the years 0 to 9999; a later instant gives the last day. Banking dates are from
  /// `ports::BankTime`.
  Date utc_date() const;
  friend constexpr auto operator<=>(Timestamp, Timestamp) = default;

 private:
  explicit constexpr Timestamp(std::int64_t ms) : ms_(ms) {}
  std::int64_t ms_ = 0;
};

/// Strict `YYYY-MM-DD`.
std::optional<Date> parse_date(std::string_view text);
std::string format_date(Date date);
/// RFC 3339 with any offset: 2026-11-20T08:40:15.123+01:00. Fractions below a millisecond are cut off.
std::optional<Timestamp> parse_timestamp(std::string_view text);
/// RFC 3339 UTC with milliseconds: 2026-11-20T07:40:15.123Z.
std::string format_timestamp(Timestamp at);

/// Both included.
struct DateRange {
  Date from;
  Date to;
};

}  // namespace tideover::domain
