// Moves of the clock of a sandbox tenant, and when a node learns of them (core/docs/sandbox_clock.md).
#include "core/usecases/sandbox/move_clock.hpp"

#include <atomic>
#include <future>

#include "tests/usecases/world.hpp"

using namespace tideover;

BOOST_FIXTURE_TEST_SUITE(clock_moves, tests::World)

BOOST_AUTO_TEST_CASE(shifts_that_were_read_earlier_do_not_replace_later_ones) {
  constexpr std::int64_t kBefore = 1'000, kAfter = 2'000;
  const auto store_shift = [&](std::int64_t ms) {
    return bool(sql->commit([&](ports::Records& records) -> domain::Status {
      records.clients().set_clock_shift(caller.tenant, ms);
      return {};
    }));
  };
  BOOST_REQUIRE(store_shift(kBefore));
  std::atomic<std::int64_t> published = 0;
  std::atomic<bool> is_first = true;
  std::future<bool> later;
  const usecases::MoveClock* clock_of_node = nullptr;
  const auto publish = [&](const std::map<std::string, std::int64_t>& shifts) {
    if (is_first.exchange(false)) {
      // Another thread reads a move before the first one has published what it read.
      later = std::async(std::launch::async, [&] { return store_shift(kAfter) && bool(clock_of_node->refresh()); });
      later.wait_for(std::chrono::milliseconds(300));
    }
    published = shifts.at(caller.tenant.text());
  };
  const usecases::MoveClock moves(*store, ids, publish, [] {});
  clock_of_node = &moves;
  BOOST_REQUIRE(bool(moves.refresh()));
  BOOST_TEST(later.get());
  BOOST_TEST(published == kAfter);
}

BOOST_AUTO_TEST_SUITE_END()
