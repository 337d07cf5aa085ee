// How long payers take.
#include "core/estimators/delay.hpp"

#include <boost/test/unit_test.hpp>
#include <numeric>

using namespace tideover;
using namespace tideover::estimators;

namespace {

using Days = std::array<double, kCalendarDays>;

Days spread_of(const Delay& delay, const char* submitted) {
  static const BankDays calendar;
  Days days{};
  delay.spread(calendar, *domain::parse_date(submitted), 1, days);
  return days;
}

int quantile_of(const Days& days, double level) {
  double sum = 0;
  for (int day = 0; day < kCalendarDays; ++day) {
    sum += days[static_cast<std::size_t>(day)];
    if (sum >= level) return day;
  }
  return kCalendarDays;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(delays)

BOOST_AUTO_TEST_CASE(banking_days_are_counted_over_weekends_and_holidays) {
  const BankDays calendar;
  const auto date = [](const char* text) { return *domain::parse_date(text); };
  const auto friday = calendar.on_or_after(date("2025-11-21"));
  BOOST_TEST(calendar.on_or_after(date("2025-11-22")) == friday + 1);
  BOOST_TEST((calendar.day(friday + 1) == date("2025-11-24")));
  BOOST_TEST(calendar.on_or_after(date("2025-11-28")) == friday + 4);  // Thanksgiving between
  BOOST_TEST(calendar.weekday(friday) == 4);
}

BOOST_AUTO_TEST_CASE(a_distribution_is_whole_and_lies_on_banking_days) {
  Delay delay;
  for (int i = 0; i < 50; ++i) delay.observe(i % 5, 8 + i % 7);
  delay.fit(nullptr);
  const Days days = spread_of(delay, "2025-11-20");
  BOOST_REQUIRE_SMALL(std::accumulate(days.begin(), days.end(), 0.0) - 1, 1e-6);
  BOOST_TEST(days[2] == 0.0);   // Saturday
  BOOST_TEST(days[7] == 0.0);   // Thanksgiving
}

BOOST_AUTO_TEST_CASE(a_payer_of_many_outcomes_is_known_and_one_of_none_is_like_its_class) {
  Delay payer_class, known, unknown;
  for (int i = 0; i < 500; ++i) payer_class.observe(i % 5, 15 + i % 10);
  payer_class.fit(nullptr);
  for (int i = 0; i < 500; ++i) known.observe(i % 5, 4);
  known.fit(&payer_class);
  unknown.fit(&payer_class);
  BOOST_TEST(quantile_of(spread_of(known, "2025-03-03"), 0.5) == 4);
  BOOST_TEST(quantile_of(spread_of(unknown, "2025-03-03"), 0.5) == quantile_of(spread_of(payer_class, "2025-03-03"), 0.5));
  BOOST_TEST(quantile_of(spread_of(known, "2025-03-03"), 0.5) < quantile_of(spread_of(unknown, "2025-03-03"), 0.5));
}

BOOST_AUTO_TEST_CASE(a_weekly_payment_run_is_found_and_kept_on_its_weekday) {
  Delay delay;
  // Ready after 6 to 9 banking days, paid on the next Wednesday.
  for (int i = 0; i < 400; ++i) {
    const int start = i % 5;
    int wait = 6 + (i / 5) % 4;
    while ((start + wait) % 5 != 2) ++wait;
    delay.observe(start, wait);
  }
  delay.fit(nullptr);
  const Days days = spread_of(delay, "2025-03-03");  // a Monday
  double on_wednesdays = 0;
  for (int day = 2; day < kCalendarDays; day += 7) on_wednesdays += days[static_cast<std::size_t>(day)];
  BOOST_TEST(on_wednesdays > 0.93);
}

BOOST_AUTO_TEST_CASE(open_claims_keep_fresh_quick_payments_from_looking_like_all) {
  // Half pay on day 5, half on day 25; ten days after the start only the quick ones have shown.
  Delay fooled, warned;
  for (int i = 0; i < 100; ++i) {
    fooled.observe(i % 5, 5);
    warned.observe(i % 5, 5);
    warned.open(i % 5, 10, 1.0);
  }
  fooled.fit(nullptr);
  warned.fit(nullptr);
  BOOST_TEST(quantile_of(spread_of(fooled, "2025-03-03"), 0.8) <= 8);
  BOOST_TEST(quantile_of(spread_of(warned, "2025-03-03"), 0.8) > 15);
}

BOOST_AUTO_TEST_CASE(old_epochs_fade) {
  Delay delay;
  for (int i = 0; i < 200; ++i) delay.observe(i % 5, 30);
  for (int month = 0; month < 12; ++month) delay.begin_epoch();
  BOOST_REQUIRE_CLOSE(delay.outcomes(), 200 * 0.1422, 3.0);
  for (int i = 0; i < 200; ++i) delay.observe(i % 5, 10);
  delay.fit(nullptr);
  BOOST_TEST(quantile_of(spread_of(delay, "2025-03-03"), 0.5) < 20);
}

BOOST_AUTO_TEST_CASE(a_payer_that_turns_slow_raises_the_alarm_and_a_steady_one_does_not) {
  Delay delay;
  for (int i = 0; i < 200; ++i) delay.observe(i % 5, 10);
  delay.begin_epoch();
  const double before = delay.outcomes();
  for (int day = 0; day < 250; ++day) BOOST_REQUIRE(!delay.watch(day % 2 == 0 ? 0.35 : 0.65, 5));
  int days = 0;
  while (!delay.watch(0.95, 5)) BOOST_REQUIRE_LT(++days, 20);
  BOOST_TEST(delay.alarms() == 1);
  BOOST_TEST(delay.outcomes() < before / 2);
}

BOOST_AUTO_TEST_SUITE_END()
