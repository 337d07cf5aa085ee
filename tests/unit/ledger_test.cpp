// Double entry: what balances and what does not.
#include "core/domain/reconciliation/ledger.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/fakes/printing.hpp"

using namespace tideover::domain;

BOOST_AUTO_TEST_SUITE(ledger)

BOOST_AUTO_TEST_CASE(debits_that_equal_credits_balance) {
  LedgerTransaction entry;
  entry.debit("a", Money::cents(500)).credit("b", Money::cents(300)).credit("c", Money::cents(200));
  BOOST_TEST(entry.balanced());
  BOOST_TEST(entry.entries.size() == 3u);
  BOOST_TEST(entry.entries[1].amount == Money::cents(-300));
}

BOOST_AUTO_TEST_CASE(a_difference_of_one_cent_does_not_balance) {
  LedgerTransaction entry;
  entry.debit("a", Money::cents(500)).credit("b", Money::cents(499));
  BOOST_TEST(!entry.balanced());
}

BOOST_AUTO_TEST_CASE(nothing_and_one_side_alone_do_not_balance) {
  LedgerTransaction entry;
  BOOST_TEST(!entry.balanced());
  entry.entries.push_back({"a", Money{}});
  entry.entries.push_back({"b", Money{}});
  BOOST_TEST(!entry.balanced());  // entries of zero say nothing
}

BOOST_AUTO_TEST_CASE(an_amount_of_zero_leaves_no_entry) {
  LedgerTransaction entry;
  entry.debit("a", Money{}).credit("b", Money{});
  BOOST_TEST(entry.entries.empty());
}

BOOST_AUTO_TEST_CASE(accounts_of_one_owner_carry_its_id) {
  const auto settlement = SettlementId::of({1, 2});
  BOOST_TEST(account::purchased_receivable(settlement) == "purchased_receivable:" + settlement.text());
  const auto tenant = TenantId::of({1, 2});
  BOOST_TEST(account::provider_payable(tenant) == "provider_payable:" + tenant.text());
}

BOOST_AUTO_TEST_CASE(phases_have_names) {
  for (const auto phase : {LedgerPhase::pending, LedgerPhase::posted, LedgerPhase::voided})
    BOOST_TEST((ledger_phase_named(name_of(phase)) == phase));
  BOOST_TEST(!ledger_phase_named("open"));
}

BOOST_AUTO_TEST_SUITE_END()
