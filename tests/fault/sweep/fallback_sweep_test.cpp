// R1 of `funding.fallback`: a confirm that goes on with another rail after a reject funds at most once, wherever its
// process is killed or overtaken, or its database falls back.
#include <boost/test/unit_test.hpp>

#include <iostream>

#include "tests/fault/figure.hpp"
#include "tests/fault/sweep/confirm_sweep.hpp"
#include "tests/fault/sweep/sites.hpp"

using namespace tideover;
using namespace tideover::fault;
using test::is_deep;

namespace {

/// In CI a scenario tries every so many points, and the next ones the points between.
constexpr long kFallbackStep = 36;

Tally sweep_fallbacks(Engine engine, Mishap mishap) {
  const long step = is_deep() ? 1 : kFallbackStep;
  Tally all;
  long turn = 0;
  for (const std::string recall : kRecalls) {
    // A blind rail cannot say again that it refused. Until an operator does, the later attempt waits in the journal.
    if (recall == "blind" && mishap == &Life::forgotten_behind) continue;
    const FreshSite fresh(engine, recall, true);
    for (const auto& scenario : fallback_scenarios())
      all += kill_sweep(fresh.site(), scenario, {.mishap = mishap, .first = 1 + turn++ % step, .step = step});
    fresh.verify();
  }
  return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(fallback_sweep)

BOOST_AUTO_TEST_CASE(no_kill_of_a_confirm_with_a_fallback_funds_twice_or_forgets) {
  for (const Engine engine : engines()) {
    const auto tally = sweep_fallbacks(engine, &Life::killed_at);
    BOOST_TEST(tally.kills >= 40);
    std::cout << "R1  kill -9 at the crash points of a confirm with a fallback and of recovery, 4 rail kinds x "
              << fallback_scenarios().size() << " behaviours, " << name_of(engine) << ": " << tally.kills
              << " kills in " << tally.runs << " confirms" << verdict(tally) << std::endl;
  }
}

BOOST_AUTO_TEST_CASE(a_worker_with_a_fallback_that_wakes_up_late_is_fenced_out) {
  const auto tally = sweep_fallbacks(Engine::sqlite, &Life::overtaken_at);
  BOOST_TEST(tally.runs >= 32);
  std::cout << "R1  a worker with a fallback held at a crash point, overtaken and let go: " << tally.runs << " confirms"
            << verdict(tally) << std::endl;
}

BOOST_AUTO_TEST_CASE(a_fallback_that_the_database_forgets_is_funded_once) {
  const auto tally = sweep_fallbacks(Engine::sqlite, &Life::forgotten_behind);
  BOOST_TEST(tally.runs >= 32);
  std::cout << "R1  a database that falls back to a crash point of a confirm with a fallback: " << tally.runs
            << " confirms" << verdict(tally) << std::endl;
}

BOOST_AUTO_TEST_SUITE_END()
