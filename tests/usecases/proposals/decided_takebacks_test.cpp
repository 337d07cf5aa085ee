// Decisions about takebacks, about claims that have an account, and their undo.
#include <string>

#include "core/domain/reconciliation/ledger.hpp"
#include "core/usecases/matching/match_payments.hpp"
#include "tests/usecases/matching/proposal_world.hpp"

using namespace tideover;
using domain::ErrorCode;
using domain::Money;
using tests::refusal_of;
using tests::why;
using State = domain::RemittanceClaimRecord::State;

namespace {

struct DecidedWorld : tests::ProposalWorld {
  usecases::UnitOfWork unit(ports::Records& records) { return {records, caller.tenant, clock.now(), ids}; }
  domain::Remittance stored(const std::string& name) {
    return *seen(
        [&](const ports::Records& records) { return records.remittances().find(caller.tenant, remittances.at(name)); });
  }
  /// A was paid 790.00. N1 takes back 100.00 of it with another charge, which holds the payment of 300.00 for B.
  std::string hold_takeback() {
    fund({"A"});
    fund({"B"});
    arrives(tests::Remittance{"N0", "T0", {{"A", 79'000}}});
    arrives(tests::Cash{"D0", 79'000, "T0"});
    arrives(tests::Remittance{"N1", "T1", {{"A", -10'000, -110'000, std::nullopt, "22"}, {"B", 30'000}}});
    arrives(tests::Cash{"D1", 20'000, "T1"});
    BOOST_TEST(postings() == "A 790.00 settled; B -");
    return task_about("N1");
  }
};

constexpr const char* kDecided = "A 790.00 settled, -100.00 reversed; B 300.00 settled_short";

}  // namespace

BOOST_FIXTURE_TEST_SUITE(decided_takebacks, DecidedWorld)

BOOST_AUTO_TEST_CASE(an_undo_takes_back_what_the_decision_freed) {
  const auto task = hold_takeback();
  const auto before = books();
  BOOST_REQUIRE(bool(accept(task, proposal_of(task, {"A"}))));
  BOOST_TEST(postings() == kDecided);
  const auto undone = undo(task);
  BOOST_REQUIRE_MESSAGE(undone, why(undone));
  BOOST_TEST((books() == before));
  BOOST_TEST((stored("N1").claims[0].state == State::unmatched));
  BOOST_TEST((stored("N1").claims[1].state == State::waiting));
  BOOST_TEST(ends() ==
             "D0 matched; D1 partly_matched; A settled by undone; B pending by undone; match_ambiguous about "
             "N1");

  const auto again = task_about("N1");
  BOOST_REQUIRE(bool(accept(again, proposal_of(again, {"A"}))));
  BOOST_TEST(holdings() == "fee_income -12.80; loss_on_receivable 340.00; provider_payable -37.20");
}

BOOST_AUTO_TEST_CASE(an_undo_takes_back_what_was_freed_later) {
  fund({"A"});
  fund({"B"});
  send({"C"});
  arrives(tests::Remittance{"N0", "T0", {{"A", 79'000}}});
  arrives(tests::Cash{"D0", 79'000, "T0"});
  arrives(tests::Remittance{"N1", "T1", {{"A", -13'000, -110'000, std::nullopt, "22"}, {"B", 7'500}, {"C", 7'500}}});
  arrives(tests::Cash{"D1", 2'000, "T1"});
  const auto before = books();
  const auto task = task_about("N1");
  BOOST_REQUIRE(bool(accept(task, proposal_of(task, {"A"}))));
  BOOST_TEST(postings() == "A 790.00 settled, -130.00 reversed; B 75.00 settled_short; C -");
  resolve();
  BOOST_TEST(postings() == "A 790.00 settled, -130.00 reversed; B 75.00 settled_short; C 75.00 settled_short");
  const auto undone = undo(task);
  BOOST_REQUIRE_MESSAGE(undone, why(undone));
  BOOST_TEST(results() == "A 790.00 settled, charge 1000.00; B 0.00 pending, charge 0.00; C 0.00 pending, charge 0.00");
  BOOST_TEST(before.at("suspense_unmatched") == balance("suspense_unmatched"));
}

BOOST_AUTO_TEST_CASE(a_decided_takeback_that_was_withheld_before_is_taken_once) {
  fund({"A"});
  fund({"B"});
  arrives(tests::Remittance{"N0", "T0", {{"A", 79'000}}});
  arrives(tests::Cash{"D0", 79'000, "T0"});
  tests::Remittance recovery{"N3", "T3", {{"B", 79'000}}};
  recovery.adjustments = {{"WO", 10'000, "A"}};
  arrives(recovery);
  arrives(tests::Cash{"D3", 69'000, "T3"});
  tests::Remittance takeback{"N2", "T2", {{"A", -79'000, -110'000, std::nullopt, "22"}}};
  takeback.adjustments = {{"FB", -79'000}};
  arrives(takeback);
  const auto task = task_about("N2");
  BOOST_REQUIRE(bool(accept(task, proposal_of(task, {"A"}))));
  BOOST_TEST(postings() == "A 790.00 settled, -100.00 reversed, -690.00 reversed; B 790.00 settled");
  BOOST_TEST(balance("carried_balances") == Money::cents(-69'000));
}

BOOST_AUTO_TEST_CASE(a_decided_takeback_counts_together_with_the_payment_beside_it) {
  fund({"A"});
  arrives(tests::Remittance{"N1", "T1", {{"A", -10'000, -110'000, std::nullopt, "22"}, {"A", 30'000}}});
  arrives(tests::Cash{"D1", 20'000, "T1"});
  const auto task = task_about("N1");
  BOOST_REQUIRE(bool(accept(task, proposal_of(task, {"A"}))));
  BOOST_TEST(reconciliation(settlements["A"]).payer_payment == Money::cents(20'000));
  const auto undone = undo(task);
  BOOST_REQUIRE_MESSAGE(undone, why(undone));
  BOOST_TEST(results() == "A 0.00 pending, charge 0.00");
}

BOOST_AUTO_TEST_CASE(a_claim_with_an_account_is_not_posted_again) {
  fund({"A"});
  arrives(tests::Remittance{"N1", "T1", {{"STRANGER", 30'000, 120'000}}});
  arrives(tests::Cash{"D1", 30'000, "T1"});
  const auto before = books();
  BOOST_TEST(before.at("provider_payable:" + caller.tenant.text()) == Money::cents(-30'000));
  auto remittance = stored("N1");
  const auto refused = sql->commit([&](ports::Records& records) -> domain::Status {
    const auto settlement = records.settlements().find(caller.tenant, settlements.at("A"))->settlement;
    return usecases::MatchPayments(unit(records))
        .post_as_decided(remittance, 0, settlement, ids.next<domain::TaskId>());
  });
  BOOST_REQUIRE(!refused);
  BOOST_TEST(refused.error().message == "This claim has its account already. Read the allocation of its remittance.");
  BOOST_TEST((books() == before));
}

BOOST_AUTO_TEST_CASE(a_match_is_undone_while_the_practice_owes_money) {
  fund({"A"});
  fund({"B"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 79'000}}});
  arrives(tests::Cash{"D1", 79'001, "T1"});
  arrives(tests::Remittance{"N2", "T2", {{"B", 79'000}, {"STRANGER", 30'000, 120'000}}, 0, "PAYER", "", 109'000});
  BOOST_TEST(balance("provider_payable:" + caller.tenant.text()) > Money{});
  const auto before = books();
  const auto task = task_about("D1");
  BOOST_REQUIRE(bool(accept(task, proposal_of(task, {"N1"}))));
  const auto undone = undo(task);
  BOOST_REQUIRE_MESSAGE(undone, why(undone));
  BOOST_TEST((books() == before));
}

BOOST_AUTO_TEST_CASE(an_assigned_payer_leaves_credited_claims_alone) {
  know_payer();
  tests::Remittance unknown{"N1", "T1", {{"STRANGER", 30'000, 120'000}}, 0, ""};
  unknown.adjustments = {{"FB", -1'000}};
  arrives(unknown);
  arrives(tests::Cash{"D1", 31'000, "T1", 0, ""});
  if (stored("N1").deposit == std::nullopt) {
    const auto task = task_about("D1");
    BOOST_REQUIRE(bool(accept(task, proposal_of(task, {"N1"}))));
  }
  BOOST_TEST(holdings() == "provider_payable -300.00; suspense_unmatched -10.00");
  BOOST_REQUIRE(bool(decide(task_about("N1"), domain::kAssignPayer, "PAYER")));
  BOOST_TEST(holdings() == "carried_balances -10.00; provider_payable -300.00");
  BOOST_TEST((stored("N1").claims[0].state == State::unmatched));
}

BOOST_AUTO_TEST_CASE(the_loss_of_an_older_decision_is_undone) {
  fund({"A"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 79'000}}});
  arrives(tests::Cash{"D1", 50'000, "T1", 7});
  const auto before = books();
  const auto decision = ids.next<domain::TaskId>();
  const domain::MatchCandidate decided{
      ids.next<domain::MatchCandidateId>(), deposits.at("D1").text(),    std::nullopt,      domain::MatchStep::person,
      remittances.at("N1").text(),          domain::MatchVerdict::taken, {decision.text()}, clock.now()};
  // As the version before allocations were stored posted it: the claim in full, and a loss of the remittance.
  const Money missing = Money::cents(29'000);
  BOOST_REQUIRE(bool(sql->commit([&](ports::Records& records) -> domain::Status {
    auto remittance = *records.remittances().find(caller.tenant, remittances.at("N1"));
    auto deposit = *records.deposits().find(caller.tenant, deposits.at("D1"));
    const auto settlement = records.settlements().find(caller.tenant, settlements.at("A"))->settlement;
    usecases::BookPayment booking(unit(records));
    booking.payment({settlement, settlement.billed.charge},
                    {Money::cents(79'000), domain::PaymentKind::processed, Money::cents(100'000)}, &deposit,
                    &remittance, "person");
    auto& paid = remittance.claims[0];
    paid.state = State::posted;
    paid.settlement = settlement.id;
    paid.record = booking.posted().back().id;
    records.remittances().update_claim(caller.tenant, remittance.id, paid);
    records.remittances().link_deposit(caller.tenant, remittance.id, deposit.id);
    domain::LedgerTransaction loss;
    loss.id = ids.next<domain::LedgerTransactionId>();
    loss.cause_kind = "withholding";
    loss.cause_id = remittance.id.text();
    loss.at = clock.now();
    loss.debit(std::string(domain::account::kLossOnReceivable), missing);
    loss.credit(std::string(domain::account::kSuspenseUnmatched), missing);
    records.ledger().append(caller.tenant, loss);
    remittance.withheld = missing;
    records.remittances().update_adjustments(caller.tenant, remittance);
    deposit.matched_amount -= missing;
    records.deposits().update_match(caller.tenant, deposit);
    records.matches().insert(caller.tenant, decided);
    domain::AllocationRow row;
    row.number = 1;
    row.account = domain::AllocationAccount::advance;
    row.settlement = settlement.id;
    row.amount = Money::cents(79'000);
    row.reason = domain::AllocationReason::advanced_claim;
    row.record = paid.record;
    records.allocations().append(caller.tenant, remittance.id, row);
    domain::AllocationRow shortfall;
    shortfall.number = 2;
    shortfall.line = domain::AllocationLine::shortfall;
    shortfall.account = domain::AllocationAccount::advance;
    shortfall.amount = -missing;
    shortfall.reason = domain::AllocationReason::accepted_short;
    records.allocations().append(caller.tenant, remittance.id, shortfall);
    return {};
  })));
  BOOST_TEST(balance("loss_on_receivable") == missing);
  const auto undone = sql->commit(
      [&](ports::Records& records) -> domain::Status { return usecases::MatchPayments(unit(records)).undo(decided); });
  BOOST_REQUIRE(bool(undone));
  BOOST_TEST((books() == before));
  BOOST_TEST(stored("N1").withheld == Money{});
}

BOOST_AUTO_TEST_SUITE_END()
