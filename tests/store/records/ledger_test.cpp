// LedgerRecords: append-only double entry.
#include "tests/store/records/support/store_under_test.hpp"

using namespace tideover;
using namespace tideover::tests;

namespace {

std::optional<ErrorCode> append(StoreUnderTest& store, const LedgerTransaction& transaction,
                                const TenantId& tenant = kTenant) {
  return store.try_to_write([&](ports::Records& records) { records.ledger().append(tenant, transaction); });
}

std::optional<LedgerTransaction> transaction_in(StoreUnderTest& store, std::uint64_t n) {
  return store.seen(
      [&](const ports::Records& records) { return records.ledger().find(kTenant, id_of<LedgerTransactionId>(n)); });
}

LedgerTransaction transaction(std::uint64_t n, LedgerPhase phase, std::int64_t cents,
                              std::optional<std::uint64_t> resolves = {}) {
  LedgerTransaction made;
  made.id = id_of<LedgerTransactionId>(n);
  made.phase = phase;
  if (resolves) made.resolves = id_of<LedgerTransactionId>(*resolves);
  made.cause_kind = "disbursement";
  made.debit("receivable", Money::cents(cents)).credit("cash", Money::cents(cents));
  return made;
}

std::string balances(StoreUnderTest& store) {
  return shown(store.seen([&](const ports::Records& records) { return records.ledger().balances(kTenant, "", 9); }));
}

std::string expected(std::int64_t posted, std::int64_t pending) {
  return shown(std::vector<AccountBalance>{{"cash", Money::cents(-posted), Money::cents(-pending)},
                                           {"receivable", Money::cents(posted), Money::cents(pending)}});
}

}  // namespace

BOOST_AUTO_TEST_SUITE(store_ledger)

BOOST_DATA_TEST_CASE(a_transaction_comes_back_whole, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  auto resolving = sample_transaction(2);
  resolving.phase = LedgerPhase::voided;
  resolving.resolves = id_of<LedgerTransactionId>(1);
  resolving.settlement = std::nullopt;
  BOOST_REQUIRE(!append(store, sample_transaction(1)));
  BOOST_REQUIRE(!append(store, resolving));
  BOOST_TEST(shown(transaction_in(store, 1)) == shown(sample_transaction(1)));
  BOOST_TEST(shown(transaction_in(store, 2)) == shown(resolving));
  BOOST_TEST(!transaction_in(store, 3));
}

BOOST_DATA_TEST_CASE(what_practices_are_owed_is_summed_by_practice_and_payer, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  auto stored = sample_settlement(1);
  stored.settlement.billed.billing_npi = "1234567893";
  store.write([&](ports::Records& records) { records.settlements().insert(kTenant, stored); });
  const auto owe = [&](std::uint64_t n, std::int64_t cents, const LedgerParty& party,
                       LedgerPhase phase = LedgerPhase::posted) {
    LedgerTransaction made;
    made.id = id_of<LedgerTransactionId>(n);
    made.phase = phase;
    made.cause_kind = "reconciliation";
    made.settlement = id_of<SettlementId>(1);
    made.debit("cash", Money::cents(cents)).credit(account::provider_payable(kTenant), Money::cents(cents), party);
    BOOST_REQUIRE(!append(store, made));
  };
  owe(1, 500, {"PAYER-A", "1999999984"});
  owe(2, 70, {"PAYER-B", "1999999984"});
  owe(3, 30, {});  // from before parties were stored: of its settlement
  owe(4, -200, {"PAYER-A", "1999999984"}, LedgerPhase::pending);
  const auto payees = [&](std::string_view after, std::size_t limit) {
    std::string text;
    for (const auto& payee :
         store.seen([&](const ports::Records& records) { return records.ledger().payees(kTenant, after, limit, {}); }))
      for (const auto& amounts : payee.payers)
        text += payee.payee_npi + ' ' + amounts.payer_id + ' ' + std::to_string(amounts.owed.cents()) + ' ' +
                std::to_string(amounts.sending.cents()) + "; ";
    return text;
  };
  const std::string first = "1234567893 PAYER-A 30 0; ",
                    second = "1999999984 PAYER-A 500 200; 1999999984 PAYER-B 70 0; ";
  BOOST_TEST(payees("", 9) == first + second);
  BOOST_TEST(payees("", 1) == first);
  BOOST_TEST(payees("1234567893", 9) == second);
  BOOST_TEST(payees("1999999984", 9) == "");
}

BOOST_DATA_TEST_CASE(an_unbalanced_transaction_is_refused_with_its_whole_unit, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  auto unbalanced = sample_transaction(2);
  unbalanced.entries.back().amount += Money::cents(1);
  const auto refused = store.try_to_write([&](ports::Records& records) {
    records.claims().insert(kTenant, sample_claim(1));
    records.ledger().append(kTenant, sample_transaction(1));
    records.ledger().append(kTenant, unbalanced);
  });
  BOOST_TEST(refused.value() == ErrorCode::internal_error);
  BOOST_TEST(store.failures().find("does not balance") != std::string::npos);
  BOOST_TEST(!transaction_in(store, 1));
  BOOST_TEST(!transaction_in(store, 2));
  BOOST_TEST(!store.seen([&](const ports::Records& records) { return records.claims().find(kTenant, "claim-1"); }));

  auto empty = sample_transaction(3);
  empty.entries.clear();
  BOOST_TEST(append(store, empty).value() == ErrorCode::internal_error);
}

BOOST_DATA_TEST_CASE(a_pending_transaction_is_resolved_once, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  BOOST_REQUIRE(!append(store, transaction(1, LedgerPhase::pending, 500)));
  BOOST_REQUIRE(!append(store, transaction(2, LedgerPhase::posted, 500, 1)));
  BOOST_TEST(append(store, transaction(3, LedgerPhase::voided, 500, 1)).value() == ErrorCode::conflict);
  BOOST_TEST(append(store, transaction(4, LedgerPhase::posted, 500, 1)).value() == ErrorCode::conflict);
  BOOST_TEST(!append(store, transaction(5, LedgerPhase::posted, 500)));
  BOOST_TEST(!append(store, transaction(6, LedgerPhase::posted, 500)));
}

BOOST_DATA_TEST_CASE(balances_separate_posted_from_pending_and_omit_voided_entries, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  BOOST_TEST(balances(store) == "[]");
  BOOST_REQUIRE(!append(store, transaction(1, LedgerPhase::pending, 500)));
  BOOST_TEST(balances(store) == expected(0, 500));
  BOOST_REQUIRE(!append(store, transaction(2, LedgerPhase::pending, 70)));
  BOOST_TEST(balances(store) == expected(0, 570));
  BOOST_REQUIRE(!append(store, transaction(3, LedgerPhase::posted, 500, 1)));
  BOOST_TEST(balances(store) == expected(500, 70));
  BOOST_REQUIRE(!append(store, transaction(4, LedgerPhase::voided, 70, 2)));
  BOOST_TEST(balances(store) == expected(500, 0));
  BOOST_REQUIRE(!append(store, transaction(5, LedgerPhase::posted, 9'000'000'000'000)));
  BOOST_TEST(balances(store) == expected(9'000'000'000'500, 0));
  BOOST_REQUIRE(!append(store, transaction(1, LedgerPhase::posted, 1), kOtherTenant));
  BOOST_TEST(balances(store) == expected(9'000'000'000'500, 0));
}

BOOST_DATA_TEST_CASE(balances_come_by_account_in_pages, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  BOOST_REQUIRE(!append(store, transaction(1, LedgerPhase::posted, 500)));
  const auto page = [&](std::string_view after, std::size_t limit) {
    std::string accounts;
    for (const auto& balance :
         store.seen([&](const ports::Records& records) { return records.ledger().balances(kTenant, after, limit); }))
      accounts += balance.account + ";";
    return accounts;
  };
  BOOST_TEST(page("", 1) == "cash;");
  BOOST_TEST(page("", 2) == "cash;receivable;");
  BOOST_TEST(page("cash", 2) == "receivable;");
  BOOST_TEST(page("receivable", 2) == "");
}

BOOST_DATA_TEST_CASE(a_list_is_oldest_first_and_filtered_by_settlement_account_and_cursor, bdata::make(engines()),
                     engine) {
  StoreUnderTest store(engine);
  for (const auto n : {3, 1, 2}) BOOST_REQUIRE(!append(store, sample_transaction(static_cast<std::uint64_t>(n))));
  auto fourth = transaction(4, LedgerPhase::posted, 5);
  fourth.settlement = id_of<SettlementId>(2);
  BOOST_REQUIRE(!append(store, fourth));
  const auto list = [&](const std::optional<SettlementId>& settlement, std::string_view account, std::string_view after,
                        std::size_t limit) {
    std::string ids;
    for (const auto& entry : store.seen([&](const ports::Records& records) {
           return records.ledger().list(kTenant, {settlement, account}, after, limit);
         })) {
      BOOST_TEST(shown(entry) == shown(transaction_in(store, entry.id.text().back() - '0')));
      ids += entry.id.text().back();
    }
    return ids;
  };
  const auto second = id_of<LedgerTransactionId>(2).text();
  BOOST_TEST(list({}, "", "", 9) == "1234");
  BOOST_TEST(list({}, "", "", 2) == "12");
  BOOST_TEST(list({}, "", second, 9) == "34");
  BOOST_TEST(list(id_of<SettlementId>(2), "", "", 9) == "24");
  BOOST_TEST(list({}, "cash", "", 9) == "4");
  BOOST_TEST(list({}, "fee_income", "", 9) == "123");
  BOOST_TEST(list(id_of<SettlementId>(2), "fee_income", "", 9) == "2");
  BOOST_TEST(list(id_of<SettlementId>(2), "cash", second, 9) == "4");
  BOOST_TEST(list(id_of<SettlementId>(9), "", "", 9) == "");
}

BOOST_DATA_TEST_CASE(rows_of_ledger_and_audit_trail_cannot_be_changed_or_deleted, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  store.write([&](ports::Records& records) {
    records.ledger().append(kTenant, sample_transaction(1));
    records.audit().append(kTenant, sample_audit_row(1));
  });
  using sql::Sql;
  for (const Sql statement :
       {Sql("UPDATE ledger_transactions SET phase = 'voided'"), Sql("DELETE FROM ledger_transactions"),
        Sql("UPDATE ledger_entries SET cents = cents + 1"), Sql("DELETE FROM ledger_entries"),
        Sql("UPDATE audit_rows SET outcome = 'ok'"), Sql("DELETE FROM audit_rows")}) {
    BOOST_CHECK_THROW(store.run_past_the_store(statement), sql::SqlError);
  }
  store.reopen();
  BOOST_TEST(shown(transaction_in(store, 1)) == shown(sample_transaction(1)));
  BOOST_TEST(store.count_past_the_store("SELECT COUNT(*) FROM audit_rows") == 1);
}

BOOST_AUTO_TEST_SUITE_END()
