// Local times: New York by default, and those of other zones by name.
#include <boost/test/unit_test.hpp>

#include "core/clock/new_york_time.hpp"

namespace tideover::clock {
namespace {

domain::Timestamp at(const char* text) {
  return *domain::parse_timestamp(text);
}

BOOST_AUTO_TEST_SUITE(zones)

BOOST_AUTO_TEST_CASE(the_same_instant_has_the_local_time_of_each_zone) {
  const NewYorkTime new_york;
  const auto chicago = new_york.in_zone("America/Chicago"), tokyo = new_york.in_zone("Asia/Tokyo");
  BOOST_REQUIRE(chicago);
  BOOST_REQUIRE(tokyo);
  const auto evening = at("2026-11-20T22:30:00.000Z");
  BOOST_TEST(new_york.minute_of_day(evening) == 17 * 60 + 30);
  BOOST_TEST(chicago->minute_of_day(evening) == 16 * 60 + 30);
  BOOST_TEST(tokyo->minute_of_day(evening) == 7 * 60 + 30);
  BOOST_TEST((new_york.date_at(evening) == *domain::Date::from_ymd(2026, 11, 20)));
  BOOST_TEST((tokyo->date_at(evening) == *domain::Date::from_ymd(2026, 11, 21)));
  BOOST_TEST((chicago->instant(*domain::Date::from_ymd(2026, 11, 20), 16 * 60 + 30) == evening));
  // From another zone, too.
  BOOST_TEST(tokyo->in_zone("America/New_York")->minute_of_day(evening) == 17 * 60 + 30);
}

BOOST_AUTO_TEST_CASE(an_unknown_zone_has_no_time) {
  BOOST_TEST(!NewYorkTime().in_zone("America/Gotham"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::clock
