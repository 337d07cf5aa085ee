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

BOOST_DATA_TEST_CASE(leases_are_real_time_whatever_the_clock_of_their_tenant, bdata::make(engines()), engine) {
  constexpr std::int64_t kHour = 3'600'000;
  StoreUnderTest store(engine);
  const auto attempt = [](std::uint64_t n, AttemptState state, bool in_progress) {
    auto made = sample_attempt(n, 1);
    made.state = state;
    made.next_resolve_at = kNow.plus_ms(1'000);
    made.in_progress = in_progress;
    return made;
  };
  const auto delivery = [](std::uint64_t n, bool in_progress) {
    auto made = sample_delivery(n, 1);
    made.next_try_at = kNow.plus_ms(1'000);
    made.in_progress = in_progress;
    return made;
  };
  store.write([&](ports::Records& records) {
    auto& settlements = records.settlements();
    settlements.insert_attempt(kTenant, attempt(1, AttemptState::submitting, true));
    settlements.insert_attempt(kTenant, attempt(2, AttemptState::unknown, true));
    settlements.insert_attempt(kTenant, attempt(3, AttemptState::unknown, false));
    settlements.insert_attempt(kTenant, attempt(4, AttemptState::accepted, true));
    settlements.insert_attempt(kTenant, attempt(5, AttemptState::accepted, false));
    records.events().insert_delivery(delivery(6, true));
    records.events().insert_delivery(delivery(7, false));
    records.clients().set_clock_shift(kTenant, kHour);
  });
  const auto due = [&](Timestamp now) {
    std::string found;
    store.seen([&](const ports::Records& records) {
      for (const auto& [tenant, one] : records.settlements().attempts_due("node-a", now, 9))
        found += shown(one.subject.text()) + ' ';
      for (const auto& [tenant, one] : records.settlements().payments_to_follow(now, 9))
        found += shown(one.subject.text()) + ' ';
      for (const auto& one : records.events().due(now, 9)) found += shown(one.event) + ' ';
      return 0;
    });
    return found;
  };
  const auto names = [](std::initializer_list<std::uint64_t> settlements, std::initializer_list<std::uint64_t> events) {
    std::string all;
    for (const auto n : settlements) all += shown(id_of<domain::SettlementId>(n).text()) + ' ';
    for (const auto n : events) all += shown(id_of<domain::EventId>(n)) + ' ';
    return all;
  };
  BOOST_TEST(due(kNow) == names({3, 5}, {7}));
  BOOST_TEST(due(kNow.plus_ms(1'000)) == names({1, 2, 3, 4, 5}, {6, 7}));
  store.write([](ports::Records& records) { records.clients().set_clock_shift(kTenant, -kHour); });
  BOOST_TEST(due(kNow.plus_ms(1'000)) == names({1, 2, 4}, {6}));
}

BOOST_DATA_TEST_CASE(previous_secrets_end_by_the_time_of_their_tenant, bdata::make(engines()), engine) {
  constexpr std::int64_t kHour = 3'600'000;
  StoreUnderTest store(engine);
  const auto rotated = [](std::uint64_t n, std::int64_t ends_in_ms) {
    auto endpoint = sample_endpoint(n);
    endpoint.previous_secrets = {{domain::Sensitive<std::string>("whsec_old"), kNow.plus_ms(ends_in_ms)}};
    return endpoint;
  };
  store.write([&](ports::Records& records) {
    records.clients().set_clock_shift(kTenant, -kHour);
    records.clients().set_clock_shift(kOtherTenant, kHour);
    records.webhooks().insert(kTenant, rotated(1, -1));
    records.webhooks().insert(kOtherTenant, rotated(2, kHour));
    records.webhooks().insert(kOtherTenant, rotated(3, kHour + 1));
  });
  BOOST_TEST(store.written([](ports::Records& records) { return records.webhooks().drop_expired_secrets(kNow, 9); }) ==
             1u);
  const auto previous = [&](const domain::TenantId& tenant, std::uint64_t n) {
    return store.seen([&](const ports::Records& records) {
      return records.webhooks().find(tenant, id_of<WebhookEndpointId>(n))->previous_secrets.size();
    });
  };
  BOOST_TEST(previous(kTenant, 1) == 1u);
  BOOST_TEST(previous(kOtherTenant, 2) == 0u);
  BOOST_TEST(previous(kOtherTenant, 3) == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
