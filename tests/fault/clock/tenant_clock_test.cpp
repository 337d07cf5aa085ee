// The clock that follows the tenant of the current thread (core/docs/sandbox_clock.md).
#include "core/clock/tenant_clock.hpp"

#include <boost/test/unit_test.hpp>

#include <thread>

namespace tideover::clock {
namespace {

/// fakes::FixedClock follows tenants by itself.
struct RealClock final : ports::Clock {
  domain::Timestamp now() const override { return domain::Timestamp::from_ms(1'795'186'800'000); }
};

struct TwoTenants {
  RealClock real;
  TenantClock clock{real};
  const domain::TenantId ahead = domain::TenantId::of({1, 1}), usual = domain::TenantId::of({2, 2});

  std::int64_t shift_ms() const { return clock.now().ms() - real.now().ms(); }
};

BOOST_AUTO_TEST_SUITE(tenant_clock)

BOOST_FIXTURE_TEST_CASE(without_shifts_it_is_the_real_time, TwoTenants) {
  BOOST_TEST(shift_ms() == 0);
  const ports::InTimeOf in_time(clock, ahead);
  BOOST_TEST(shift_ms() == 0);
}

BOOST_FIXTURE_TEST_CASE(each_tenant_has_its_time_until_the_end_of_the_block, TwoTenants) {
  clock.publish({{ahead.text(), 5'000}});
  {
    const ports::InTimeOf in_time(clock, ahead);
    BOOST_TEST(shift_ms() == 5'000);
    BOOST_TEST(now_of(clock, usual).ms() == real.now().ms());
    BOOST_TEST(shift_ms() == 5'000);
  }
  BOOST_TEST(shift_ms() == 0);
  BOOST_TEST(now_of(clock, ahead).ms() == real.now().ms() + 5'000);
}

BOOST_FIXTURE_TEST_CASE(a_shift_belongs_to_its_thread, TwoTenants) {
  clock.publish({{ahead.text(), 5'000}});
  const ports::InTimeOf in_time(clock, ahead);
  std::int64_t of_another = -1;
  std::thread([&] { of_another = shift_ms(); }).join();
  BOOST_TEST(of_another == 0);
}

BOOST_FIXTURE_TEST_CASE(the_last_published_shifts_hold, TwoTenants) {
  clock.publish({{ahead.text(), 5'000}});
  clock.publish({{usual.text(), -7}});
  BOOST_TEST(clock.shift_of(ahead) == 0);
  BOOST_TEST(clock.shift_of(usual) == -7);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::clock
