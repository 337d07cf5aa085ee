// The clock that the service goes by: small differences it follows, jumps it does not believe until they stand.
#include "core/clock/guarded_clock.hpp"

#include <boost/test/unit_test.hpp>

#include <vector>

#include "core/jobs/prune_pace.hpp"

namespace tideover::clock {
namespace {

constexpr std::int64_t kSecond = 1'000'000;
constexpr std::int64_t kDay = 86'400 * kSecond;

struct Bench {
  std::int64_t wall = 1'800'000'000 * kSecond, steady = 77 * kSecond;
  std::vector<std::pair<GuardedClock::Jump, std::int64_t>> jumps;
  GuardedClock clock{[this](GuardedClock::Jump jump, std::int64_t by_ms) { jumps.emplace_back(jump, by_ms); },
                     {[this] { return wall; }, [this] { return steady; }}};

  /// Both clocks go on, the wall clock at another speed, and the time is asked for every 100 ms.
  void pass(std::int64_t us, int speed = 1) {
    for (std::int64_t done = 0; done < us; done += kSecond / 10) {
      steady += kSecond / 10;
      wall += speed * kSecond / 10;
      clock.now();
    }
  }
  std::int64_t guarded_us() const { return clock.now().ms() * 1000; }
};

BOOST_AUTO_TEST_SUITE(guarded_clock)

BOOST_AUTO_TEST_CASE(it_tells_the_time_of_a_clock_that_behaves) {
  Bench bench;
  bench.pass(3600 * kSecond);
  BOOST_TEST(bench.guarded_us() == bench.wall);
  BOOST_TEST(bench.jumps.empty());
}

BOOST_AUTO_TEST_CASE(it_is_trusted_once_it_has_agreed_for_a_while) {
  Bench bench;
  bench.pass(599 * kSecond);
  BOOST_TEST(!bench.clock.is_trusted());
  bench.pass(2 * kSecond);
  BOOST_TEST(bench.clock.is_trusted());
  bench.wall += 400 * kDay;
  bench.pass(kSecond);
  BOOST_TEST(!bench.clock.is_trusted());
  bench.pass(601 * kSecond);  // believed now, but not for long
  BOOST_TEST(!bench.clock.is_trusted());
  bench.pass(601 * kSecond);
  BOOST_TEST(bench.clock.is_trusted());
  bench.wall += kDay;
  bench.pass(kSecond);
  bench.wall -= kDay;  // taken back
  bench.pass(kSecond);
  BOOST_TEST(!bench.clock.is_trusted());
}

BOOST_AUTO_TEST_CASE(no_more_than_a_twentieth_is_pruned_in_an_hour) {
  jobs::PrunePace pace;
  auto now = std::chrono::steady_clock::time_point(std::chrono::hours(5));
  BOOST_TEST(pace.hour_is_over(now));
  BOOST_TEST(pace.left() == 0u);
  pace.begin_hour(now, 1000);
  BOOST_TEST(pace.left() == 50u);
  pace.pruned(30);
  now += std::chrono::minutes(59);
  BOOST_TEST(!pace.hour_is_over(now));
  BOOST_TEST(pace.left() == 20u);
  pace.pruned(20);
  BOOST_TEST(pace.left() == 0u);
  now += std::chrono::minutes(1);
  BOOST_TEST(pace.hour_is_over(now));
  pace.begin_hour(now, 940);
  BOOST_TEST(pace.left() == 47u);
  pace.begin_hour(now, 3);
  BOOST_TEST(pace.left() == 1u);
}

BOOST_AUTO_TEST_CASE(a_small_difference_is_made_up_slowly_and_time_never_falls) {
  Bench bench;
  for (const std::int64_t off : {900'000, -900'000}) {
    bench.wall += off;
    auto before = bench.guarded_us();
    for (int i = 0; i < 2000; ++i) {
      bench.pass(kSecond / 10);
      const auto now = bench.guarded_us();
      BOOST_REQUIRE(now >= before);
      before = now;
    }
    BOOST_TEST(bench.guarded_us() == bench.wall);
  }
  BOOST_TEST(bench.jumps.empty());
}

BOOST_AUTO_TEST_CASE(a_jump_is_not_believed_until_it_has_stood) {
  for (const std::int64_t by : {3600 * kSecond, -3600 * kSecond, 400 * kDay, -400 * kDay}) {
    Bench bench;
    const auto before = bench.guarded_us();
    bench.wall += by;
    bench.pass(599 * kSecond);
    BOOST_TEST(bench.guarded_us() == before + 599 * kSecond);
    bench.pass(2 * kSecond);
    BOOST_TEST(bench.guarded_us() == bench.wall);
    BOOST_REQUIRE(bench.jumps.size() == 2u);
    BOOST_TEST((bench.jumps.front() == std::pair(GuardedClock::Jump::seen, by / 1000)));
    BOOST_TEST((bench.jumps.back().first == GuardedClock::Jump::believed));
  }
}

BOOST_AUTO_TEST_CASE(a_jump_that_is_taken_back_or_followed_by_another_is_never_believed) {
  Bench bench;
  const auto before = bench.guarded_us();
  for (int i = 0; i < 10; ++i) {
    bench.wall += (i % 2 == 0 ? 1 : -1) * 400 * kDay;
    bench.pass(500 * kSecond);
  }
  BOOST_TEST(bench.guarded_us() == before + 5000 * kSecond);
  BOOST_TEST(bench.guarded_us() == bench.wall);
}

BOOST_AUTO_TEST_CASE(a_clock_that_runs_too_fast_is_never_believed) {
  Bench bench;
  const auto before = bench.guarded_us();
  bench.pass(3600 * kSecond, 10);
  BOOST_TEST(bench.guarded_us() - before < 3602 * kSecond);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::clock
