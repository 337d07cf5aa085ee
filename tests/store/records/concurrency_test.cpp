// What parallel requests do to each other.
#include <barrier>
#include <thread>

#include "tests/store/records/support/store_under_test.hpp"

using namespace tideover;
using namespace tideover::tests;

namespace {

constexpr int kThreads = 16;

store::CommitterOptions four_lanes() {
  store::CommitterOptions options;
  options.lanes = 4;
  return options;
}

/// Runs `context(thread)` on all threads at once.
template <class RequestContext>
void all_at_once(RequestContext context) {
  std::barrier start(kThreads);
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      start.arrive_and_wait();
      context(thread);
    });
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(store_concurrency)

BOOST_DATA_TEST_CASE(of_sixteen_that_write_one_scope_exactly_one_wins, bdata::make(engines()), engine) {
  StoreUnderTest store(engine, four_lanes());
  for (int round = 0; round < 20; ++round) {
    const auto scope = "scope " + std::to_string(round);
    std::atomic<int> won = 0;
    std::atomic<int> lost = 0;
    all_at_once([&](int thread) {
      auto answer = sample_answer();
      answer.body = std::to_string(thread);
      const auto code = store.try_to_write([&](ports::Records& records) {
        records.audit().append(kTenant, sample_audit_row(static_cast<std::uint64_t>(round * kThreads + thread)));
        records.answers().insert(kTenant, scope, answer, kNow);
      });
      if (!code) ++won;
      if (code == ErrorCode::conflict) ++lost;
    });
    BOOST_TEST(won == 1);
    BOOST_TEST(lost == kThreads - 1);
  }
  // A loser's whole unit is gone, not only the row that collided.
  BOOST_TEST(store.count_past_the_store("SELECT COUNT(*) FROM audit_rows") == 20);
}

BOOST_DATA_TEST_CASE(of_sixteen_that_fund_one_version_exactly_one_wins, bdata::make(engines()), engine) {
  StoreUnderTest store(engine, four_lanes());
  store.write([&](ports::Records& records) { records.settlements().insert(kTenant, sample_settlement(1)); });
  std::atomic<int> won = 0;
  all_at_once([&](int) {
    bool updated = false;
    store.write(
        [&](ports::Records& records) { updated = records.settlements().update(kTenant, sample_settlement(1)); });
    if (updated) ++won;
  });
  BOOST_TEST(won == 1);
}

BOOST_DATA_TEST_CASE(of_sixteen_that_replace_one_claim_exactly_one_wins, bdata::make(engines()), engine) {
  StoreUnderTest store(engine, four_lanes());
  const auto known = sample_claim(1);
  store.write([&](ports::Records& records) { records.claims().insert(kTenant, known); });
  std::atomic<int> won = 0;
  all_at_once([&](int) {
    bool replaced = false;
    store.write(
        [&](ports::Records& records) { replaced = records.claims().replace(kTenant, known, known.claim, kNow); });
    if (replaced) ++won;
  });
  BOOST_TEST(won == 1);
}

BOOST_DATA_TEST_CASE(each_matching_unit_of_a_tenant_sees_the_writes_of_the_one_before, bdata::make(engines()), engine) {
  StoreUnderTest store(engine, four_lanes());
  constexpr int kRounds = 10;
  store.write([&](ports::Records& records) {
    records.clients().insert_tenant(sample_tenant(kTenant), kNow);
    records.deposits().insert(kTenant, sample_deposit(1));
  });
  // Read and write without compare-and-set: only the guard keeps a step from being lost.
  all_at_once([&](int) {
    for (int round = 0; round < kRounds; ++round) {
      store.write([&](ports::Records& records) {
        records.clients().guard_matching(kTenant);
        auto deposit = *records.deposits().find(kTenant, id_of<DepositId>(1));
        deposit.matched_amount += Money::cents(1);
        records.deposits().update_match(kTenant, deposit);
      });
    }
  });
  const auto deposit =
      store.seen([](const ports::Records& records) { return records.deposits().find(kTenant, id_of<DepositId>(1)); });
  BOOST_TEST(deposit->matched_amount.cents() == 1 + kThreads * kRounds);
}

BOOST_AUTO_TEST_SUITE_END()
