// Proposals for unmatched deposits and ambiguous claims: content, and postings of accepted proposals.
#include <string>
#include <vector>

#include "tests/usecases/matching/proposal_world.hpp"

using namespace tideover;
using domain::ErrorCode;
using tests::ProposalWorld;
using tests::refusal_of;
using tests::why;

BOOST_FIXTURE_TEST_SUITE(proposals, ProposalWorld)

BOOST_AUTO_TEST_CASE(a_deposit_off_by_a_cent_is_accepted_for_its_remittance) {
  fund({"A"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 79'000}}});
  arrives(tests::Cash{"D1", 79'001, "T1"});
  const auto task = task_about("D1");
  BOOST_TEST(proposed(task) ==
             "91 N1: trace_number_equal amount_near payer_equal date_in_window; "
             "67 A: amount_within_a_tenth payer_equal date_in_window");
  const int rows = audit_rows();
  const auto accepted = accept(task, proposal_of(task, {"N1"}));
  BOOST_REQUIRE_MESSAGE(accepted, why(accepted));
  BOOST_TEST(ends() == "D1 partly_matched; A settled by person; deposit_unmatched about D1");  // one cent is left over
  BOOST_TEST(balance("suspense_unmatched") == domain::Money::cents(-1));
  BOOST_TEST(balance("fee_income") == domain::Money::cents(-1'280));
  BOOST_TEST(events("reconciliation.posted") == 1);
  BOOST_TEST(events("task.closed") == 1);
  BOOST_TEST(audit_rows() == rows + 1);
  BOOST_TEST(pairs() == "D1~N1 person; D1~N1 trace_number: amount_differs; N1~A claim_identifier");
}

BOOST_AUTO_TEST_CASE(money_is_reserved_for_an_ambiguous_claim_before_unadvanced_claims) {
  fund({"A"});
  tests::Remittance remittance{"N1", "T1", {{"STRANGER", 50'000, 120'000}, {"A", 50'000, 110'000}}};
  remittance.adjustments = {{"CS", 20'000}};
  arrives(remittance);
  arrives(tests::Cash{"D1", 80'000, "T1"});
  BOOST_TEST(holdings() == "provider_payable -300.00; receivable A 640.00; suspense_unmatched -500.00");
  const auto task = task_about("N1");
  const auto accepted = accept(task, proposals(task).front().id);
  BOOST_REQUIRE_MESSAGE(accepted, why(accepted));
  BOOST_TEST(holdings() == "loss_on_receivable 140.00; provider_payable -300.00");
}

BOOST_AUTO_TEST_CASE(a_mismatched_part_of_an_advanced_claim_is_ambiguous) {
  fund({"A", 100'000, "PAYER", {"99213", "99214"}});
  arrives(tests::Cash{"D1", 72'000, "T1"});
  arrives(tests::Remittance{
      "N1",
      "T1",
      {{"A", 40'000, 50'000, std::nullopt, "1", "", "99213"}, {"A", 32'000, 40'000, std::nullopt, "1", "", "99999"}}});
  BOOST_TEST(ends() == "D1 partly_matched; A partial by trace_number; match_ambiguous about N1");
  BOOST_TEST(balance("suspense_unmatched") == domain::Money::cents(-32'000));
}

BOOST_AUTO_TEST_CASE(a_task_stays_open_while_another_claim_of_its_remittance_is_ambiguous) {
  fund({"A"});
  terms_of({"B"});  // not funded, so it is not proposed
  arrives(tests::Cash{"D1", 90'000, "T1"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 50'000, 110'000}, {"B", 40'000, 110'000}}});
  const auto task = task_about("N1");
  BOOST_REQUIRE(bool(accept(task, proposals(task).front().id)));
  BOOST_TEST(tasks("match_ambiguous").size() == 1u);
  BOOST_TEST(balance("suspense_unmatched") == domain::Money::cents(-40'000));
}

BOOST_AUTO_TEST_CASE(deposits_with_different_numbers_or_days_are_proposed_together) {
  for (const bool about_remittance : {true, false}) {
    ProposalWorld world;
    world.fund({"A"});
    world.arrives(tests::Cash{"D1", 50'000, "", 0});
    world.arrives(tests::Cash{"D2", 29'000, "T9", 20});
    world.arrives(tests::Cash{"D3", 29'000, "T8", 20});
    world.arrives(tests::Remittance{"N1", about_remittance ? "" : "T1", {{"A", 79'000}}});
    if (about_remittance) world.open_question(world.remittances.at("N1").text());
    const auto before = world.books();
    const auto task = world.task_about(about_remittance ? "N1" : "D1");
    const std::vector<std::string> parts =
        about_remittance ? std::vector<std::string>{"D1", "D3"} : std::vector<std::string>{"N1", "D3"};
    const auto accepted = world.accept(task, world.proposal_of(task, parts));
    BOOST_REQUIRE_MESSAGE(accepted, why(accepted));
    BOOST_TEST(world.ends() == "D1 matched; D2 unmatched; D3 matched; A settled by person");
    BOOST_TEST(world.holdings() == "fee_income -12.80; provider_payable -137.20; suspense_unmatched -290.00");
    BOOST_REQUIRE(bool(world.undo(task)));
    BOOST_TEST((world.books() == before));
    BOOST_TEST(world.ends() == std::string("D1 unmatched; D2 unmatched; D3 unmatched; A pending by undone; ") +
                                   (about_remittance ? "match_ambiguous about N1" : "deposit_unmatched about D1"));
    world.teardown();
  }
}

BOOST_AUTO_TEST_CASE(a_hundred_of_many_fitting_sums_are_recorded) {
  for (int i = 0; i < 12; ++i) arrives(tests::Cash{"D" + std::to_string(10 + i), 10'000, "X" + std::to_string(i)});
  arrives(tests::Remittance{"N1", "", {{"STRANGER", 60'000, 120'000}}});  // 924 sums of six
  std::size_t kept = 0;
  for (const auto& [name, id] : deposits)
    for (const auto& reason : seen([&, deposit = id](const ports::Records& records) {
           return records.matches().of_subject(caller.tenant, deposit.text(), std::nullopt, 100'000);
         }))
      kept += reason.step == domain::MatchStep::many_to_one;
  BOOST_TEST(kept == 600u, "of a hundred sums");
  BOOST_TEST(tasks("match_ambiguous").size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_deposit_expected_by_two_advances_goes_to_the_choice_of_the_reviewer) {
  fund({"A"});
  fund({"B"});
  arrives(tests::Cash{"D1", 80'000, ""});
  const auto task = task_about("D1");
  BOOST_TEST(proposed(task) ==
             "100 A: amount_equal payer_equal date_in_window; 100 B: amount_equal payer_equal date_in_window");
  BOOST_REQUIRE(bool(accept(task, proposal_of(task, {"B"}))));
  BOOST_TEST(ends() == "D1 matched; A pending; B settled by person");
  BOOST_REQUIRE(bool(undo(task)));
  BOOST_TEST(ends() == "D1 unmatched; A pending; B pending by undone; deposit_unmatched about D1");
  // The advance of an undone payment is proposed again.
  const auto again = task_about("D1");
  BOOST_REQUIRE(bool(accept(again, proposal_of(again, {"B"}))));
  BOOST_TEST(ends() == "D1 matched; A pending; B settled by person");
  // Each acceptance can be undone.
  const auto undone = undo(again);
  BOOST_REQUIRE_MESSAGE(undone, why(undone));
  BOOST_TEST(ends() == "D1 unmatched; A pending; B pending by undone; deposit_unmatched about D1");
}

BOOST_AUTO_TEST_CASE(a_takeback_waits_for_the_deposit_of_its_remittance) {
  fund({"A"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 79'000}}});
  arrives(tests::Cash{"D1", 79'000, "T1"});
  arrives(tests::Remittance{"N2", "", {{"A", -79'000, -100'000, std::nullopt, "22"}, {"STRANGER", 100'000, 120'000}}});
  arrives(tests::Cash{"D2", 21'001, ""});
  const auto task = task_about("D2");
  const auto accepted = accept(task, proposal_of(task, {"N2"}));
  BOOST_REQUIRE_MESSAGE(accepted, why(accepted));
  BOOST_TEST(ends() == "D1 matched; D2 partly_matched; A reversed by person; deposit_unmatched about D2");
  const auto undone = undo(task);
  BOOST_REQUIRE_MESSAGE(undone, why(undone));
  BOOST_TEST(ends() == "D1 matched; D2 unmatched; A settled by undone; deposit_unmatched about D2");
}

BOOST_AUTO_TEST_CASE(a_remittance_with_two_deposits_gets_the_choice_of_the_reviewer) {
  fund({"A"});
  arrives(tests::Cash{"D1", 79'000, "T1"});
  arrives(tests::Cash{"D2", 79'000, "T1", 1});
  arrives(tests::Remittance{"N1", "T1", {{"A", 79'000}}});
  const auto task = task_about("N1");
  BOOST_REQUIRE(bool(accept(task, proposal_of(task, {"D2"}))));
  BOOST_TEST(ends() == "D1 unmatched; D2 matched; A settled by person");
  BOOST_REQUIRE(bool(undo(task)));
  BOOST_TEST(ends() == "D1 unmatched; D2 unmatched; A pending by undone; match_ambiguous about N1");
}

BOOST_AUTO_TEST_CASE(a_deposit_is_proposed_the_sum_of_remittances_without_a_common_number) {
  fund({"A"});
  fund({"B"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 79'000}}});
  arrives(tests::Remittance{"N2", "T2", {{"B", 70'000}}});
  arrives(tests::Cash{"D1", 149'000, ""});
  const auto task = task_about("D1");
  BOOST_TEST(proposed(task) == "60 N1+N2: amount_equal_in_sum payer_equal");
  BOOST_REQUIRE(bool(accept(task, proposal_of(task, {"N1", "N2"}))));
  BOOST_TEST(ends() == "D1 matched; A settled by person; B settled by person");
  BOOST_REQUIRE(bool(undo(task)));
  BOOST_TEST(ends() == "D1 unmatched; A pending by undone; B pending by undone; deposit_unmatched about D1");
}

BOOST_AUTO_TEST_CASE(a_claim_with_another_charge_is_proposed_the_advance_of_its_number) {
  fund({"A"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 79'000, 100'001}}});
  arrives(tests::Cash{"D1", 79'000, "T1"});
  const auto task = task_about("N1");
  BOOST_TEST(proposed(task) == "89 A claim 0: claim_number_equal amount_near payer_equal");
  BOOST_REQUIRE(bool(accept(task, proposal_of(task, {"A"}))));
  BOOST_TEST(ends() == "D1 matched; A settled by person");
  BOOST_REQUIRE(bool(undo(task)));
  BOOST_TEST(ends() == "D1 partly_matched; A pending by undone; match_ambiguous about N1");
}

BOOST_AUTO_TEST_CASE(a_claim_is_paid_only_from_the_deposit_of_its_own_remittance) {
  send({"A"});
  fund({"C"});
  fund({"E"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 60'000}}});
  // 200.00 are taken back for a claim that was never paid.
  arrives(tests::Remittance{"N2", "T1", {{"C", 60'000}, {"E", -20'000, -100'000, std::nullopt, "22"}}});
  arrives(tests::Cash{"D1", 100'000, "T1"});
  const auto task = task_about("N2");
  for (const auto& proposal : proposals(task))
    BOOST_TEST(proposal.decision == domain::kAcceptShort);  // accepting would post nothing, so it is not proposed
  BOOST_TEST(refusal_of(accept(task, "0:" + settlements["C"].text())) == ErrorCode::invalid_state);
  resolve();
  BOOST_TEST(balance("suspense_unmatched") == domain::Money::cents(-40'000));  // A received 600.00 of 1000.00
}

BOOST_AUTO_TEST_CASE(a_remittance_decides_a_claim_equally_before_and_after_its_deposit) {
  fund({"A"});
  arrives(tests::Cash{"D1", 75'000, ""});
  const auto task = task_about("D1");
  BOOST_REQUIRE(bool(accept(task, proposal_of(task, {"A"}))));
  BOOST_TEST(postings() == "A 750.00 partial");
  arrives(tests::Remittance{"N1", "T1", {{"A", 75'000}}});
  fund({"B"});
  arrives(tests::Remittance{"N2", "T2", {{"B", 75'000}}});
  arrives(tests::Cash{"D2", 75'000, "", 1});
  BOOST_TEST(postings() == "A 750.00 partial, 0.00 settled; B 750.00 settled");
  BOOST_TEST(holdings() == "fee_income -25.60; provider_payable -194.40");

  const auto undone = undo(task);
  BOOST_REQUIRE_MESSAGE(undone, why(undone));
  BOOST_TEST(postings() == "A 750.00 partial, 0.00 settled, 0.00 partial, -750.00 pending; B 750.00 settled");
  BOOST_TEST(holdings() ==
             "fee_income -12.80; provider_payable -97.20; receivable A 640.00; suspense_unmatched -750.00");
}

BOOST_AUTO_TEST_CASE(a_remittance_after_its_deposit_posts_its_adjustments) {
  fund({"A"});
  fund({"C"});
  arrives(tests::Cash{"D0", 79'000, "T0"});
  arrives(tests::Remittance{"N0", "T0", {{"C", 79'000}}});
  tests::Remittance back{"N9", "T9", {{"C", -79'000, -100'000, std::nullopt, "22"}}};
  back.adjustments = {{"FB", -79'000}};
  arrives(back);
  arrives(tests::Cash{"D1", 75'000, ""});
  const auto task = task_about("D1");
  BOOST_REQUIRE(bool(accept(task, proposal_of(task, {"A"}))));
  tests::Remittance with_interest{"N1", "T1", {{"A", 75'000}}};
  with_interest.adjustments = {{"L6", -250}, {"WO", 250}};
  arrives(with_interest);
  BOOST_TEST(holdings() ==
             "carried_balances -787.50; fee_income -12.80; loss_on_receivable 640.00; provider_payable -99.70");
  BOOST_REQUIRE(bool(undo(task)));  // its own lines are undone, and the balance is open again
  BOOST_TEST(holdings() ==
             "carried_balances -790.00; loss_on_receivable 640.00; receivable A 640.00; suspense_unmatched -750.00");
}

BOOST_AUTO_TEST_CASE(a_task_stays_open_while_a_claim_of_its_remittance_has_no_match) {
  fund({"A"});
  send({"B"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 79'000, 100'001}, {"B", 79'000}}});
  arrives(tests::Cash{"D1", 158'000, "T1"});
  const auto task = task_about("N1");
  resolve();
  BOOST_TEST(task_about("N1") == task);
  BOOST_TEST(proposed(task) == "89 A claim 0: claim_number_equal amount_near payer_equal");
}

BOOST_AUTO_TEST_CASE(an_unknown_proposal_is_refused_without_a_write) {
  fund({"A"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 79'000}}});
  arrives(tests::Cash{"D1", 79'001, "T1"});
  const auto task = task_about("D1");
  const auto before = books();
  const int rows = audit_rows();
  const auto refused = accept(task, settlements["A"].text() + "x");
  BOOST_TEST(refusal_of(refused) == ErrorCode::invalid_state);
  BOOST_TEST(!refused.error().lists.empty());
  BOOST_TEST((books() == before));
  BOOST_TEST(audit_rows() == rows);
  BOOST_TEST(tasks().size() == 1u);
  BOOST_TEST(refusal_of(undo(task)) == ErrorCode::invalid_state);  // nothing was accepted
}

BOOST_AUTO_TEST_CASE(a_proposal_for_an_advance_paid_in_the_meantime_is_refused) {
  fund({"A"});
  fund({"B"});
  arrives(tests::Cash{"D1", 80'000, ""});
  const auto task = task_about("D1");
  const auto proposal = proposal_of(task, {"B"});
  arrives(tests::Remittance{"N9", "T9", {{"B", 80'000}}});
  BOOST_TEST(refusal_of(accept(task, proposal)) ==
             ErrorCode::invalid_state);  // the deposit was allocated to the remittance, which closed the task
  BOOST_TEST(ends() == "D1 matched; A pending; B settled by amount_and_date");
}

BOOST_AUTO_TEST_CASE(a_deposit_without_remittance_above_the_charge_is_accepted_over) {
  payers.payers.front().rates = {0, 10'000, 0, 21, 30};  // this payer pays the full charge
  fund({"A"});
  BOOST_REQUIRE(settlement(settlements.at("A")).expected_reimbursement == domain::Money::cents(100'000));
  arrives(tests::Cash{"D1", 100'500, ""});
  const auto task = task_about("D1");
  const auto found = proposals(task);
  BOOST_REQUIRE(found.size() == 1u);
  BOOST_TEST(found.front().decision == domain::kAcceptOver);
  BOOST_TEST(found.front().excess == domain::Money::cents(500));
  BOOST_TEST(refusal_of(accept(task, found.front().id)) == ErrorCode::invalid_state);
  BOOST_REQUIRE(bool(decide(task, domain::kAcceptOver, found.front().id)));
  BOOST_TEST(postings() == "A 1005.00 settled_over");
}

BOOST_AUTO_TEST_SUITE_END()
