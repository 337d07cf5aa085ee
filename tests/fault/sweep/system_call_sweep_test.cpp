// R2: the confirm may be killed at any system call, not only at the named points.
#include <boost/test/unit_test.hpp>

#include <iostream>

#include "tests/fault/driver/system_calls.hpp"
#include "tests/fault/figure.hpp"
#include "tests/fault/sweep/confirm_sweep.hpp"
#include "tests/fault/sweep/sites.hpp"

using namespace tideover;
using namespace tideover::fault;
using test::is_deep;

BOOST_AUTO_TEST_SUITE(system_call_sweep)

BOOST_AUTO_TEST_CASE(no_kill_at_a_system_call_funds_twice_or_forgets) {
  const long step = is_deep() ? 1 : 10;
  std::string counted;
  Tally all;
  for (const Engine engine : engines())
    for (const char* recall : is_deep() ? std::vector{"dedup", "query"} : std::vector{"query"}) {
      const FreshSite fresh(engine, recall);
      Banks banks(fresh.site());
      Supply supply(fresh.site());
      long calls = 0, kills = 0;
      bool killed = true;
      // The last round, which is not killed, counts how many calls there are.
      for (long n = 1; killed; n += step) {
        Life life(fresh.site(), banks, scenarios().front(), supply.next().settlement, static_cast<std::uint32_t>(n));
        killed = life.errand_in(
            [&](const auto& work) {
              const auto traced = run_until_system_call(n, work);
              calls = traced.calls;
              return traced.end;
            },
            mark_system_calls);
        kills += killed;
        life.go_on();
        all.judge(life,
                  std::string(name_of(engine)) + ", " + recall + " rail, killed at system call " + std::to_string(n));
      }
      fresh.verify();
      BOOST_TEST(kills * step >= calls - 2 * step, "fewer kills than system calls");
      counted += std::string(counted.empty() ? "" : ", ") + name_of(engine) + ' ' + recall + ' ' +
                 std::to_string(kills) + " kills among " + std::to_string(calls) + " calls";
    }
  for (const auto& violation : all.violations) BOOST_ERROR(violation);
  BOOST_TEST(all.kills >= (is_deep() ? 400 : 20));
  std::cout << "R2  kill -9 at every " << (step == 1 ? "" : "10th ") << "system call of a confirm: " << counted << "; "
            << all.doubles << " double, " << all.forgotten << " forgotten, " << all.violations.size()
            << " broken invariants" << std::endl;
}

BOOST_AUTO_TEST_SUITE_END()
