// AllocationRecords: rows come back as written, balances are open until they are used, and recoveries that were charged
// to their practices are found.
#include "tests/store/records/reconciliation/payments.hpp"
#include "tests/store/records/support/store_under_test.hpp"

using namespace tideover;
using namespace tideover::domain;
using namespace tideover::tests;

namespace {

AllocationRow row(int number, AllocationAccount account, std::int64_t cents, AllocationReason reason) {
  AllocationRow row;
  row.number = number;
  row.line = AllocationLine::provider_adjustment;
  row.account = account;
  row.payer_id = "PAYER-A";
  row.payee_npi = "1999999984";
  row.amount = Money::cents(cents);
  row.reason = reason;
  row.posted_at = Timestamp::from_ms(1'000 + number);
  return row;
}

void append(StoreUnderTest& store, std::uint64_t remittance, const AllocationRow& row) {
  store.write(
      [&](ports::Records& records) { records.allocations().append(kTenant, id_of<RemittanceId>(remittance), row); });
}

std::string open_balances(StoreUnderTest& store) {
  std::string text;
  for (const auto& open : store.seen(
           [](const ports::Records& records) { return records.allocations().open_balances(kTenant, "PAYER-A", 9); }))
    text += std::to_string(open.row.number) + ":" + std::to_string(open.left.cents()) + " ";
  return text;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(store_allocations)

BOOST_DATA_TEST_CASE(a_row_comes_back_as_it_was_written, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  auto whole = row(1, AllocationAccount::advance, -790'00, AllocationReason::advance_recovered);
  whole.index = 3;
  whole.settlement = id_of<SettlementId>(1);
  whole.balance = AllocationRef{id_of<RemittanceId>(7), 4};
  whole.record = id_of<ReconciliationId>(2);
  whole.undoes = 9;
  whole.task = id_of<TaskId>(3);
  whole.payee_alias = id_of<PayeeAliasId>(4);
  whole.transaction = id_of<LedgerTransactionId>(5);
  append(store, 1, whole);
  append(store, 1, row(2, AllocationAccount::payable, 5, AllocationReason::released));
  const auto rows = store.seen(
      [](const ports::Records& records) { return records.allocations().of(kTenant, id_of<RemittanceId>(1)); });
  BOOST_REQUIRE(rows.size() == 2u);
  const auto& read = rows.front();
  BOOST_TEST(read.number == 1);
  BOOST_TEST((read.line == whole.line));
  BOOST_TEST(read.index == 3);
  BOOST_TEST((read.account == whole.account));
  BOOST_TEST((read.settlement == whole.settlement));
  BOOST_TEST(read.payer_id == whole.payer_id);
  BOOST_TEST(read.payee_npi == whole.payee_npi);
  BOOST_TEST(read.amount.cents() == whole.amount.cents());
  BOOST_TEST((read.reason == whole.reason));
  BOOST_TEST((read.balance == whole.balance));
  BOOST_TEST((read.record == whole.record));
  BOOST_TEST((read.undoes == whole.undoes));
  BOOST_TEST((read.task == whole.task));
  BOOST_TEST((read.payee_alias == whole.payee_alias));
  BOOST_TEST((read.transaction == whole.transaction));
  BOOST_TEST((read.posted_at == whole.posted_at));
  BOOST_TEST(!rows.back().balance.has_value());
  BOOST_TEST(!rows.back().undoes.has_value());
  BOOST_TEST(!rows.back().payee_alias.has_value());
}

BOOST_DATA_TEST_CASE(a_forward_balance_is_open_until_it_is_used_or_undone, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  append(store, 1, row(1, AllocationAccount::carried, 500, AllocationReason::carried_forward));
  append(store, 1, row(2, AllocationAccount::carried, 100, AllocationReason::carried_forward));
  auto other = row(3, AllocationAccount::carried, 900, AllocationReason::carried_forward);
  other.payer_id = "PAYER-B";
  append(store, 1, other);
  BOOST_TEST(open_balances(store) == "1:500 2:100 ");
  auto use = row(1, AllocationAccount::carried, -300, AllocationReason::balance_recovered);
  use.balance = AllocationRef{id_of<RemittanceId>(1), 1};
  append(store, 2, use);
  BOOST_TEST(open_balances(store) == "1:200 2:100 ");
  const auto is_used = [&](int number) {
    return store.seen([&](const ports::Records& records) {
      return records.allocations().is_used(kTenant, {id_of<RemittanceId>(1), number});
    });
  };
  BOOST_TEST(is_used(1));
  BOOST_TEST(!is_used(2));
  auto undone = opposite_of(use);
  undone.number = 2;
  append(store, 2, undone);
  BOOST_TEST(!is_used(1));
  auto gone = opposite_of(row(2, AllocationAccount::carried, 100, AllocationReason::carried_forward));
  gone.number = 4;
  gone.balance = AllocationRef{id_of<RemittanceId>(1), 2};
  append(store, 1, gone);
  BOOST_TEST(open_balances(store) == "1:500 ");
}

BOOST_DATA_TEST_CASE(recoveries_that_were_charged_to_their_practices_are_found, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  append(store, 1, row(1, AllocationAccount::payable, -5, AllocationReason::unknown_recovered));
  append(store, 2, row(1, AllocationAccount::payable, -6, AllocationReason::claim_recovered));
  append(store, 3, row(1, AllocationAccount::payable, 7, AllocationReason::beside_claims));
  const auto found = [&](const RemittanceId& after = {}, std::size_t limit = 9) {
    return store
        .seen([&](const ports::Records& records) {
          return records.allocations().charged_recoveries(kTenant, "PAYER-A", after, limit);
        })
        .size();
  };
  BOOST_TEST(found({}, 1) == 1u);
  BOOST_TEST(found(id_of<RemittanceId>(1)) == 1u);
  BOOST_TEST(found(id_of<RemittanceId>(2)) == 0u);
  BOOST_TEST(found() == 2u);
  auto undone = opposite_of(row(1, AllocationAccount::payable, -6, AllocationReason::claim_recovered));
  undone.number = 2;
  append(store, 2, undone);
  BOOST_TEST(found() == 1u);
}

BOOST_DATA_TEST_CASE(what_was_recovered_of_an_advance_is_counted_until_a_takeback_announces_it, bdata::make(engines()),
                     engine) {
  StoreUnderTest store(engine);
  const auto recovered = [&](std::uint64_t except) {
    return store
        .seen([&](const ports::Records& records) {
          return records.allocations().recovered_of(kTenant, id_of<SettlementId>(1), id_of<RemittanceId>(except));
        })
        .cents();
  };
  BOOST_TEST(recovered(9) == 0);
  auto recovery = row(1, AllocationAccount::advance, -500, AllocationReason::advance_recovered);
  recovery.settlement = id_of<SettlementId>(1);
  append(store, 1, recovery);
  auto of_another = recovery;
  of_another.settlement = id_of<SettlementId>(2);
  append(store, 2, of_another);
  BOOST_TEST(recovered(9) == 500);
  BOOST_TEST(recovered(1) == 0);
  auto announced = row(1, AllocationAccount::carried, -200, AllocationReason::recovered_before);
  announced.settlement = id_of<SettlementId>(1);
  append(store, 3, announced);
  BOOST_TEST(recovered(9) == 300);
  auto undone = opposite_of(recovery);
  undone.number = 2;
  append(store, 1, undone);
  BOOST_TEST(recovered(9) == -200);
}

BOOST_AUTO_TEST_SUITE_END()
