#include "core/events/retry_schedule.hpp"

#include <boost/test/unit_test.hpp>

using tideover::events::next_delay_ms;
using tideover::events::RetrySchedule;

BOOST_AUTO_TEST_SUITE(retry_schedule)

BOOST_AUTO_TEST_CASE(the_contract_schedule_has_ten_tries_within_76_hours) {
  const RetrySchedule schedule;
  BOOST_TEST(schedule.tries() == 10);
  std::int64_t total_ms = 0;
  for (int tries = 1; tries < 10; ++tries) total_ms += next_delay_ms(schedule, tries, 0.5, 0).value();
  BOOST_TEST(total_ms == 272'105'000);
  BOOST_TEST(!next_delay_ms(schedule, 10, 0.5, 0).has_value());
}

BOOST_AUTO_TEST_CASE(jitter_spreads_a_pause_by_ten_percent_either_way) {
  const RetrySchedule schedule;
  BOOST_TEST(next_delay_ms(schedule, 2, 0.0, 0).value() == 270'000);
  BOOST_TEST(next_delay_ms(schedule, 2, 0.5, 0).value() == 300'000);
  BOOST_TEST(next_delay_ms(schedule, 2, 1.0, 0).value() == 330'000);
}

BOOST_AUTO_TEST_CASE(retry_after_lengthens_a_pause_and_never_shortens_it) {
  const RetrySchedule schedule;
  BOOST_TEST(next_delay_ms(schedule, 1, 0.5, 120).value() == 120'000);
  BOOST_TEST(next_delay_ms(schedule, 2, 0.5, 120).value() == 300'000);
  BOOST_TEST(next_delay_ms(schedule, 1, 0.5, -7).value() == 5'000);
}

BOOST_AUTO_TEST_CASE(retry_after_parks_a_delivery_no_longer_than_the_longest_pause) {
  BOOST_TEST(next_delay_ms(RetrySchedule{}, 1, 0.5, 400'000'000).value() == 86'400'000);
}

BOOST_AUTO_TEST_CASE(the_longest_pause_includes_its_jitter) {
  RetrySchedule schedule;
  schedule.delays_s = {0, 60, 540, 60};
  schedule.jitter_percent = 10;
  BOOST_TEST(schedule.longest_pause_ms() == 594'000);
}

BOOST_AUTO_TEST_SUITE_END()
