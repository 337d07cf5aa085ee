// Payment delays of payers.
#include "core/estimators/effects/delay.hpp"

#include <boost/test/unit_test.hpp>
#include <numeric>
#include <vector>

using namespace tideover;
using namespace tideover::estimators;

namespace {

using Days = std::array<double, kCalendarDays>;

const BankDays calendar;
const std::int32_t kMonday = calendar.on_or_after(*domain::parse_date("2024-03-04"));  // of weeks without a holiday

/// Paid so many banking days after a submission on this weekday (0 = Monday).
void observe(Delay& delay, int weekday, int wait) {
  delay.observe(calendar, calendar.day(kMonday + weekday), calendar.day(kMonday + weekday + wait));
}

Days spread_of(const Delay& delay, const char* submitted) {
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
  const auto date = [](const char* text) { return *domain::parse_date(text); };
  const auto friday = calendar.on_or_after(date("2025-11-21"));
  BOOST_TEST(calendar.on_or_after(date("2025-11-22")) == friday + 1);
  BOOST_TEST((calendar.day(friday + 1) == date("2025-11-24")));
  BOOST_TEST(calendar.on_or_after(date("2025-11-28")) == friday + 4);  // Thanksgiving between
  BOOST_TEST(calendar.weekday(friday) == 4);
}

BOOST_AUTO_TEST_CASE(a_distribution_sums_to_one_and_lies_on_banking_days) {
  Delay delay;
  for (int i = 0; i < 50; ++i) observe(delay, i % 5, 8 + i % 7);
  delay.fit(calendar, nullptr);
  const Days days = spread_of(delay, "2025-11-20");
  BOOST_REQUIRE_SMALL(std::accumulate(days.begin(), days.end(), 0.0) - 1, 1e-6);
  BOOST_TEST(days[2] == 0.0);  // Saturday
  BOOST_TEST(days[7] == 0.0);  // Thanksgiving
}

BOOST_AUTO_TEST_CASE(a_payer_has_its_own_delay_and_one_without_outcomes_that_of_its_class) {
  Delay payer_class, known, unknown;
  for (int i = 0; i < 500; ++i) observe(payer_class, i % 5, 15 + i % 10);
  payer_class.fit(calendar, nullptr);
  for (int i = 0; i < 500; ++i) observe(known, i % 5, 4);
  known.fit(calendar, &payer_class);
  unknown.fit(calendar, &payer_class);
  BOOST_TEST(quantile_of(spread_of(known, "2025-03-03"), 0.5) == 4);
  BOOST_TEST(quantile_of(spread_of(unknown, "2025-03-03"), 0.5) ==
             quantile_of(spread_of(payer_class, "2025-03-03"), 0.5));
  BOOST_TEST(quantile_of(spread_of(known, "2025-03-03"), 0.5) < quantile_of(spread_of(unknown, "2025-03-03"), 0.5));
}

BOOST_AUTO_TEST_CASE(a_weekly_payment_run_is_detected_and_kept_on_its_weekday) {
  Delay delay;
  // Ready after 6 to 9 banking days, paid on the next Wednesday.
  for (int i = 0; i < 400; ++i) {
    const int start = i % 5;
    int wait = 6 + (i / 5) % 4;
    while ((start + wait) % 5 != 2) ++wait;
    observe(delay, start, wait);
  }
  delay.fit(calendar, nullptr);
  const Days days = spread_of(delay, "2025-03-03");  // a Monday
  double on_wednesdays = 0;
  for (int day = 2; day < kCalendarDays; day += 7) on_wednesdays += days[static_cast<std::size_t>(day)];
  BOOST_TEST(on_wednesdays > 0.93);
}

/// Claims of every day of these months, ready after 8 to 12 banking days and paid on the first run from then on.
template <class IsRun>
Delay paid_on(IsRun is_run, const char* from, const char* to) {
  Delay delay;
  const std::int32_t first = calendar.on_or_after(*domain::parse_date(from)),
                     last = calendar.on_or_after(*domain::parse_date(to));
  std::vector<std::vector<int>> waits(
      static_cast<std::size_t>(last - first + 60));  // by day of payment, as they are observed of
  for (std::int32_t day = first; day < last; ++day) {
    std::int32_t paid = day + 8 + (day * 7) % 5;
    while (!is_run(paid)) ++paid;
    waits[static_cast<std::size_t>(paid - first)].push_back(paid - day);
  }
  for (std::size_t at = 0; at < waits.size(); ++at) {
    for (const int wait : waits[at])
      delay.observe(calendar, calendar.day(first + static_cast<std::int32_t>(at) - wait),
                    calendar.day(first + static_cast<std::int32_t>(at)));
    if (at % 21 == 20) delay.begin_epoch();
  }
  delay.fit(calendar, nullptr);
  return delay;
}

/// Whether a payer with these payment days is taken for one of half-months.
template <class IsRun>
bool is_by_half_month(IsRun is_run, const char* from, const char* to) {
  PayDays days;
  const std::int32_t first = calendar.on_or_after(*domain::parse_date(from)),
                     last = calendar.on_or_after(*domain::parse_date(to));
  for (std::int32_t day = first; day < last; ++day) {
    if (is_run(day)) days.paid_on(calendar, day);
    if ((day - first) % 21 == 20) days.begin_epoch();
  }
  return days.by_half_month();
}

BOOST_AUTO_TEST_CASE(a_payer_that_pays_on_the_1st_and_the_15th_is_detected) {
  const auto is_run = [](std::int32_t number) {
    return calendar.half_month_position(number) == 1;
  };  // the day after: the transfer
  const Delay delay = paid_on(is_run, "2024-01-02", "2024-09-30");
  BOOST_TEST(is_by_half_month(is_run, "2024-01-02", "2024-09-30"));
  const auto day_of = [](const char* submitted, const char* posted) {
    return static_cast<std::size_t>(days_between(*domain::parse_date(submitted), *domain::parse_date(posted)));
  };
  // Ready between 15 and 21 October: all but the first of it on Monday the 4th, the bank day after Friday the 1st.
  const Days october = spread_of(delay, "2024-10-03");
  BOOST_TEST(october[day_of("2024-10-03", "2024-10-16")] + october[day_of("2024-10-03", "2024-11-04")] > 0.9);
  BOOST_TEST(october[day_of("2024-10-03", "2024-11-04")] > 0.6);
  // All ready between the 1st and the 15th of a month with other weekdays and a holiday.
  const Days january = spread_of(delay, "2025-01-24");
  BOOST_TEST(january[day_of("2025-01-24", "2025-02-19")] > 0.85);
}

BOOST_AUTO_TEST_CASE(a_payer_of_weekly_runs_is_not_taken_for_one_of_half_months) {
  const auto on_wednesdays = [](std::int32_t number) { return calendar.weekday(number) == 2; };
  BOOST_TEST(!is_by_half_month(on_wednesdays, "2024-01-02", "2024-09-30"));
  BOOST_TEST(!is_by_half_month([](std::int32_t) { return true; }, "2024-01-02", "2024-09-30"));
}

BOOST_AUTO_TEST_CASE(a_change_from_half_month_to_weekly_payments_is_detected) {
  const std::int32_t turn = calendar.on_or_after(*domain::parse_date("2024-07-01"));
  const auto is_run = [&](std::int32_t number) {
    return number < turn ? calendar.half_month_position(number) == 1 : calendar.weekday(number) == 2;
  };
  BOOST_TEST(is_by_half_month(is_run, "2024-01-02", "2024-06-10"));
  BOOST_TEST(!is_by_half_month(is_run, "2024-01-02", "2025-03-31"));
}

BOOST_AUTO_TEST_CASE(a_payment_floor_applies_over_holidays) {
  Delay held(14), counted;
  for (std::int32_t number = kMonday; number < kMonday + 60; ++number) {
    const auto submitted = calendar.day(number);
    const auto posted = calendar.day(calendar.on_or_after(submitted.plus(14)) + 1);  // the day after the floor
    held.observe(calendar, submitted, posted);
    counted.observe(calendar, submitted, posted);
  }
  held.fit(calendar, nullptr);
  counted.fit(calendar, nullptr);
  const auto day = static_cast<std::size_t>(days_between(
      *domain::parse_date("2025-12-18"), *domain::parse_date("2026-01-05")));  // the floor ends on New Year's Day
  BOOST_TEST(spread_of(held, "2025-12-18")[day] > 0.7);
  BOOST_TEST(spread_of(counted, "2025-12-18")[day] < 0.3);
}

BOOST_AUTO_TEST_CASE(half_months_begin_on_the_bank_day_of_the_1st_and_the_15th) {
  const auto place_on = [](const char* text) {
    return calendar.half_month_position(calendar.on_or_after(*domain::parse_date(text)));
  };
  BOOST_TEST(place_on("2025-02-03") == 0);  // the 1st is a Saturday
  BOOST_TEST(place_on("2025-02-14") == 9);
  BOOST_TEST(place_on("2025-02-18") == 0);  // a weekend and a holiday behind the 15th
  BOOST_TEST(place_on("2025-01-02") == 0);
  int most = 0;
  for (std::int32_t number = 0; number < calendar.count(); ++number)
    most = std::max(most, calendar.half_month_position(number));
  BOOST_TEST(most == kHalfMonthPositions - 1);
}

BOOST_AUTO_TEST_CASE(open_claims_offset_the_bias_of_early_payments) {
  // Half pay on day 5, half on day 25; ten days after the start only the quick ones have shown.
  Delay fooled, warned;
  for (int i = 0; i < 100; ++i) {
    observe(fooled, i % 5, 5);
    observe(warned, i % 5, 5);
    warned.open(calendar, calendar.day(kMonday + i % 5), calendar.day(kMonday + i % 5 + 10), 1.0);
  }
  fooled.fit(calendar, nullptr);
  warned.fit(calendar, nullptr);
  BOOST_TEST(quantile_of(spread_of(fooled, "2025-03-03"), 0.8) <= 8);
  BOOST_TEST(quantile_of(spread_of(warned, "2025-03-03"), 0.8) > 15);
}

BOOST_AUTO_TEST_CASE(old_epochs_fade) {
  Delay delay;
  for (int i = 0; i < 200; ++i) observe(delay, i % 5, 30);
  for (int month = 0; month < 12; ++month) delay.begin_epoch();
  BOOST_REQUIRE_CLOSE(delay.outcomes(), 200 * 0.1422, 3.0);
  for (int i = 0; i < 200; ++i) observe(delay, i % 5, 10);
  delay.fit(calendar, nullptr);
  BOOST_TEST(quantile_of(spread_of(delay, "2025-03-03"), 0.5) < 20);
}

BOOST_AUTO_TEST_CASE(a_payer_that_slows_down_raises_the_alarm_and_a_steady_one_does_not) {
  Delay delay;
  for (int i = 0; i < 200; ++i) observe(delay, i % 5, 10);
  delay.begin_epoch();
  const double before = delay.outcomes();
  for (int day = 0; day < 250; ++day) BOOST_REQUIRE(!delay.watch(day % 2 == 0 ? 0.35 : 0.65, 5));
  int days = 0;
  while (!delay.watch(0.95, 5)) BOOST_REQUIRE_LT(++days, 20);
  BOOST_TEST(delay.alarms() == 1);
  BOOST_TEST(delay.outcomes() < before / 2);
}

BOOST_AUTO_TEST_SUITE_END()
