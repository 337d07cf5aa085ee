// PayeeRecords: payables that the ledger adds, payouts that cover them, and accounts of practices.
#include "tests/store/records/support/store_under_test.hpp"

using namespace tideover;
using namespace tideover::tests;

namespace {

constexpr const char* kPractice = "1234567893";

LedgerTransaction owed(std::uint64_t n, std::int64_t cents, std::int64_t at, const std::string& payer = "PAYER-A",
                       const std::string& npi = kPractice) {
  LedgerTransaction made;
  made.id = id_of<LedgerTransactionId>(n);
  made.cause_kind = "provider_adjustments";
  made.cause_id = id_of<RemittanceId>(n).text();
  made.at = Timestamp::from_ms(at);
  made.debit("suspense_unmatched", Money::cents(cents))
      .credit(account::provider_payable(kTenant), Money::cents(cents), {payer, npi});
  return made;
}

std::string due_in(StoreUnderTest& store, const TenantId& tenant = kTenant) {
  return format_money(
      store.seen([&](const ports::Records& records) { return records.payees().due(tenant, kPractice); }));
}

std::string covered_by(StoreUnderTest& store, const TransferId& payout, std::string after = "", int position = -1) {
  std::string text;
  for (const auto& payable : store.seen([&](const ports::Records& records) {
         return records.payees().covered(kTenant, payout, after, position, 9);
       }))
    text += format_money(payable.amount) + ' ' + payable.cause_kind + ';';
  return text;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(store_payees)

BOOST_DATA_TEST_CASE(a_payout_covers_open_payables_once, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  store.write([&](ports::Records& records) {
    records.ledger().append(kTenant, owed(1, 100, 10));
    records.ledger().append(kTenant, owed(2, -30, 11));
    records.ledger().append(kTenant, owed(3, 50, 20, "PAYER-B"));
    records.ledger().append(kTenant, owed(4, 7, 10, "PAYER-A", ""));
    records.ledger().append(kTenant, owed(5, 9, 10, "PAYER-A", "1234567802"));
  });
  BOOST_TEST(due_in(store) == "1.20");
  BOOST_TEST(due_in(store, id_of<TenantId>(99)) == "0.00");
  const auto practices = store.seen([&](const ports::Records& records) {
    return records.payees().practices_due(Timestamp::from_ms(20), Money::cents(9), {}, 9);
  });
  BOOST_REQUIRE(practices.size() == 2u);
  BOOST_TEST(practices[0].payee_npi + ' ' + format_money(practices[0].amount) == "1234567802 0.09");
  BOOST_TEST(practices[1].payee_npi + ' ' + format_money(practices[1].amount) == "1234567893 0.70");
  const auto second = store.seen([&](const ports::Records& records) {
    return records.payees().practices_due(Timestamp::from_ms(20), Money::cents(9), practices[0], 9);
  });
  BOOST_REQUIRE(second.size() == 1u);
  BOOST_TEST(second[0].payee_npi == kPractice);

  const auto first = id_of<TransferId>(1);
  store.write(
      [&](ports::Records& records) { records.payees().cover(kTenant, kPractice, first, Timestamp::from_ms(20), {}); });
  BOOST_TEST(due_in(store) == "0.50");
  BOOST_TEST(covered_by(store, first) == "1.00 provider_adjustments;-0.30 provider_adjustments;");
  BOOST_TEST(covered_by(store, first, id_of<LedgerTransactionId>(1).text(), 1) == "-0.30 provider_adjustments;");
  const auto sums =
      store.seen([&](const ports::Records& records) { return records.payees().covered_by_payer(kTenant, first); });
  BOOST_REQUIRE(sums.size() == 1u);
  BOOST_TEST(format_money(sums.at("PAYER-A")) == "0.70");

  const auto next = id_of<TransferId>(2);
  store.write([&](ports::Records& records) {
    records.payees().carry(kTenant, {first.text(), 0, kPractice, "PAYER-A", {}, "", "", Money::cents(5), {}});
    records.payees().cover(kTenant, kPractice, next, Timestamp::from_ms(99), {});
  });
  BOOST_TEST(due_in(store) == "0.00");
  BOOST_TEST(covered_by(store, next) == "0.50 provider_adjustments;0.05 carried_forward;");
}

BOOST_DATA_TEST_CASE(a_pending_payout_of_a_settlement_is_no_longer_due_and_its_void_is, bdata::make(engines()),
                     engine) {
  StoreUnderTest store(engine);
  const auto payout = [&](std::uint64_t n, LedgerPhase phase, std::optional<std::uint64_t> resolves) {
    LedgerTransaction made;
    made.id = id_of<LedgerTransactionId>(n);
    made.phase = phase;
    if (resolves) made.resolves = id_of<LedgerTransactionId>(*resolves);
    made.cause_kind = "payout";
    made.debit(account::provider_payable(kTenant), Money::cents(60), {"PAYER-A", kPractice})
        .credit("funding_cash", Money::cents(60));
    store.write([&](ports::Records& records) { records.ledger().append(kTenant, made); });
  };
  store.write([&](ports::Records& records) { records.ledger().append(kTenant, owed(1, 100, 10)); });
  payout(2, LedgerPhase::pending, {});
  BOOST_TEST(due_in(store) == "0.40");
  payout(3, LedgerPhase::voided, 2);
  BOOST_TEST(due_in(store) == "1.00");
  payout(4, LedgerPhase::pending, {});
  payout(5, LedgerPhase::posted, 4);
  BOOST_TEST(due_in(store) == "0.40");
}

BOOST_DATA_TEST_CASE(an_account_of_a_practice_is_replaced, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  const auto account = [&] {
    const auto found =
        store.seen([&](const ports::Records& records) { return records.payees().account(kTenant, kPractice); });
    return found ? found->payout_account_token.reveal() + ' ' + found->rail + ' ' +
                       std::string(name_of(found->payout_status)) + ' ' +
                       (found->updated_at ? format_timestamp(*found->updated_at) : "-")
                 : "none";
  };
  BOOST_TEST(account() == "none");
  store.write([&](ports::Records& records) { records.payees().save(kTenant, {kPractice}); });
  BOOST_TEST(account() == "  none -");
  store.write([&](ports::Records& records) {
    records.payees().save(
        kTenant, {kPractice, Sensitive<std::string>("tok_1"), "RTP", FundingStatus::returned, Timestamp::from_ms(0)});
  });
  BOOST_TEST(account() == "tok_1 RTP returned 1970-01-01T00:00:00.000Z");
  // After a payout that failed no automatic payout follows.
  store.write([&](ports::Records& records) { records.ledger().append(kTenant, owed(1, 100, 10)); });
  BOOST_TEST(store
                 .seen([&](const ports::Records& records) {
                   return records.payees().practices_due(Timestamp::from_ms(99), Money::cents(1), {}, 9);
                 })
                 .empty());
}

BOOST_AUTO_TEST_SUITE_END()
