// Banking days, against the lists of core/docs/contract.md#rails and the Federal Reserve's own rules.
#include "core/domain/basics/bank_calendar.hpp"

#include <boost/test/unit_test.hpp>
#include <set>

#include "tests/fakes/printing.hpp"

using namespace tideover::domain;

namespace {

/// Weekdays of the year on which banks are closed.
std::set<std::string> closed_weekdays(int year) {
  std::set<std::string> closed;
  for (Date day = *Date::from_ymd(year, 1, 1); day <= *Date::from_ymd(year, 12, 31); day = day.plus(1))
    if (day.weekday() != 0 && day.weekday() != 6 && !is_banking_day(day)) closed.insert(format_date(day));
  return closed;
}

Date day(const char* text) {
  return *parse_date(text);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(bank_calendar)

BOOST_AUTO_TEST_CASE(the_holidays_of_2026_are_the_contract_s) {
  const std::set<std::string> expected{"2026-01-01", "2026-01-19", "2026-02-16", "2026-05-25", "2026-06-19",
                                       "2026-09-07", "2026-10-12", "2026-11-11", "2026-11-26", "2026-12-25"};
  BOOST_TEST(closed_weekdays(2026) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_holidays_of_2027_are_the_contract_s) {
  const std::set<std::string> expected{"2027-01-01", "2027-01-18", "2027-02-15", "2027-05-31", "2027-07-05",
                                       "2027-09-06", "2027-10-11", "2027-11-11", "2027-11-25"};
  BOOST_TEST(closed_weekdays(2027) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_saturday_holiday_leaves_friday_open) {
  BOOST_TEST(is_banking_day(day("2026-07-03")));
  BOOST_TEST(!is_banking_day(day("2026-07-04")));
  BOOST_TEST(is_banking_day(day("2027-06-18")));
  BOOST_TEST(is_banking_day(day("2027-12-24")));
  BOOST_TEST(is_banking_day(day("2027-12-31")));  // New Year 2028 is a Saturday
}

BOOST_AUTO_TEST_CASE(a_sunday_holiday_is_kept_on_monday) {
  BOOST_TEST(!is_banking_day(day("2027-07-05")));
  BOOST_TEST(!is_banking_day(day("2023-01-02")));  // New Year 2023 was a Sunday
  BOOST_TEST(is_banking_day(day("2023-01-03")));
  BOOST_TEST(!is_banking_day(day("2022-12-26")));
}

BOOST_AUTO_TEST_CASE(juneteenth_is_a_holiday_since_2021) {
  BOOST_TEST(is_banking_day(day("2020-06-19")));
  BOOST_TEST(is_banking_day(day("2021-06-18")));  // it fell on a Saturday
  BOOST_TEST(!is_banking_day(day("2022-06-20")));
}

BOOST_AUTO_TEST_CASE(weekends_are_never_banking_days) {
  for (Date d = day("2026-01-01"); d < day("2029-01-01"); d = d.plus(1))
    if (d.weekday() == 0 || d.weekday() == 6) BOOST_REQUIRE_MESSAGE(!is_banking_day(d), d);
}

BOOST_AUTO_TEST_CASE(the_next_banking_day_steps_over_weekends_and_holidays) {
  BOOST_TEST(next_banking_day(day("2026-11-20")) == day("2026-11-23"));
  BOOST_TEST(next_banking_day(day("2026-11-25")) == day("2026-11-27"));
  BOOST_TEST(next_banking_day(day("2026-12-24")) == day("2026-12-28"));
  BOOST_TEST(banking_day_on_or_after(day("2026-11-20")) == day("2026-11-20"));
  BOOST_TEST(banking_day_on_or_after(day("2026-11-21")) == day("2026-11-23"));
  BOOST_TEST(banking_day_on_or_after(day("2027-07-03")) == day("2027-07-06"));
}

BOOST_AUTO_TEST_SUITE_END()
