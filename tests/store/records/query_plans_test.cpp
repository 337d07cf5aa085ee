// Queries that must not walk through a whole table: their plans on SQLite name the index.
#include <regex>
#include <set>

#include "core/store/records/claims/alike_store.hpp"
#include "core/store/records/claims/claim_store.hpp"
#include "core/store/records/claims/learning_store.hpp"
#include "core/store/records/claims/review_store.hpp"
#include "core/store/records/funding/ledger_store.hpp"
#include "core/store/records/funding/payee_store.hpp"
#include "core/store/records/funding/settlement_store.hpp"
#include "core/store/records/operations/pickup_store.hpp"
#include "core/store/records/operations/task_store.hpp"
#include "core/store/records/operations/webhook_store.hpp"
#include "core/store/records/reconciliation/allocation_store.hpp"
#include "core/store/records/reconciliation/bank_statement_store.hpp"
#include "core/store/records/reconciliation/deposit_store.hpp"
#include "core/store/records/reconciliation/match_store.hpp"
#include "core/store/records/reconciliation/payee_alias_store.hpp"
#include "core/store/records/reconciliation/payer_alias_store.hpp"
#include "core/store/records/reconciliation/reconciliation_store.hpp"
#include "core/store/records/reconciliation/recourse_store.hpp"
#include "core/store/records/reconciliation/remittance_store.hpp"
#include "tests/store/records/support/plan_world.hpp"

using namespace tideover;
using namespace tideover::tests;

namespace {

/// The stores that book a payment, and arguments of their queries.
struct PaymentQueries : PlanWorld {
  store::RemittanceStore remittances{session, cells};
  store::DepositStore deposits{session, cells};
  store::SettlementStore settlements{session, cells};
  store::PayeeStore payees{session, cells};
  store::ReconciliationStore reconciliations{session};
  store::AllocationStore allocations{session};
  store::RecourseStore recourse{session};
  store::TaskStore tasks{session};
  store::BankStatementStore bank{session, cells};
  store::ClaimStore claims{session, cells};
  store::AlikeStore alike{session, cells};
  const DateRange days{Date::from_days(1), Date::from_days(9)};
  const Deposit without_trace = [] {
    auto deposit = sample_deposit(1);
    deposit.trace_number.clear();
    return deposit;
  }();
  const SettlementId settlement = id_of<SettlementId>(1);
  const ClaimId claim = id_of<ClaimId>(1);
  const ReconciliationRecord record = sample_record(1, 1);
};

struct PaymentQuery {
  const char* name;
  void (*ask)(PaymentQueries& in);
};

const PaymentQuery kPaymentQueries[] = {
    {"remittances.find", [](PaymentQueries& in) { (void)in.remittances.find(kTenant, id_of<RemittanceId>(1)); }},
    {"remittances.find_same",
     [](PaymentQueries& in) { (void)in.remittances.find_same(kTenant, sample_remittance(1)); }},
    {"remittances.paid_like",
     [](PaymentQueries& in) { (void)in.remittances.paid_like(kTenant, sample_remittance(1), 5); }},
    {"remittances.another_with_trace",
     [](PaymentQueries& in) {
       (void)in.remittances.another_with_trace(kTenant, sample_remittance(1), Date::from_days(1));
     }},
    {"remittances.names_claims_of_another",
     [](PaymentQueries& in) { (void)in.remittances.names_claims_of_another(kTenant, sample_remittance(1)); }},
    {"recourse.of", [](PaymentQueries& in) { (void)in.recourse.of(kTenant, in.settlement); }},
    {"recourse.of_remittance",
     [](PaymentQueries& in) { (void)in.recourse.of_remittance(kTenant, id_of<RemittanceId>(1)); }},
    {"recourse.held_of", [](PaymentQueries& in) { (void)in.recourse.held_of(kTenant, in.settlement); }},
    {"recourse.not_due_of", [](PaymentQueries& in) { (void)in.recourse.not_due_of(kTenant, in.settlement); }},
    {"recourse.practice", [](PaymentQueries& in) { (void)in.recourse.practice(kTenant, "1999999984"); }},
    {"recourse.between",
     [](PaymentQueries& in) { (void)in.recourse.between(kTenant, {}, Timestamp::from_ms(9), "ltx_", 9); }},
    {"recourse.fees_between",
     [](PaymentQueries& in) { (void)in.recourse.fees_between(kTenant, {}, Timestamp::from_ms(9), "stl_", 9); }},
    {"recourse.due", [](PaymentQueries& in) { (void)in.recourse.due(Date::from_days(9), 9); }},
    {"allocations.of", [](PaymentQueries& in) { (void)in.allocations.of(kTenant, id_of<RemittanceId>(1)); }},
    {"allocations.open_balances",
     [](PaymentQueries& in) { (void)in.allocations.open_balances(kTenant, "PAYER-A", 9); }},
    {"allocations.is_used",
     [](PaymentQueries& in) {
       (void)in.allocations.is_used(kTenant, {id_of<RemittanceId>(1), 1});
     }},
    {"allocations.charged_recoveries",
     [](PaymentQueries& in) { (void)in.allocations.charged_recoveries(kTenant, "PAYER-A", {}, 9); }},
    {"allocations.recovered_of",
     [](PaymentQueries& in) { (void)in.allocations.recovered_of(kTenant, in.settlement, id_of<RemittanceId>(1)); }},
    {"remittances.waiting_for", [](PaymentQueries& in) { (void)in.remittances.waiting_for(kTenant, in.settlement); }},
    {"remittances.paid_by", [](PaymentQueries& in) { (void)in.remittances.paid_by(kTenant, id_of<DepositId>(1)); }},
    {"remittances.posted_by", [](PaymentQueries& in) { (void)in.remittances.posted_by(kTenant, in.record); }},
    {"deposits.find", [](PaymentQueries& in) { (void)in.deposits.find(kTenant, id_of<DepositId>(1)); }},
    {"deposits.find_external", [](PaymentQueries& in) { (void)in.deposits.find_external(kTenant, "X"); }},
    {"deposits.reported_twice",
     [](PaymentQueries& in) {
       (void)in.deposits.reported_twice(kTenant, sample_deposit(1), {Date::from_days(1), Date::from_days(9)}, 9);
     }},
    {"deposits.pooled_into", [](PaymentQueries& in) { (void)in.deposits.pooled_into(kTenant, id_of<DepositId>(1)); }},
    {"settlements.find", [](PaymentQueries& in) { (void)in.settlements.find(kTenant, in.settlement); }},
    {"settlements.live_of", [](PaymentQueries& in) { (void)in.settlements.live_of(kTenant, in.claim); }},
    {"settlements.latest_of", [](PaymentQueries& in) { (void)in.settlements.latest_of(kTenant, in.claim); }},
    {"settlements.latest_attempt",
     [](PaymentQueries& in) { (void)in.settlements.latest_attempt(kTenant, in.settlement, Purpose::advance); }},
    {"settlements.attempts_of",
     [](PaymentQueries& in) { (void)in.settlements.attempts_of(kTenant, in.settlement, Purpose::advance); }},
    {"settlements.has_changed_funding",
     [](PaymentQueries& in) { (void)in.settlements.has_changed_funding(kTenant, in.settlement, id_of<ClientId>(1)); }},
    {"settlements.payouts_of", [](PaymentQueries& in) { (void)in.settlements.payouts_of(kTenant, in.settlement); }},
    {"settlements.practice_payouts",
     [](PaymentQueries& in) {
       (void)in.settlements.practice_payouts(kTenant, "", {"", 9});
     }},
    {"settlements.practice_payouts of one",
     [](PaymentQueries& in) {
       (void)in.settlements.practice_payouts(kTenant, "1234567893", {"", 9});
     }},
    {"settlements.practice_payout",
     [](PaymentQueries& in) { (void)in.settlements.practice_payout(kTenant, id_of<TransferId>(1)); }},
    {"payees.is_known", [](PaymentQueries& in) { (void)in.payees.is_known(kTenant, "1234567893"); }},
    {"payees.account", [](PaymentQueries& in) { (void)in.payees.account(kTenant, "1234567893"); }},
    {"payees.practices_due",
     [](PaymentQueries& in) { (void)in.payees.practices_due(Timestamp::from_ms(9), Money::cents(1), {}, 9); }},
    {"payees.covered_by_payer",
     [](PaymentQueries& in) { (void)in.payees.covered_by_payer(kTenant, id_of<TransferId>(1)); }},
    {"payees.debts_in", [](PaymentQueries& in) { (void)in.payees.debts_in(kTenant, id_of<TransferId>(1)); }},
    {"payees.covered", [](PaymentQueries& in) { (void)in.payees.covered(kTenant, id_of<TransferId>(1), "", -1, 9); }},
    {"settlements.find_attempt", [](PaymentQueries& in) { (void)in.settlements.find_attempt("KEY"); }},
    {"reconciliations.of", [](PaymentQueries& in) { (void)in.reconciliations.of(kTenant, in.settlement); }},
    {"reconciliations.of_deposit",
     [](PaymentQueries& in) { (void)in.reconciliations.of_deposit(kTenant, id_of<DepositId>(1)); }},
    {"payer_aliases.find",
     [](PaymentQueries& in) { (void)store::PayerAliasStore(in.session).find(kTenant, AliasKind::id, "X"); }},
    {"payer_aliases.list",
     [](PaymentQueries& in) {
       (void)store::PayerAliasStore(in.session).list(kTenant, {"", 9});
     }},
    {"payee_aliases.find",
     [](PaymentQueries& in) {
       (void)store::PayeeAliasStore(in.session, in.cells).find(kTenant, PayeeId{PayeeIdKind::tax_id, "X", ""});
     }},
    {"payee_aliases.list",
     [](PaymentQueries& in) {
       (void)store::PayeeAliasStore(in.session, in.cells).list(kTenant, {"", 9});
     }},
    {"pickups.find",
     [](PaymentQueries& in) { (void)store::PickupStore(in.session, in.cells).find(kTenant, id_of<PickupFileId>(1)); }},
    {"pickups.owner", [](PaymentQueries& in) { (void)store::PickupStore(in.session, in.cells).owner(kTenant, "SHA"); }},
    {"pickups.open_files",
     [](PaymentQueries& in) { (void)store::PickupStore(in.session, in.cells).open_files(kTenant, "era", 9); }},
    {"pickups.list",
     [](PaymentQueries& in) {
       (void)store::PickupStore(in.session, in.cells).list(kTenant, {"era", PickupStatus::posted, {}, {}}, {"", 9});
     }},
    {"pickups.acknowledgment",
     [](PaymentQueries& in) {
       (void)store::PickupStore(in.session, in.cells).acknowledgment(kTenant, id_of<ImportJobId>(1));
     }},
    {"settlements.has_advanced_payer",
     [](PaymentQueries& in) { (void)in.settlements.has_advanced_payer(kTenant, "PAYER-A"); }},
    {"matches.of_subject",
     [](PaymentQueries& in) { (void)store::MatchStore(in.session).of_subject(kTenant, "rmt_1", 1, 9); }},
    {"matches.of_candidate",
     [](PaymentQueries& in) { (void)store::MatchStore(in.session).of_candidate(kTenant, "rmt_1", 9); }},
    {"matches.held_recoveries",
     [](PaymentQueries& in) { (void)store::MatchStore(in.session).held_recoveries(kTenant, in.settlement, 9); }},
    {"tasks.is_reported", [](PaymentQueries& in) { (void)in.tasks.is_reported(kTenant, "finding"); }},
    {"tasks.open_on_claim", [](PaymentQueries& in) { (void)in.tasks.open_on_claim(kTenant, in.claim, "kind", ""); }},
    {"tasks.find", [](PaymentQueries& in) { (void)in.tasks.find(kTenant, id_of<TaskId>(1)); }},
    {"learning.behind", [](PaymentQueries& in) { (void)store::LearningStore(in.session).behind(kTenant, 1, 9); }},
    {"learning.before", [](PaymentQueries& in) { (void)store::LearningStore(in.session).before(kTenant, 9, 9); }},
    {"reviews.heard",
     [](PaymentQueries& in) {
       (void)store::ReviewStore(in.session, in.cells)
           .observed(kTenant, id_of<AuthorizationId>(1), id_of<AuthorizationId>(2), 9);
     }},
    {"reviews.find",
     [](PaymentQueries& in) { (void)store::ReviewStore(in.session, in.cells).find(kTenant, id_of<ReviewId>(1)); }},
    {"remittances.waiting_of_amount",
     [](PaymentQueries& in) {
       (void)in.remittances.waiting_of_amount(kTenant, MoneyRange::any(), {Date::from_days(1), Date::from_days(9)}, 9);
     }},
    {"remittances.announced_to",
     [](PaymentQueries& in) { (void)in.remittances.announced_to(kTenant, in.settlement, 9); }},
    {"remittances.naming", [](PaymentQueries& in) { (void)in.remittances.naming(kTenant, "A", 9); }},
    {"deposits.waiting_since",
     [](PaymentQueries& in) {
       (void)store::DepositStore(in.session, in.cells).waiting_since(Timestamp::from_ms(9), {}, 9);
     }},
    {"remittances.waiting_since",
     [](PaymentQueries& in) { (void)in.remittances.waiting_since(Timestamp::from_ms(9), {}, 9); }},
    {"remittances.announced_of",
     [](PaymentQueries& in) { (void)in.remittances.announced_of(kTenant, id_of<DepositId>(1)); }},
    {"settlements.payers_that_owe", [](PaymentQueries& in) { (void)in.settlements.payers_that_owe(kTenant, 9); }},
    {"remittances.heard",
     [](PaymentQueries& in) {
       (void)in.remittances.observed(kTenant, id_of<RemittanceId>(1), id_of<RemittanceId>(2), 9);
     }},
    {"deposits.reported_twice without a trace",
     [](PaymentQueries& in) { (void)in.deposits.reported_twice(kTenant, in.without_trace, in.days, 9); }},
    {"matches.decided",
     [](PaymentQueries& in) { (void)store::MatchStore(in.session).decided(kTenant, id_of<RemittanceId>(1).text()); }},
    {"matches.asked_alike",
     [](PaymentQueries& in) { (void)store::MatchStore(in.session).asked_alike(kTenant, id_of<RemittanceId>(1)); }},
    {"alike.advances_numbered",
     [](PaymentQueries& in) { (void)in.alike.advances_numbered(kTenant, "C1M1", "PAYER-A", Money::cents(1), 9); }},
    {"alike.advances_known_as", [](PaymentQueries& in) { (void)in.alike.advances_known_as(kTenant, "1CN1", 9); }},
    {"alike.advances_billed",
     [](PaymentQueries& in) { (void)in.alike.advances_billed(kTenant, "PAYER-A", Money::cents(1), std::nullopt, 9); }},
    {"alike.advances_billed closed",
     [](PaymentQueries& in) { (void)in.alike.advances_billed(kTenant, "PAYER-A", Money::cents(1), in.days, 9); }},
    {"alike.advances_billed of anyone",
     [](PaymentQueries& in) { (void)in.alike.advances_billed(kTenant, "", Money::cents(1), in.days, 9); }},
    {"alike.answers_numbered",
     [](PaymentQueries& in) { (void)in.alike.answers_numbered(kTenant, {"C1M1"}, Date::from_days(1), 9); }},
    {"alike.answers_charged",
     [](PaymentQueries& in) {
       (void)in.alike.answers_charged(kTenant, "PAYER-A", Money::cents(1),
                                      DateRange{Date::from_days(1), Date::from_days(1)}, Date::from_days(1), 9);
     }},
    {"bank_statements.find", [](PaymentQueries& in) { (void)in.bank.find(kTenant, id_of<BankStatementId>(1)); }},
    {"bank_statements.find_day",
     [](PaymentQueries& in) { (void)in.bank.find_day(kTenant, "bac_a", Date::from_days(1)); }},
    {"bank_statements.list",
     [](PaymentQueries& in) {
       (void)in.bank.list(kTenant, {}, {"", 9});
     }},
    {"bank_statements.of_account", [](PaymentQueries& in) { (void)in.bank.of_account(kTenant, "bac_a", in.days); }},
    {"bank_statements.latest_before",
     [](PaymentQueries& in) { (void)in.bank.latest_before(kTenant, "bac_a", Date::from_days(1)); }},
    {"bank_statements.first_of", [](PaymentQueries& in) { (void)in.bank.first_of(kTenant, "bac_a"); }},
    {"bank_statements.next_account", [](PaymentQueries& in) { (void)in.bank.next_account(kTenant, ""); }},
    {"bank_statements.lines",
     [](PaymentQueries& in) { (void)in.bank.lines(kTenant, id_of<BankStatementId>(1), 0, 9); }},
    {"bank_statements.lines_with_finding",
     [](PaymentQueries& in) { (void)in.bank.lines_with_finding(kTenant, id_of<BankStatementId>(1), 0, 9); }},
    {"bank_statements.sums", [](PaymentQueries& in) { (void)in.bank.sums(kTenant, id_of<BankStatementId>(1)); }},
    {"bank_statements.is_on_statement",
     [](PaymentQueries& in) { (void)in.bank.is_on_statement(kTenant, id_of<DepositId>(1), true); }},
    {"bank_statements.deposits_traced",
     [](PaymentQueries& in) { (void)in.bank.deposits_traced(kTenant, "T1", true, in.days); }},
    {"bank_statements.payments_referenced",
     [](PaymentQueries& in) { (void)in.bank.payments_referenced(kTenant, "T1", true, in.days); }},
    {"bank_statements.deposits_off", [](PaymentQueries& in) { (void)in.bank.deposits_off(kTenant, in.days, 9); }},
    {"bank_statements.returns_off", [](PaymentQueries& in) { (void)in.bank.returns_off(kTenant, in.days, 9); }},
    {"bank_statements.payments_off", [](PaymentQueries& in) { (void)in.bank.payments_off(kTenant, in.days, 9); }},
    {"claims.find", [](PaymentQueries& in) { (void)in.claims.find(kTenant, "CLM-1"); }},
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(store_query_plans, PlanWorld)

BOOST_AUTO_TEST_CASE(events_of_days_are_found_by_their_time) {
  const KindEncoder encoder;
  (void)store::EventStore(session, encoder, cells).between(kTenant, kNow, kNow, {}, 9);
  BOOST_TEST(plan().find("events_by_time (tenant=? AND created_at>? AND created_at<?)") != std::string::npos, plan());
  BOOST_TEST(plan().find("TEMP B-TREE") == std::string::npos, plan());
}

BOOST_AUTO_TEST_CASE(effects_of_a_decision_are_found_by_its_task) {
  (void)store::MatchStore(session).of_task(kTenant, id_of<TaskId>(1));
  BOOST_TEST(plan().find("USING INDEX match_candidates_by_task (tenant=? AND task_id=?)") != std::string::npos, plan());
}

BOOST_AUTO_TEST_CASE(a_match_is_found_by_its_deposit_and_remittance) {
  (void)store::MatchStore(session).joined_by(kTenant, "dep_1", "rmt_1");
  BOOST_TEST(plan().find("SEARCH match_candidates USING PRIMARY KEY (tenant=? AND subject_id=?)") != std::string::npos,
             plan());
}

BOOST_AUTO_TEST_CASE(candidates_of_a_payer_are_found_by_payer_and_amount) {
  const std::optional<DateRange> days = DateRange{Date::from_days(1), Date::from_days(9)};
  (void)store::DepositStore(session, cells)
      .waiting_of_payer(kTenant, "PAYER-A", MoneyRange::just(Money::cents(1)), days, 9);
  BOOST_TEST(
      plan().find("USING INDEX deposits_by_payer (tenant=? AND payer_id=? AND status=? AND cents>? AND cents<?)") !=
          std::string::npos,
      plan());
  (void)store::DepositStore(session, cells).posted_alone(kTenant, "PAYER-A", Money::cents(1), *days, 9);
  BOOST_TEST(
      plan().find("USING INDEX deposits_by_payer (tenant=? AND payer_id=? AND status=? AND cents>? AND cents<?)") !=
          std::string::npos,
      plan());
  BOOST_TEST(
      plan().find("USING COVERING INDEX remittances_by_deposit (tenant=? AND deposit_id=?)") != std::string::npos,
      plan());
  (void)store::MatchStore(session).remittances_about(kTenant, id_of<SettlementId>(1), 9);
  BOOST_TEST(plan().find("match_candidates_by_candidate (tenant=? AND candidate_id=?)") != std::string::npos, plan());
  (void)store::RemittanceStore(session, cells)
      .waiting_of_payer(kTenant, "PAYER-A", MoneyRange::just(Money::cents(1)), days, 9);
  BOOST_TEST(plan().find("USING INDEX remittances_by_payer (tenant=? AND payer_id=? AND deposit_id=? AND "
                         "payment_cents>? AND payment_cents<?)") != std::string::npos,
             plan());
  (void)store::SettlementStore(session, cells)
      .awaiting_payment(kTenant, "PAYER-A", MoneyRange::just(Money::cents(1)), days, 9);
  BOOST_TEST(
      plan().find(
          "USING INDEX settlements_by_payment (tenant=? AND payer_id=? AND expected_cents>? AND expected_cents<?)") !=
          std::string::npos,
      plan());
}

BOOST_AUTO_TEST_CASE(candidates_of_a_number_are_found_by_it_and_the_amount) {
  (void)store::DepositStore(session, cells).waiting_with_trace(kTenant, "T1", MoneyRange::any(), 9);
  BOOST_TEST(plan().find("USING INDEX deposits_by_trace_form (tenant=? AND trace_form=? AND cents>? AND cents<?)") !=
                 std::string::npos,
             plan());
  (void)store::RemittanceStore(session, cells).waiting_with_trace(kTenant, "T1", MoneyRange::any(), 9);
  BOOST_TEST(plan().find("USING INDEX remittances_by_trace_form (tenant=? AND trace_form=? AND payment_cents>? AND "
                         "payment_cents<?)") != std::string::npos,
             plan());
}

BOOST_AUTO_TEST_CASE(ended_secrets_are_found_by_their_end) {
  (void)store::WebhookStore(session, cells).drop_expired_secrets(kNow, 9);
  BOOST_TEST(plan().find("webhook_endpoints_by_secret_end (previous_end_at<?)") != std::string::npos, plan());
}

BOOST_AUTO_TEST_CASE(heads_of_the_learning_journal_are_one_look_for_each_tenant) {
  (void)store::LearningStore(session).heads();
  BOOST_TEST(plan().find("SEARCH b USING COVERING INDEX") != std::string::npos, plan());
}

BOOST_FIXTURE_TEST_CASE(queries_of_each_payment_scan_no_table, PaymentQueries) {
  const std::regex open_range(R"(\(tenant=\? AND \w+>\?\))");
  const std::regex clocks(R"([^\n]*sandbox_clocks[^\n]*\n)");  // a row for each tenant whose clock was moved
  const std::set<std::string_view> pages{"recourse.between", "recourse.fees_between", "learning.behind",
                                         "bank_statements.next_account"};
  for (const auto& [name, ask] : kPaymentQueries) {
    session.asked.clear();
    ask(*this);
    const auto steps = std::regex_replace(plan(), clocks, "");
    BOOST_TEST(!session.asked.empty(), name << " asks nothing");
    BOOST_TEST(steps.find("SCAN") == std::string::npos, name << ": " << steps);
    BOOST_TEST(steps.find("(tenant=?)") == std::string::npos, name << ": " << steps);
    // Most rows of the tenant are in such a range: only a page of a list may begin in it.
    BOOST_TEST(std::regex_search(steps, open_range) == pages.contains(name), name << ": " << steps);
  }
}

BOOST_AUTO_TEST_CASE(exports_read_the_ledger_by_effective_day) {
  const std::string node = "node";
  const store::LedgerStore ledger(session, node);
  const std::string range = "ledger_transactions_by_effective_day (tenant=? AND effective_day>? AND effective_day<?)";
  const DateRange days{Date::from_days(1), Date::from_days(9)};
  (void)ledger.journal(kTenant, days, {}, 9);
  BOOST_TEST(plan().find(range) != std::string::npos, plan());
  (void)ledger.movements_of(kTenant, "1999999984", days, {}, 9);
  BOOST_TEST(plan().find(range) != std::string::npos, plan());
  (void)ledger.balances(kTenant, {"", 9, Date::from_days(9), false});
  BOOST_TEST(plan().find(range) != std::string::npos, plan());
  (void)ledger.owed_to(kTenant, "1999999984", Date::from_days(9));
  BOOST_TEST(plan().find(range) != std::string::npos, plan());
}

BOOST_AUTO_TEST_CASE(the_portfolio_around_a_claim_is_a_few_rows_by_their_key) {
  (void)store::SettlementStore(session, cells).portfolio(kTenant, "PAYER", "1999999984", Date::from_days(20'000));
  const auto whole_plan = plan();
  std::size_t by_key = 0;
  for (auto at = whole_plan.find("SEARCH portfolio USING PRIMARY KEY (tenant=? AND measure=? AND subject");
       at != std::string::npos; at = whole_plan.find("SEARCH portfolio", at + 1))
    ++by_key;
  BOOST_TEST(by_key == 4u, whole_plan);
  BOOST_TEST(whole_plan.find("SCAN portfolio") == std::string::npos, whole_plan);
}

BOOST_AUTO_TEST_SUITE_END()
