// Breaches that `ledger verify` finds in books that were changed outside of the use cases.
#include "core/usecases/audit/verify_ledger.hpp"
#include "tests/usecases/world.hpp"

using namespace tideover;
using domain::LedgerPhase;
using domain::LedgerTransaction;
using domain::LedgerTransactionId;
using domain::Money;
using tests::World;

namespace {

/// A world whose books may end broken: teardown verifies nothing.
struct BrokenBooks : World {
  void teardown() {}

  void write(const std::function<void(ports::Records&)>& change) {
    BOOST_REQUIRE(bool(sql->commit([&](ports::Records& records) -> domain::Status {
      change(records);
      return {};
    })));
  }
  void book(const LedgerTransaction& transaction) {
    write([&](ports::Records& records) { records.ledger().append(caller.tenant, transaction); });
  }
  LedgerTransaction entry(const std::string& cause_kind, const std::string& cause_id) {
    LedgerTransaction made;
    made.id = ids.next<LedgerTransactionId>();
    made.cause_kind = cause_kind;
    made.cause_id = cause_id;
    made.at = clock.now();
    made.debit("deposit_clearing", Money::cents(500)).credit("suspense_unmatched", Money::cents(500));
    return made;
  }
  /// The broken rules, each once.
  std::vector<std::string> broken() {
    const auto found = usecases::VerifyLedger(*sql, checkpoints)();
    BOOST_REQUIRE_MESSAGE(found, "verifying failed: " << tests::why(found));
    std::vector<std::string> named;
    for (const auto& breach : found->first_breaches)
      if (named.empty() || named.back() != breach.where) named.push_back(breach.where);
    BOOST_TEST(found->holds() == named.empty());
    return named;
  }
};

using Rules = std::vector<std::string>;
constexpr const char* kEvents = "every change has its event, and every event its change";
constexpr const char* kRecord =
    "every change of a settlement, a deposit, a remittance, an import or a task has an audit row";

}  // namespace

BOOST_FIXTURE_TEST_SUITE(verification, BrokenBooks)

BOOST_AUTO_TEST_CASE(books_of_the_use_cases_hold) {
  funded("CLM-1");
  BOOST_TEST(broken() == Rules{}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(an_entry_without_its_cause_is_found) {
  funded("CLM-1");
  for (const auto& [kind, rule] :
       {std::pair("deposit", "a deposit in the ledger has its record, of the same amount"),
        std::pair("disbursement", "a disbursement in the ledger has its attempt"),
        std::pair("disbursement_return", "a return in the ledger has its returned attempt, with the same amount"),
        std::pair("reconciliation", "a reconciliation in the ledger has its record"),
        std::pair("a gift", "every cause has a known kind")}) {
    book(entry(kind, "unknown"));
    const auto named = broken();
    BOOST_TEST(std::count(named.begin(), named.end(), rule) == 1, rule);
  }
}

BOOST_AUTO_TEST_CASE(cash_and_lines_of_bank_statements_that_differ_are_found) {
  constexpr const char* kMoves =
      "money moves between clearing and cash as the lines of bank statements say, once per line, and nothing else does";
  constexpr const char* kCleared =
      "a cleared deposit is in the ledger with the amount of its line, a deposit that went back is a returned one";
  domain::Deposit deposit;
  deposit.id = ids.next<domain::DepositId>();
  deposit.payer_id = "PAYER";
  deposit.amount = Money::cents(500);
  deposit.received_date = clock.now().utc_date();
  auto cleared = entry("bank_statement", deposit.id.text());
  cleared.entries.clear();
  cleared.debit("funding_cash", Money::cents(500)).credit("deposit_clearing", Money::cents(500));
  const auto is_broken = [&](const char* rule) {
    const auto named = broken();
    return std::count(named.begin(), named.end(), rule) == 1;
  };
  write([&](ports::Records& records) { records.deposits().insert(caller.tenant, deposit); });
  book(entry("deposit", deposit.id.text()));
  book(cleared);
  BOOST_TEST(is_broken(kMoves));  // no line says so
  domain::BankStatement statement;
  statement.id = ids.next<domain::BankStatementId>();
  statement.account = "bac_1";
  domain::BankLine line;
  line.amount = deposit.amount;
  line.deposit = deposit.id;
  write([&](ports::Records& records) { records.bank_statements().insert(caller.tenant, statement, {line}); });
  BOOST_TEST(!is_broken(kMoves));
  BOOST_TEST(!is_broken(kCleared));
  line.number = 2;
  line.is_debit = true;
  write([&](ports::Records& records) { records.bank_statements().replace(caller.tenant, statement, {line}); });
  BOOST_TEST(is_broken(kMoves));
  BOOST_TEST(is_broken(kCleared));  // the deposit was not returned
  cleared.id = ids.next<LedgerTransactionId>();
  book(cleared);
  BOOST_TEST(is_broken("a deposit, a reconciliation and a return are booked once"));
}

BOOST_AUTO_TEST_CASE(a_posting_without_its_remittance_or_money_is_found) {
  constexpr const char* kRule = "a remittance that is being posted has its deposit";
  domain::RemittancePosting posting;
  posting.remittance = ids.next<domain::RemittanceId>();
  posting.matched_by = "trace_number";
  write([&](ports::Records& records) { records.postings().insert(caller.tenant, posting); });
  BOOST_TEST(broken() == Rules{kRule}, boost::test_tools::per_element());
  write([&](ports::Records& records) { records.postings().remove(caller.tenant, posting.remittance); });
  BOOST_TEST(broken() == Rules{}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_deposit_without_ledger_entries_is_found) {
  write([&](ports::Records& records) {
    domain::Deposit deposit;
    deposit.id = ids.next<domain::DepositId>();
    deposit.payer_id = "PAYER";
    deposit.amount = Money::cents(500);
    deposit.received_date = clock.now().utc_date();
    records.deposits().insert(caller.tenant, deposit);
  });
  BOOST_TEST(broken() == (Rules{"every deposit of the tenant is booked", kEvents, kRecord}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(an_entry_that_resolves_nothing_pending_is_found) {
  const auto settlement = funded("CLM-1");
  const auto paid = attempt(settlement.id);
  auto resolving = entry("disbursement", paid.id.text());
  resolving.settlement = settlement.id;
  resolving.entries.clear();
  resolving.debit(domain::account::purchased_receivable(settlement.id), paid.amount)
      .credit("funding_cash", paid.amount);
  resolving.resolves = ids.next<LedgerTransactionId>();
  book(resolving);
  BOOST_TEST(broken() == (Rules{"a resolving transaction is posted or voided, and the resolved one is pending",
                                "the exposure to payers, and to providers, equals the open receivables"}),
             boost::test_tools::per_element());
  auto voided = resolving;
  voided.id = ids.next<LedgerTransactionId>();
  voided.resolves.reset();
  voided.phase = LedgerPhase::voided;
  book(voided);
  const auto named = broken();
  BOOST_TEST(std::count(named.begin(), named.end(), "only pending transactions are voided") == 1);
}

BOOST_AUTO_TEST_CASE(a_funded_settlement_without_a_payment_is_found) {
  const auto terms = adjudicate(review(draft("CLM-1")));
  write([&](ports::Records& records) {
    auto stored = *records.settlements().find(caller.tenant, terms.id);
    stored.settlement.status = domain::SettlementStatus::funded;
    stored.settlement.funded_amount = terms.terms.advance_amount + Money::cents(1);
    BOOST_TEST(records.settlements().update(caller.tenant, stored));
  });
  BOOST_TEST(broken() == (Rules{"a funded settlement has exactly one paid attempt of its amount",
                                "the paid amount is the advance of the terms"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(an_attempt_without_its_ledger_entries_is_found) {
  const auto terms = adjudicate(review(draft("CLM-1")));
  domain::DisbursementAttempt made;
  made.id = ids.next<domain::TransferId>();
  made.subject = terms.id;
  made.state = domain::AttemptState::rejected;
  made.rail_key = "key";
  made.amount = terms.terms.advance_amount;
  made.pending_entry = ids.next<LedgerTransactionId>();
  write([&](ports::Records& records) { records.settlements().insert_attempt(caller.tenant, made); });
  BOOST_TEST(broken() == (Rules{"every attempt has its pending transaction",
                                "an attempt that was refused has its voided transaction", kEvents, kRecord}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_claim_status_move_outside_the_graph_is_found) {
  review(draft("CLM-1"));
  write([&](ports::Records& records) {
    auto status = records.claims().find(caller.tenant, "CLM-1")->status;
    status.previous = status.status;
    status.status = domain::ClaimStatus::reversed;
    status.source = domain::StatusSource::system;
    ++status.version;
    BOOST_TEST(records.claims().move(caller.tenant, status));
  });
  BOOST_TEST(broken() == (Rules{"claims move along their graph only", kEvents}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_verification_that_is_stopped_early_gives_no_result) {
  const auto ended = usecases::VerifyLedger(*sql, checkpoints)([](std::string_view) { return false; });
  BOOST_REQUIRE(!ended);
  BOOST_TEST((ended.error().code == domain::ErrorCode::shutting_down));
}

BOOST_AUTO_TEST_SUITE_END()
