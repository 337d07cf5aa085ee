// R1 of the residual: no payout pays twice and none is forgotten, wherever its process is killed or overtaken, or its
// database falls back.
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
constexpr long kPayoutStep = 120;

Tally sweep_payouts(Engine engine, Mishap mishap) {
  const long step = is_deep() ? 1 : kPayoutStep;
  Tally all;
  long turn = 0;
  for (const char* recall : kRecalls) {
    const FreshSite fresh(engine, recall);
    for (const auto& scenario : scenarios()) {
      if (mishap != &Life::killed_at && scenario.name.find("dies") != std::string::npos) continue;
      all += kill_sweep(fresh.site(), scenario,
                        {.mishap = mishap, .first = 1 + turn++ % step, .step = step, .errand = Errand::payout});
    }
    fresh.verify();
  }
  return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(payout_sweep)

BOOST_AUTO_TEST_CASE(no_kill_of_a_payout_pays_twice_or_forgets) {
  for (const Engine engine : engines()) {
    const auto tally = sweep_payouts(engine, &Life::killed_at);
    BOOST_TEST(tally.kills >= 40);
    std::cout << "R1  kill -9 at the crash points of a residual's payout and recovery, 4 rail kinds x "
              << scenarios().size() << " behaviours, " << name_of(engine) << ": " << tally.kills << " kills in "
              << tally.runs << " payouts" << verdict(tally) << std::endl;
  }
}

BOOST_AUTO_TEST_CASE(a_payout_s_worker_that_wakes_up_late_is_fenced_out) {
  const auto tally = sweep_payouts(Engine::sqlite, &Life::overtaken_at);
  BOOST_TEST(tally.runs >= 40);
  std::cout << "R1  a payout's worker held at a crash point, overtaken by the sweeper and let go: " << tally.runs
            << " payouts" << verdict(tally) << std::endl;
}

BOOST_AUTO_TEST_CASE(a_payout_that_the_database_forgets_is_paid_once) {
  const auto tally = sweep_payouts(Engine::sqlite, &Life::forgotten_behind);
  BOOST_TEST(tally.runs >= 40);
  std::cout << "R1  a database that falls back to a crash point of a residual's payout: " << tally.runs << " payouts"
            << verdict(tally) << std::endl;
}

BOOST_AUTO_TEST_SUITE_END()
