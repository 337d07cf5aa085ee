#include "core/domain/basics/bank_calendar.hpp"

namespace tideover::domain {
namespace {

enum Weekday { sunday = 0, monday = 1, thursday = 4, saturday = 6 };

bool is_nth(Date date, int weekday, unsigned nth) {
  const unsigned day = date.ymd().day;
  return date.weekday() == weekday && (day - 1) / 7 + 1 == nth;
}

bool is_last(Date date, int weekday) {
  return date.weekday() == weekday && date.plus(7).ymd().month != date.ymd().month;
}

/// The holidays with a fixed date: New Year, Juneteenth (since 2021), Independence, Veterans and Christmas Day.
bool is_fixed_holiday(YearMonthDay d) {
  return (d.month == 1 && d.day == 1) || (d.month == 6 && d.day == 19 && d.year >= 2021) ||
         (d.month == 7 && d.day == 4) || (d.month == 11 && d.day == 11) || (d.month == 12 && d.day == 25);
}

}  // namespace

bool is_bank_holiday(Date date) {
  if (is_fixed_holiday(date.ymd())) return true;
  if (date.weekday() == monday && is_fixed_holiday(date.plus(-1).ymd())) return true;
  switch (date.ymd().month) {
    case 1:  // Birthday of Martin Luther King, Jr.
    case 2:  // Washington's Birthday
      return is_nth(date, monday, 3);
    case 5:
      return is_last(date, monday);  // Memorial Day
    case 9:
      return is_nth(date, monday, 1);  // Labor Day
    case 10:
      return is_nth(date, monday, 2);  // Columbus Day
    case 11:
      return is_nth(date, thursday, 4);  // Thanksgiving Day
    default:
      return false;
  }
}

bool is_banking_day(Date date) {
  const int day = date.weekday();
  return day != saturday && day != sunday && !is_bank_holiday(date);
}

Date banking_day_on_or_after(Date date) {
  while (!is_banking_day(date)) date = date.plus(1);
  return date;
}

Date next_banking_day(Date date) {
  return banking_day_on_or_after(date.plus(1));
}

}  // namespace tideover::domain
