// R1: no confirm funds twice and none is forgotten, wherever its process is killed.
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
constexpr long kConfirmStep = 28;

}  // namespace

BOOST_AUTO_TEST_SUITE(confirm_sweep)

BOOST_AUTO_TEST_CASE(no_kill_of_a_confirm_funds_twice_or_forgets) {
  constexpr int kCi = 300, kDeep = 5000;
  const long step = is_deep() ? 1 : kConfirmStep;
  Tally all;
  std::string counted;
  for (const Engine engine : engines()) {
    Tally here;
    for (std::uint32_t round = 1; round == 1 || (is_deep() && here.kills < kDeep / 2); ++round) {
      long turn = 0;
      for (const char* recall : kRecalls) {
        const FreshSite fresh(engine, recall);
        for (const auto& scenario : scenarios())
          here += kill_sweep(fresh.site(), scenario, {.seed = round, .first = 1 + turn++ % step, .step = step});
        fresh.verify();
      }
    }
    counted += std::string(counted.empty() ? "" : ", ") + name_of(engine) + ' ' + std::to_string(here.kills) +
               " kills in " + std::to_string(here.runs) + " confirms";
    all += here;
  }
  BOOST_TEST(all.kills >= (is_deep() ? kDeep : kCi));
  std::cout << "R1  kill -9 at the crash points of confirm and recovery, 4 rail kinds x " << scenarios().size()
            << " behaviours: " << counted << verdict(all) << std::endl;
}

BOOST_AUTO_TEST_CASE(a_worker_that_wakes_up_late_is_fenced_out) {
  const long step = is_deep() ? 1 : kConfirmStep;
  Tally all;
  long turn = 0;
  for (const char* recall : kRecalls) {
    const FreshSite fresh(Engine::sqlite, recall);
    for (const auto& scenario : scenarios())
      if (scenario.name.find("dies") == std::string::npos)
        all += kill_sweep(fresh.site(), scenario,
                          {.mishap = &Life::overtaken_at, .first = 1 + turn++ % step, .step = step});
    fresh.verify();
  }
  BOOST_TEST(all.runs >= 60);
  std::cout << "R1  a worker held at a crash point, overtaken by the sweeper and let go (F12): " << all.runs
            << " confirms" << verdict(all) << std::endl;
}

BOOST_AUTO_TEST_SUITE_END()
