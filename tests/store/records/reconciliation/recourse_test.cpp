// RecourseRecords: entries come back as written, held parts wait for their day, and the ledger keeps the sums of
// practices.
#include "tests/store/records/reconciliation/payments.hpp"
#include "tests/store/records/support/store_under_test.hpp"

using namespace tideover;
using namespace tideover::domain;
using namespace tideover::tests;

namespace {

RecourseEntry sample_recourse(std::uint64_t n) {
  RecourseEntry entry;
  entry.id = id_of<LedgerTransactionId>(n);
  entry.facts.event = RecourseEvent::short_payment;
  entry.facts.amount = Money::cents(24'000);
  entry.facts.usual = {Money::cents(1), Money::cents(2), Money::cents(23'997)};
  entry.facts.payer_id = "PAYER-A";
  entry.facts.payee_npi = "1999999984";
  entry.facts.advance = Money::cents(64'000);
  entry.facts.paid_out = Money::cents(3);
  entry.facts.owed = Money::cents(-4);
  entry.facts.carried = Money::cents(5);
  entry.facts.reserve = Money::cents(6);
  entry.facts.days_since_funding = 21;
  entry.decision = {{Money::cents(7), Money::cents(8), Money::cents(23'985)}, {"why", "and why"}, "a problem"};
  entry.moved = {Money::cents(-6), Money::cents(-6), Money::cents(12)};
  entry.relief = Money::cents(11);
  entry.settlement = id_of<SettlementId>(1);
  entry.record = id_of<ReconciliationId>(2);
  entry.remittance = id_of<RemittanceId>(3);
  entry.row = 4;
  entry.rule_id = "recourse.standard";
  entry.rule_rev = 2;
  entry.rules = {"2+abc", std::string(64, 'c')};
  entry.undoes = id_of<LedgerTransactionId>(9);
  entry.posted_at = Timestamp::from_ms(1'000 + static_cast<std::int64_t>(n));
  return entry;
}

void append(StoreUnderTest& store, const RecourseEntry& entry) {
  store.write([&](ports::Records& records) { records.recourse().append(kTenant, entry); });
}

std::vector<RecourseEntry> of_settlement(StoreUnderTest& store) {
  return store.seen(
      [](const ports::Records& records) { return records.recourse().of(kTenant, id_of<SettlementId>(1)); });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(store_recourse)

BOOST_DATA_TEST_CASE(an_entry_comes_back_as_it_was_written, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  const auto whole = sample_recourse(1);
  append(store, whole);
  const auto entries = of_settlement(store);
  BOOST_REQUIRE(entries.size() == 1u);
  const auto& read = entries.front();
  BOOST_TEST((read.id == whole.id));
  BOOST_TEST((read.kind == whole.kind));
  BOOST_TEST((read.facts.event == whole.facts.event));
  BOOST_TEST((read.facts.amount == whole.facts.amount));
  BOOST_TEST((read.facts.usual == whole.facts.usual));
  BOOST_TEST(read.facts.payer_id == whole.facts.payer_id);
  BOOST_TEST(read.facts.payee_npi == whole.facts.payee_npi);
  BOOST_TEST((read.facts.advance == whole.facts.advance));
  BOOST_TEST((read.facts.paid_out == whole.facts.paid_out));
  BOOST_TEST((read.facts.owed == whole.facts.owed));
  BOOST_TEST((read.facts.carried == whole.facts.carried));
  BOOST_TEST((read.facts.reserve == whole.facts.reserve));
  BOOST_TEST((read.facts.days_since_funding == whole.facts.days_since_funding));
  BOOST_TEST((read.decision.split == whole.decision.split));
  BOOST_TEST(read.decision.reasons == whole.decision.reasons);
  BOOST_TEST(read.decision.problem == whole.decision.problem);
  BOOST_TEST((read.moved == whole.moved));
  BOOST_TEST((read.relief == whole.relief));
  BOOST_TEST((read.record == whole.record));
  BOOST_TEST((read.remittance == whole.remittance));
  BOOST_TEST(read.row == 4);
  BOOST_TEST(read.rule_id == whole.rule_id);
  BOOST_TEST(read.rule_rev == 2);
  BOOST_TEST(read.rules.version == whole.rules.version);
  BOOST_TEST(read.rules.sha256 == whole.rules.sha256);
  BOOST_TEST((read.undoes == whole.undoes));
  BOOST_TEST((read.posted_at == whole.posted_at));
  const auto of_remittance = store.seen(
      [](const ports::Records& records) { return records.recourse().of_remittance(kTenant, id_of<RemittanceId>(3)); });
  BOOST_TEST(of_remittance.size() == 1u);
}

BOOST_DATA_TEST_CASE(a_held_part_waits_for_its_day_and_ends_once, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  auto held = sample_recourse(1);
  held.held = Money::cents(500);
  held.release_on = Date::from_days(40);
  append(store, held);
  auto later = sample_recourse(2);
  later.held = Money::cents(-200);
  append(store, later);
  const auto due = [&](int day) {
    return store.seen([&](const ports::Records& records) { return records.recourse().due(Date::from_days(day), 9); });
  };
  BOOST_TEST(due(39).empty());
  BOOST_REQUIRE(due(40).size() == 1u);
  BOOST_TEST((due(40).front().second.id == held.id));
  const auto sum = store.seen(
      [](const ports::Records& records) { return records.recourse().held_of(kTenant, id_of<SettlementId>(1)); });
  BOOST_TEST(sum.cents() == 300);
  const auto not_due = store.seen(
      [](const ports::Records& records) { return records.recourse().not_due_of(kTenant, id_of<SettlementId>(1)); });
  BOOST_TEST(not_due.cents() == 300 - 2 * 11);
  bool ended = false, again = true;
  store.write([&](ports::Records& records) {
    ended = records.recourse().end_hold(kTenant, held.id);
    again = records.recourse().end_hold(kTenant, held.id);
  });
  BOOST_TEST(ended);
  BOOST_TEST(!again);
  BOOST_TEST(due(40).empty());
}

BOOST_DATA_TEST_CASE(entries_of_a_period_come_in_pages, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  for (const std::uint64_t n : {1, 2, 3, 4}) append(store, sample_recourse(n));
  const auto page = [&](const std::string& after) {
    return store.seen([&](const ports::Records& records) {
      return records.recourse().between(kTenant, Timestamp::from_ms(1'002), Timestamp::from_ms(1'004), after, 1);
    });
  };
  BOOST_REQUIRE(page("").size() == 1u);
  BOOST_TEST((page("").front().id == id_of<LedgerTransactionId>(2)));
  const auto second = page(id_of<LedgerTransactionId>(2).text());
  BOOST_REQUIRE(second.size() == 1u);
  BOOST_TEST((second.front().id == id_of<LedgerTransactionId>(3)));
  BOOST_TEST(page(id_of<LedgerTransactionId>(3).text()).empty());
}

BOOST_DATA_TEST_CASE(the_posted_ledger_gives_the_balance_of_a_practice, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  const auto book = [&](std::uint64_t n, LedgerPhase phase, const std::string& account, std::int64_t credit) {
    LedgerTransaction entry;
    entry.id = id_of<LedgerTransactionId>(n);
    entry.phase = phase;
    entry.cause_kind = "recourse";
    entry.cause_id = entry.id.text();
    entry.at = Timestamp::from_ms(1'000);
    entry.credit(account, Money::cents(credit), {"PAYER-A", "1999999984"});
    entry.debit("loss_on_receivable", Money::cents(credit));
    store.write([&](ports::Records& records) { records.ledger().append(kTenant, entry); });
  };
  book(1, LedgerPhase::posted, account::provider_payable(kTenant), 500);
  book(2, LedgerPhase::posted, account::provider_payable(kTenant), -700);
  book(3, LedgerPhase::pending, account::provider_payable(kTenant), -90);
  book(4, LedgerPhase::posted, std::string(account::kCarriedBalances), 30);
  book(5, LedgerPhase::posted, account::practice_reserve(kTenant), 40);
  const auto balance =
      store.seen([](const ports::Records& records) { return records.recourse().practice(kTenant, "1999999984"); });
  BOOST_TEST(balance.owed.cents() == -200);
  BOOST_TEST(balance.carried.cents() == 30);
  BOOST_TEST(balance.reserve.cents() == 40);
  const auto other =
      store.seen([](const ports::Records& records) { return records.recourse().practice(kTenant, "1234567893"); });
  BOOST_TEST(other.owed.is_zero());
}

BOOST_AUTO_TEST_SUITE_END()
