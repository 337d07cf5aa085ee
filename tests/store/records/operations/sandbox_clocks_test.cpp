// Queries over all tenants by the time of each tenant (core/docs/sandbox_clock.md).
#include "tests/store/records/support/store_under_test.hpp"

using namespace tideover;
using namespace tideover::tests;

BOOST_AUTO_TEST_SUITE(store_sandbox_clocks)

BOOST_DATA_TEST_CASE(each_tenant_has_its_own_time, bdata::make(engines()), engine) {
  constexpr std::int64_t kDay = 86'400'000;
  StoreUnderTest store(engine);
  const auto expires = [](std::uint64_t n, int in_days) {
    auto stored = sample_settlement(n);
    stored.settlement.status = domain::SettlementStatus::approved;
    stored.settlement.funding_status = domain::FundingStatus::none;
    stored.settlement.expires_at = kNow.plus_days(in_days);
    return stored;
  };
  store.write([&](ports::Records& records) {
    records.settlements().insert(kTenant, expires(1, 0));
    records.settlements().insert(kTenant, expires(2, 1));
    records.settlements().insert(kOtherTenant, expires(3, 10));
    records.settlements().insert(kOtherTenant, expires(4, 11));
  });
  const auto lapsed = [&](std::size_t limit) {
    return store.seen([&](const ports::Records& records) { return records.settlements().lapsed(kNow, limit); });
  };
  const auto shift = [&](const domain::TenantId& tenant, std::int64_t ms) {
    store.write([&](ports::Records& records) { records.clients().set_clock_shift(tenant, ms); });
  };
  const auto first = std::pair(kTenant, id_of<domain::SettlementId>(1)),
             third = std::pair(kOtherTenant, id_of<domain::SettlementId>(3));
  BOOST_TEST(shown(lapsed(9)) == shown(std::vector{first}));
  shift(kOtherTenant, 10 * kDay);
  BOOST_TEST(shown(lapsed(9)) == shown(std::vector{first, third}));
  shift(kTenant, -1);
  BOOST_TEST(shown(lapsed(1)) == shown(std::vector{third}));
  shift(kOtherTenant, 10 * kDay - 1);
  BOOST_TEST(lapsed(9).empty());
  const auto shifts = store.seen([](const ports::Records& records) { return records.clients().clock_shifts(); });
  BOOST_TEST(shifts.size() == 2u);
  BOOST_TEST(shifts.at(kTenant.text()) == -1);
  BOOST_TEST(store.seen([](const ports::Records& records) { return records.clients().clock_shift(kOtherTenant); }) ==
             10 * kDay - 1);
}

BOOST_AUTO_TEST_SUITE_END()
