// Dates and instants: strict reading, the calendar, ISO writing.
#include "core/domain/basics/date.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/fakes/printing.hpp"

using tideover::domain::Date;
using tideover::domain::format_date;
using tideover::domain::format_timestamp;
using tideover::domain::parse_date;
using tideover::domain::parse_timestamp;
using tideover::domain::Timestamp;

BOOST_AUTO_TEST_SUITE(date)

BOOST_AUTO_TEST_CASE(every_day_of_two_centuries_reads_back_the_same) {
  const Date first = *Date::from_ymd(1900, 1, 1), last = *Date::from_ymd(2199, 12, 31);
  BOOST_TEST(days_between(first, last) == 109'572);  // 300 years, 73 leap days
  for (Date day = first; day <= last; day = day.plus(1)) BOOST_REQUIRE_EQUAL(*parse_date(format_date(day)), day);
}

BOOST_AUTO_TEST_CASE(only_real_days_written_strictly_are_read) {
  for (const char* text :
       {"2026-02-29", "2100-02-29", "2026-13-01", "2026-00-10", "2026-04-31",  "2026-01-00",  "2026-01-32",
        "2026-1-01",  "26-01-01",   "2026/01/01", "20260101",   "2026-01-01 ", " 2026-01-01", "2026-01-01T00:00:00Z",
        "2026-+1-01", "2026--1-01", "-026-01-01", "1899-12-31", "2200-01-01",  "abcd-ef-gh",  "",
        "2026-01-0:"})
    BOOST_TEST(!parse_date(text), "'" << text << "' was taken");
  for (const char* text : {"2024-02-29", "2000-02-29", "1900-01-01", "2199-12-31"})
    BOOST_TEST(bool(parse_date(text)), text << " was refused");
}

BOOST_AUTO_TEST_CASE(parts_beyond_a_calendar_are_no_date) {
  BOOST_TEST(!Date::from_ymd(2026, 257, 1));  // a byte would make January of it
  BOOST_TEST(!Date::from_ymd(2026, 1, 257));
  BOOST_TEST(!Date::from_ymd(2026 + 65'536, 1, 1));
  BOOST_TEST(!Date::from_ymd(2026, 4'294'967'295u, 1));
}

BOOST_AUTO_TEST_CASE(weekdays_count_from_sunday) {
  BOOST_TEST(parse_date("2026-11-20")->weekday() == 5);
  BOOST_TEST(parse_date("1970-01-01")->weekday() == 4);
  BOOST_TEST(parse_date("1969-12-28")->weekday() == 0);
  BOOST_TEST(parse_date("1970-01-01")->days() == 0);
}

BOOST_AUTO_TEST_CASE(an_instant_is_written_in_utc_with_milliseconds) {
  BOOST_TEST(format_timestamp(Timestamp::from_ms(0)) == "1970-01-01T00:00:00.000Z");
  BOOST_TEST(format_timestamp(Timestamp::from_ms(1'795'160'415'123)) == "2026-11-20T07:40:15.123Z");
  BOOST_TEST(format_timestamp(Timestamp::from_ms(-1)) == "1969-12-31T23:59:59.999Z");
  BOOST_TEST(format_timestamp(Timestamp::from_ms(86'399'999)) == "1970-01-01T23:59:59.999Z");
}

BOOST_AUTO_TEST_CASE(an_instant_is_read_as_rfc_3339_writes_it) {
  for (const char* same : {"2026-11-20T07:40:15.123Z", "2026-11-20t07:40:15.1239z", "2026-11-20T09:10:15.123+01:30",
                           "2026-11-19T23:40:15.123-08:00"}) {
    const auto read = parse_timestamp(same);
    BOOST_REQUIRE_MESSAGE(read, same);
    BOOST_TEST(read->ms() == 1'795'160'415'123, same);
  }
  BOOST_TEST(parse_timestamp("1970-01-01T00:00:01.5Z")->ms() == 1500);
  for (const char* wrong :
       {"", "2026-11-20", "2026-11-20T07:40Z", "2026-11-20T07:40:15", "2026-11-20 07:40:15Z", "2026-02-30T07:40:15Z",
        "2026-11-20T24:00:00Z", "2026-11-20T07:60:00Z", "2026-11-20T07:40:60Z", "2026-11-20T07:40:15.Z",
        "2026-11-20T07:40:15.1", "2026-11-20T07:40:15+0100", "2026-11-20T07:40:15+24:00", "2026-11-20T07:40:15Zx",
        "2026-11-20T-7:40:15Z"})
    BOOST_TEST(!parse_timestamp(wrong), wrong);
}

BOOST_AUTO_TEST_CASE(an_instant_of_another_age_is_written_as_the_last_day) {
  BOOST_TEST(format_timestamp(Timestamp::from_ms(INT64_MAX)).substr(0, 11) == "9999-12-31T");
  BOOST_TEST(format_timestamp(Timestamp::from_ms(INT64_MIN)).substr(0, 11) == "0000-01-01T");
  BOOST_TEST(format_timestamp(Timestamp::from_ms(1'795'160'415'123'000)).size() == 24u);
}

BOOST_AUTO_TEST_CASE(the_utc_date_changes_at_midnight_also_before_1970) {
  BOOST_TEST(Timestamp::from_ms(86'399'999).utc_date().days() == 0);
  BOOST_TEST(Timestamp::from_ms(86'400'000).utc_date().days() == 1);
  BOOST_TEST(Timestamp::from_ms(-1).utc_date().days() == -1);
  BOOST_TEST(Timestamp::from_ms(-86'400'000).utc_date().days() == -1);
  BOOST_TEST(Timestamp::from_ms(-86'400'001).utc_date().days() == -2);
  BOOST_TEST(Timestamp::from_ms(1).plus_days(2).utc_date().days() == 2);
}

BOOST_AUTO_TEST_SUITE_END()
