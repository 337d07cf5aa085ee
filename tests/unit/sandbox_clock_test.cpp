// Durations and moves of the clock of a sandbox tenant (core/docs/sandbox_clock.md).
#include "core/domain/operations/sandbox_clock.hpp"

#include <boost/test/unit_test.hpp>

using namespace tideover::domain;

namespace {

constexpr std::int64_t kHour = 3'600'000;
constexpr std::int64_t kDay = 24 * kHour;
const Timestamp kReal = Timestamp::from_ms(1'795'186'800'000);

}  // namespace

BOOST_AUTO_TEST_SUITE(sandbox_clock)

BOOST_AUTO_TEST_CASE(durations_of_whole_units_are_read) {
  BOOST_TEST(parse_duration("P3D").value_or(0) == 3 * kDay);
  BOOST_TEST(parse_duration("P2W").value_or(0) == 14 * kDay);
  BOOST_TEST(parse_duration("PT36H").value_or(0) == 36 * kHour);
  BOOST_TEST(parse_duration("P1DT2H3M4S").value_or(0) == kDay + 2 * kHour + 184'000);
}

BOOST_AUTO_TEST_CASE(other_texts_are_no_durations) {
  for (const char* text :
       {"",    "P",   "PT",     "3D",    "P3",    "PD",  "P-3D", "P1.5D", "P3DT",          "PT3D",
        "P1M", "P1Y", "PT1M1H", "P1D1D", "P1W1D", "P0D", "p3d",  "P3D ",  "P99999999999D", "P36526D"})
    BOOST_TEST(!parse_duration(text), text);
}

BOOST_AUTO_TEST_CASE(an_advance_adds_to_the_shift) {
  const auto once = moved({3 * kDay, std::nullopt}, kReal, 0, true);
  BOOST_REQUIRE(bool(once));
  BOOST_TEST((once->now == kReal.plus_days(3)));
  const auto twice = moved({kHour, std::nullopt}, kReal.plus_ms(5), once->shift_ms, true);
  BOOST_REQUIRE(bool(twice));
  BOOST_TEST(twice->shift_ms == 3 * kDay + kHour);
  BOOST_TEST((twice->now == kReal.plus_ms(3 * kDay + kHour + 5)));
}

BOOST_AUTO_TEST_CASE(a_clock_goes_back_only_before_the_tenant_has_data) {
  const ClockMove back{std::nullopt, kReal.plus_days(-30)};
  const auto refused = moved(back, kReal, 0, true);
  BOOST_REQUIRE(!refused);
  BOOST_TEST((refused.error().code == ErrorCode::invalid_state));
  const auto allowed = moved(back, kReal, 0, false);
  BOOST_REQUIRE(bool(allowed));
  BOOST_TEST(allowed->shift_ms == -30 * kDay);
  BOOST_TEST(bool(moved({std::nullopt, kReal}, kReal, 0, true)));  // the same time again
}

BOOST_AUTO_TEST_CASE(a_clock_stays_within_ten_years_of_the_real_time) {
  BOOST_TEST(bool(moved({kMostShiftDays * kDay, std::nullopt}, kReal, 0, true)));
  const auto far = moved({kMostShiftDays * kDay + 1, std::nullopt}, kReal, 0, true);
  BOOST_REQUIRE(!far);
  BOOST_TEST((far.error().code == ErrorCode::validation_error));
  BOOST_TEST(far.error().fields.front().path == "advance");
  BOOST_TEST(!moved({kDay, std::nullopt}, kReal, kMostShiftDays * kDay, true));
  BOOST_TEST(!moved({std::nullopt, kReal.plus_days(-kMostShiftDays - 1)}, kReal, 0, false));
}

BOOST_AUTO_TEST_SUITE_END()
