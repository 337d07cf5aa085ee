// Proposals for unmatched deposits and ambiguous claims: content, postings of accepted proposals, and undo.
#include "core/usecases/funding/follow_up_payments.hpp"
#include "core/usecases/matching/match_payments.hpp"
#include "tests/usecases/matching/proposal_world.hpp"

using namespace tideover;
using domain::ErrorCode;
using tests::refusal_of;
using tests::task_body;
using tests::why;

BOOST_FIXTURE_TEST_SUITE(proposals, tests::ProposalWorld)

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

BOOST_AUTO_TEST_CASE(undo_restores_the_books_and_reopens_the_task) {
  fund({"A"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 79'000}}});
  arrives(tests::Cash{"D1", 79'001, "T1"});
  const auto before = books();
  const auto task = task_about("D1");
  BOOST_REQUIRE(bool(accept(task, proposal_of(task, {"N1"}))));
  const auto undone = undo(task);
  BOOST_REQUIRE_MESSAGE(undone, why(undone));
  BOOST_TEST((books() == before));
  BOOST_TEST(ends() == "D1 unmatched; A pending by undone; deposit_unmatched about D1");
  BOOST_TEST(events("reconciliation.adjusted") == 1);
  BOOST_TEST(reconciliation(settlements["A"]).records.size() == 2u);  // nothing is erased
  BOOST_TEST(reconciliation(settlements["A"]).payer_payment == domain::Money{});
  BOOST_TEST(refusal_of(undo(task)) == ErrorCode::invalid_state);

  // The new task proposes it again, and accepting it again posts it again.
  const auto again = task_about("D1");
  BOOST_TEST(again == undone->body);
  BOOST_REQUIRE(bool(accept(again, proposal_of(again, {"N1"}))));
  BOOST_TEST(ends() == "D1 partly_matched; A settled by person; deposit_unmatched about D1");
}

BOOST_AUTO_TEST_CASE(a_remittance_with_its_own_deposit_keeps_it_after_an_undo) {
  fund({"A"});
  fund({"B"});
  arrives(tests::Cash{"D1", 80'000, ""});
  const auto task = task_about("D1");
  BOOST_REQUIRE(bool(accept(task, proposal_of(task, {"A"}))));
  tests::Remittance denial{"N2", "T2", {{"A", 0, 100'000, std::nullopt, "4"}}};
  denial.adjustments = {{"L6", -231}};
  arrives(denial);
  arrives(tests::Cash{"D2", 231, "T2"});
  BOOST_TEST(ends() == "D1 matched; D2 matched; A settled by person; B pending");
  const auto undone = undo(task);
  BOOST_REQUIRE_MESSAGE(undone, why(undone));
  BOOST_TEST(ends() == "D1 unmatched; D2 matched; A denied by trace_number; B pending; deposit_unmatched about D1");
  BOOST_TEST(holdings() ==
             "loss_on_receivable 640.00; provider_payable -2.31; receivable B 640.00; suspense_unmatched -800.00");
}

BOOST_AUTO_TEST_CASE(an_excess_over_the_remittance_is_released_separately) {
  fund({"A"});
  fund({"B"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 79'000}}});
  arrives(tests::Cash{"D1", 80'000, "T1"});
  const auto joined = task_about("D1");
  BOOST_REQUIRE(bool(accept(joined, proposal_of(joined, {"N1"}))));
  const auto excess = task_about("D1");
  BOOST_TEST(excess != joined);
  BOOST_TEST(tasks("deposit_unmatched").front().note ==
             "10.00 more than announced was received. Find out what it is, or release it.");
  BOOST_REQUIRE(bool(decide(excess, domain::kRelease)));
  BOOST_TEST(ends() == "D1 matched; A settled by person; B pending");
  BOOST_TEST(holdings() == "fee_income -12.80; provider_payable -147.20; receivable B 640.00");
  BOOST_TEST(refusal_of(undo(joined)) == ErrorCode::invalid_state);  // the release must be undone first
  BOOST_REQUIRE(bool(undo(excess)));
  BOOST_TEST(ends() == "D1 partly_matched; A settled by person; B pending; deposit_unmatched about D1");
  BOOST_REQUIRE(bool(undo(joined)));
  BOOST_TEST(ends() == "D1 unmatched; A pending by undone; B pending; deposit_unmatched about D1");
  BOOST_TEST(holdings() == "receivable A 640.00; receivable B 640.00; suspense_unmatched -800.00");
}

BOOST_AUTO_TEST_CASE(an_ambiguous_claim_of_a_remittance_can_be_released_to_the_provider) {
  fund({"A"});
  arrives(tests::Cash{"D1", 84'000, "T1"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 79'000, 90'000}, {"STRANGER", 5'000, 120'000}}});
  BOOST_TEST(ends() == "D1 partly_matched; A pending; match_ambiguous about N1");
  BOOST_TEST(holdings() == "provider_payable -50.00; receivable A 640.00; suspense_unmatched -790.00");
  const auto before = books();
  const auto task = task_about("N1");
  BOOST_REQUIRE(bool(decide(task, domain::kRelease)));
  BOOST_TEST(ends() == "D1 matched; A pending");
  BOOST_TEST(holdings() == "provider_payable -840.00; receivable A 640.00");
  BOOST_REQUIRE(bool(undo(task)));
  BOOST_TEST((books() == before));
  BOOST_TEST(ends() == "D1 partly_matched; A pending; match_ambiguous about N1");
  BOOST_TEST(refusal_of(undo(task)) == ErrorCode::invalid_state);
  // The other decision: a reviewer allocates it to the advance.
  const auto again = task_about("N1");
  BOOST_REQUIRE(bool(accept(again, proposals(again).front().id)));
  BOOST_TEST(ends() == "D1 matched; A partial by person");  // 100.00 of its charge are not decided
  BOOST_TEST(holdings() == "fee_income -12.80; provider_payable -187.20");
}

BOOST_AUTO_TEST_CASE(an_undone_release_leaves_the_deposit_with_its_remittance) {
  send({"A"});  // the rail has not answered; the claim waits
  arrives(tests::Remittance{"N1", "T1", {{"A", 90'000}}});
  arrives(tests::Cash{"D1", 95'000, "T1"});
  const auto joined = task_about("D1");
  BOOST_REQUIRE(bool(accept(joined, proposal_of(joined, {"N1"}))));
  const auto excess = task_about("D1");
  BOOST_REQUIRE(bool(decide(excess, domain::kRelease)));
  BOOST_REQUIRE(bool(undo(excess)));
  BOOST_TEST(ends() == "D1 partly_matched; A pending; deposit_unmatched about D1");
  resolve();
  BOOST_TEST(ends() == "D1 partly_matched; A settled_over by person; deposit_unmatched about D1");
}

BOOST_AUTO_TEST_CASE(a_release_does_not_reduce_the_money_of_unadvanced_claims) {
  fund({"A"});
  const auto declined = terms_of({"B"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 20'000, 90'000}, {"B", 30'000}}});
  arrives(tests::Cash{"D1", 50'000, "T1"});
  const auto task = task_about("N1");
  BOOST_REQUIRE(bool(decide(task, domain::kRelease)));
  BOOST_TEST(holdings() == "provider_payable -200.00; receivable A 640.00; suspense_unmatched -300.00");
  BOOST_REQUIRE(bool(cancel_settlement(context("cancel"), declined.text(), [](const auto&) { return ""; })));
  BOOST_TEST(holdings() == "provider_payable -500.00; receivable A 640.00");
  BOOST_REQUIRE(bool(undo(task)));
  BOOST_TEST(holdings() == "provider_payable -300.00; receivable A 640.00; suspense_unmatched -200.00");
  BOOST_TEST(refusal_of(undo(task)) == ErrorCode::invalid_state);
}

BOOST_AUTO_TEST_CASE(several_ambiguous_claims_are_released_and_undone_together) {
  fund({"A"});
  fund({"B"});
  arrives(tests::Cash{"D1", 80'000, "T1"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 20'000, 90'000}, {"STRANGER", 30'000, 120'000}, {"B", 30'000, 70'000}}});
  const auto before = books();
  const auto task = task_about("N1");
  BOOST_REQUIRE(bool(decide(task, domain::kRelease)));
  BOOST_TEST(ends() == "D1 matched; A pending; B pending");
  BOOST_TEST(holdings() == "provider_payable -800.00; receivable A 640.00; receivable B 640.00");
  BOOST_REQUIRE(bool(undo(task)));
  BOOST_TEST((books() == before));
}

BOOST_AUTO_TEST_CASE(a_match_with_a_released_claim_is_undone_only_after_the_release) {
  fund({"A"});
  fund({"B"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 20'000, 90'000}, {"STRANGER", 30'000, 120'000}}});
  arrives(tests::Cash{"D1", 50'001, "T1"});
  const auto joined = task_about("D1");
  BOOST_REQUIRE(bool(accept(joined, proposal_of(joined, {"N1"}))));
  const auto question = task_about("N1");
  BOOST_REQUIRE(bool(decide(question, domain::kRelease)));
  BOOST_TEST(refusal_of(undo(joined)) == ErrorCode::invalid_state);
  BOOST_REQUIRE(bool(undo(question)));
  BOOST_REQUIRE(bool(undo(joined)));
  BOOST_TEST(holdings() == "receivable A 640.00; receivable B 640.00; suspense_unmatched -500.01");
}

BOOST_AUTO_TEST_CASE(money_is_reserved_for_an_ambiguous_claim_before_unadvanced_claims) {
  fund({"A"});
  tests::Remittance remittance{"N1", "T1", {{"STRANGER", 50'000, 120'000}, {"A", 50'000, 90'000}}};
  remittance.adjustments = {{"CS", 20'000}};
  arrives(remittance);
  arrives(tests::Cash{"D1", 80'000, "T1"});
  BOOST_TEST(holdings() == "provider_payable -300.00; receivable A 640.00; suspense_unmatched -500.00");
  const auto task = task_about("N1");
  const auto accepted = accept(task, proposals(task).front().id);
  BOOST_REQUIRE_MESSAGE(accepted, why(accepted));
  BOOST_TEST(holdings() == "provider_payable -300.00; receivable A 140.00");
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
  arrives(tests::Remittance{"N1", "T1", {{"A", 50'000, 90'000}, {"B", 40'000, 90'000}}});
  const auto task = task_about("N1");
  BOOST_REQUIRE(bool(accept(task, proposals(task).front().id)));
  BOOST_TEST(tasks("match_ambiguous").size() == 1u);
  BOOST_TEST(balance("suspense_unmatched") == domain::Money::cents(-40'000));
}

BOOST_AUTO_TEST_CASE(a_remittance_without_its_deposit_cannot_be_released) {
  fund({"A"});
  arrives(tests::Remittance{"N1", "", {{"A", 79'000}}, 0, ""});
  BOOST_TEST(refusal_of(decide(task_about("N1"), domain::kRelease)) == ErrorCode::invalid_state);
  BOOST_TEST(holdings() == "receivable A 640.00");
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

BOOST_AUTO_TEST_CASE(an_undone_shortfall_is_no_loss) {
  fund({"A"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 50'000}}});
  arrives(tests::Cash{"D1", 50'000, "T1", 7});
  const auto task = task_about("D1");
  BOOST_REQUIRE(bool(accept(task, proposal_of(task, {"N1"}))));
  BOOST_TEST(balance("loss_on_receivable") == domain::Money::cents(14'000));
  BOOST_REQUIRE(bool(undo(task)));
  BOOST_TEST(balance("loss_on_receivable") == domain::Money{});
  BOOST_TEST(ends() == "D1 unmatched; A pending by undone; deposit_unmatched about D1");
}

BOOST_AUTO_TEST_CASE(a_match_with_later_postings_is_not_undone) {
  fund({"A"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 79'000}}});
  arrives(tests::Cash{"D1", 79'000, "T1", 7});
  const auto task = task_about("D1");
  BOOST_REQUIRE(bool(accept(task, proposal_of(task, {"N1"}))));
  arrives(tests::Remittance{"N2", "T2", {{"A", 1'000}}});
  arrives(tests::Cash{"D2", 1'000, "T2"});
  const auto before = books();
  const auto refused = undo(task);
  BOOST_TEST(refusal_of(refused) == ErrorCode::invalid_state);
  BOOST_TEST(tests::detail_of(refused.error(), "settlement_id") == settlements["A"].text());
  BOOST_TEST((books() == before));
}

BOOST_AUTO_TEST_CASE(a_match_with_a_forward_balance_is_not_undone) {
  fund({"A"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 79'000}}, 0, "PAYER", "", -1'000});
  arrives(tests::Cash{"D1", 80'000, "T1", 7});
  const auto task = task_about("D1");
  BOOST_REQUIRE(bool(accept(task, proposal_of(task, {"N1"}))));
  const auto refused = undo(task);
  BOOST_TEST(refusal_of(refused) == ErrorCode::invalid_state);
  BOOST_TEST(tests::detail_of(refused.error(), "remittance_id") == remittances["N1"].text());
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

BOOST_AUTO_TEST_CASE(undo_separates_pooled_deposits) {
  fund({"A"});
  fund({"B", 25'000});
  tests::Remittance short_one{"N1", "T1", {{"A", 79'000}}};
  short_one.adjustments = {{"LE", 9'000}};
  arrives(short_one);
  arrives(tests::Cash{"D1", 50'000, "T1"});
  arrives(tests::Cash{"D2", 20'000, "T1"});
  const auto task = task_about("N1");
  const auto proposal = proposals(task).at(0);
  BOOST_REQUIRE(proposal.decision == domain::kAcceptShort);
  const auto accepted = decide(task, domain::kAcceptShort, proposal.id);
  BOOST_REQUIRE_MESSAGE(accepted, why(accepted));
  BOOST_TEST(ends() == "D1 matched; D2 matched; A settled by person; B pending");
  const auto undone = undo(task);
  BOOST_REQUIRE_MESSAGE(undone, why(undone));
  for (const char* deposit : {"D1", "D2"})
    BOOST_TEST(!seen([&](const ports::Records& records) {
                  return records.deposits().find(caller.tenant, deposits[deposit]);
                })->pooled_into.has_value());
  arrives(tests::Remittance{"N2", "", {{"B", 20'000, 25'000}}});
  BOOST_TEST(ends() ==
             "D1 unmatched; D2 matched; A pending by undone; B settled by amount_and_date; match_ambiguous about N1");
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

BOOST_AUTO_TEST_CASE(a_remittance_with_a_booked_takeback_keeps_its_payer) {
  fund({"A"});
  fund({"B"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 79'000}}});
  arrives(tests::Cash{"D1", 79'000, "T1"});
  tests::Remittance back{"N2", "T2", {{"A", -79'000, -100'000, std::nullopt, "22"}, {"B", 0, 100'001}}};
  back.adjustments = {{"FB", -79'000}};
  arrives(back);
  know_payer();
  payers.payers.emplace_back().payer_id = "OTHER";
  const auto before = books();
  BOOST_TEST(before.at("carried_balances") == domain::Money::cents(-79'000));
  BOOST_TEST(refusal_of(decide(task_about("N2"), domain::kAssignPayer, "OTHER")) == ErrorCode::invalid_state);
  BOOST_TEST((books() == before));
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
  arrives(tests::Remittance{"N1", "T1", {{"A", 60'000}}});
  arrives(tests::Remittance{
      "N2", "T1", {{"C", 60'000}}, 0, "PAYER", "", 20'000});  // 200.00 are withheld without a reference
  arrives(tests::Cash{"D1", 100'000, "T1"});
  const auto task = task_about("N2");
  for (const auto& proposal : proposals(task))
    BOOST_TEST(proposal.decision == domain::kAcceptShort);  // accepting would post nothing, so it is not proposed
  BOOST_TEST(refusal_of(accept(task, "0:" + settlements["C"].text())) == ErrorCode::invalid_state);
  resolve();
  BOOST_TEST(balance("suspense_unmatched") == domain::Money::cents(-40'000));  // A received 600.00 of 1000.00
}

BOOST_AUTO_TEST_CASE(a_confirming_remittance_waits_for_its_own_deposit_after_an_undo) {
  fund({"A"});
  fund({"B"});
  arrives(tests::Cash{"D1", 80'000, ""});
  const auto task = task_about("D1");
  BOOST_REQUIRE(bool(accept(task, proposal_of(task, {"A"}))));
  arrives(tests::Remittance{"N1", "T9", {{"A", 80'000}}});
  BOOST_TEST(ends() == "D1 matched; A settled by person; B pending");
  const auto undone = undo(task);
  BOOST_REQUIRE_MESSAGE(undone, why(undone));
  arrives(tests::Cash{"D2", 80'000, "T9"});
  BOOST_TEST(ends() == "D1 unmatched; D2 matched; A settled by trace_number; B pending; deposit_unmatched about D1");
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
  BOOST_TEST(refusal_of(undo(task)) == ErrorCode::invalid_state, "another remittance uses the balance too");
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

// --- one payment, two channels ---

BOOST_AUTO_TEST_CASE(a_deposit_reported_by_two_channels_is_booked_once_and_opens_a_task) {
  fund({"A"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 79'000}}});
  arrives(tests::Cash{"D1", 79'000, "T1"});
  arrives(tests::Cash{"D2", 79'000, "T1", 1, "", "", "bai2"});
  BOOST_TEST(ends() == "D1 matched; D2 suspected_duplicate; A settled by trace_number; deposit_duplicate about D2");
  BOOST_TEST(balance("deposit_clearing") == domain::Money::cents(79'000));
  const auto before = books();
  const auto task = task_about("D2");
  BOOST_TEST(proposed(task) == "100 D1: trace_number_equal amount_equal date_in_window");
  BOOST_REQUIRE(bool(accept(task, proposal_of(task, {"D1"}))));
  BOOST_TEST(ends() == "D1 matched; D2 duplicate; A settled by trace_number");
  BOOST_REQUIRE(bool(undo(task)));
  BOOST_TEST(ends() == "D1 matched; D2 suspected_duplicate; A settled by trace_number; deposit_duplicate about D2");
  BOOST_TEST((books() == before));
}

BOOST_AUTO_TEST_CASE(a_suspected_duplicate_is_booked_and_matched_when_declared_distinct) {
  fund({"A"});
  fund({"B"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 79'000}}});
  arrives(tests::Cash{"D1", 79'000, "T1"});
  arrives(tests::Cash{"D2", 79'000, "T1", 0, "PAYER", "", "bai2"});
  arrives(tests::Remittance{"N2", "T1", {{"B", 79'000}}});
  const auto decided = decide(task_about("D2"), domain::kDistinct);
  BOOST_REQUIRE_MESSAGE(decided, why(decided));
  BOOST_TEST(ends() ==
             "D1 matched; D2 matched; A settled by trace_number; B settled by trace_number; trace_reused about N2");
  BOOST_TEST(balance("deposit_clearing") == domain::Money::cents(158'000));
}

BOOST_AUTO_TEST_CASE(a_deposit_with_another_number_amount_payer_or_day_is_no_duplicate) {
  arrives(tests::Cash{"D1", 79'000, "T1"});
  arrives(tests::Cash{"D2", 79'000, "T2", 0, "PAYER", "", "bai2"});
  arrives(tests::Cash{"D3", 79'001, "T1", 0, "PAYER", "", "bai2"});
  arrives(tests::Cash{"D4", 79'000, "T1", 0, "OTHER", "", "bai2"});
  arrives(tests::Cash{"D5", 79'000, "T1", 30, "PAYER", "", "bai2"});
  arrives(tests::Cash{"D6", 79'000, "T1", 1});  // the same channel, but another day
  BOOST_TEST(ends() == "D1 unmatched; D2 unmatched; D3 unmatched; D4 unmatched; D5 unmatched; D6 unmatched");
}

// --- payments of unknown payers ---

BOOST_AUTO_TEST_CASE(a_deposit_with_an_assigned_payer_is_matched_again) {
  fund({"A"});
  arrives(tests::Remittance{"N1", "", {{"A", 79'000}}});
  arrives(tests::Cash{"D1", 79'000, "", 0, ""});
  const auto task = task_about("D1");
  BOOST_TEST(refusal_of(decide(task, domain::kAssignPayer, "nobody")) == ErrorCode::validation_error);
  know_payer();
  const auto decided = decide(task, domain::kAssignPayer, "payer");
  BOOST_REQUIRE_MESSAGE(decided, why(decided));
  BOOST_TEST(ends() == "D1 matched; A settled by amount_and_date");
}

BOOST_AUTO_TEST_CASE(a_wrong_payer_assignment_can_be_undone_before_any_match) {
  fund({"A", 100'000, "OTHER"});
  arrives(tests::Cash{"D1", 79'000, "T9", 0, ""});
  know_payer();
  const auto task = task_about("D1");
  BOOST_REQUIRE(bool(decide(task, domain::kAssignPayer, "PAYER")));
  BOOST_TEST(ends() == "D1 unmatched; A pending");
  const auto undone = undo(task);
  BOOST_REQUIRE_MESSAGE(undone, why(undone));
  BOOST_TEST(undone->body == task_about("D1"));
  BOOST_TEST(ends() == "D1 unmatched; A pending; deposit_unmatched about D1");
  BOOST_TEST(refusal_of(undo(task)) == ErrorCode::invalid_state);
  arrives(tests::Remittance{"N1", "T9", {{"A", 79'000}}, 0, "OTHER"});  // the payer of the deposit is unknown again
  BOOST_TEST(ends() == "D1 matched; A settled_over by trace_number");
}

BOOST_AUTO_TEST_CASE(undo_restores_the_previous_payer_of_a_deposit) {
  arrives(tests::Cash{"D1", 79'000, "", 0, "OTHER"});
  know_payer();
  const auto task = task_about("D1");
  BOOST_REQUIRE(bool(decide(task, domain::kAssignPayer, "PAYER")));
  BOOST_TEST(ends() == "D1 unmatched; deposit_unmatched about D1");  // nothing of that payer fits either
  BOOST_REQUIRE(bool(undo(task)));
  BOOST_TEST(ends() == "D1 unmatched; deposit_unmatched about D1");
  BOOST_TEST(seen([&](const ports::Records& records) {
               return records.deposits().find(caller.tenant, deposits["D1"]);
             })->payer_id == "OTHER");
}

BOOST_AUTO_TEST_CASE(the_payer_assignment_of_a_remittance_can_be_undone_too) {
  fund({"A", 100'000, "OTHER"});
  arrives(tests::Remittance{"N1", "", {{"A", 79'000}}, 0, ""});
  know_payer();
  const auto task = task_about("N1");
  BOOST_REQUIRE(bool(decide(task, domain::kAssignPayer, "PAYER")));
  BOOST_TEST(ends() == "A pending");
  BOOST_REQUIRE(bool(undo(task)));
  BOOST_TEST(ends() == "A pending; match_ambiguous about N1");
  BOOST_TEST(seen([&](const ports::Records& records) {
               return records.remittances().find(caller.tenant, remittances["N1"]);
             })->draft.payer_id == "");
  payers.payers.emplace_back().payer_id = "OTHER";
  BOOST_REQUIRE(bool(decide(task_about("N1"), domain::kAssignPayer, "OTHER")));
  arrives(tests::Cash{"D1", 79'000, "", 0, "OTHER"});
  BOOST_TEST(ends() == "D1 matched; A settled_over by amount_and_date");
}

BOOST_AUTO_TEST_CASE(a_matched_payer_assignment_and_a_distinct_decision_cannot_be_undone) {
  fund({"A"});
  arrives(tests::Remittance{"N1", "", {{"A", 79'000}}});
  arrives(tests::Cash{"D1", 79'000, "", 0, ""});
  know_payer();
  const auto named = task_about("D1");
  BOOST_REQUIRE(bool(decide(named, domain::kAssignPayer, "PAYER")));
  arrives(tests::Cash{"D2", 500, "T5"});
  arrives(tests::Cash{"D3", 500, "T5", 0, "PAYER", "", "bai2"});
  const auto distinct = task_about("D3");
  BOOST_REQUIRE(bool(decide(distinct, domain::kDistinct)));
  const auto before = books();
  for (const auto& task : {named, distinct}) BOOST_TEST(refusal_of(undo(task)) == ErrorCode::invalid_state);
  BOOST_TEST((books() == before));
  BOOST_TEST(ends() == "D1 matched; D2 unmatched; D3 unmatched; A settled by amount_and_date");
}

BOOST_AUTO_TEST_CASE(a_deposit_of_an_unknown_payer_is_proposed_matches_by_amount_and_date) {
  fund({"A"});
  fund({"B", 98'750});
  arrives(tests::Remittance{"N1", "T1", {{"A", 79'000}}});
  arrives(tests::Remittance{"N2", "T2", {{"A", 79'000}}, 30});
  arrives(tests::Cash{"D1", 79'000, "", 0, ""});
  arrives(tests::Cash{"D2", 79'000, "T7", 0, ""});
  arrives(tests::Cash{"D3", 85'000, "", 0, ""});
  const auto task = task_about("D1");
  BOOST_TEST(proposed(task) ==
             "69 N1: amount_equal payer_unknown date_in_window; 69 B: amount_equal payer_unknown date_in_window");
  BOOST_TEST(proposed(task_about("D2")) == "69 B: amount_equal payer_unknown date_in_window");  // N1 has another number
  BOOST_TEST(proposed(task_about("D3")) == "");
  BOOST_REQUIRE(bool(accept(task, proposal_of(task, {"N1"}))));
  BOOST_TEST(ends() ==
             "D1 matched; D2 unmatched; D3 unmatched; A settled by person; B pending; deposit_unmatched about D2; "
             "deposit_unmatched about D3");
}

BOOST_AUTO_TEST_CASE(a_takeback_with_an_assigned_payer_is_carried_forward) {
  fund({"A"});
  arrives(tests::Cash{"D1", 79'000, "T1"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 79'000}}});
  tests::Remittance back{"N2", "T2", {{"A", -79'000, -100'000, std::nullopt, "22"}}, 0, ""};
  back.adjustments = {{"FB", -79'000}};
  arrives(back);
  BOOST_TEST(postings() == "A 790.00 settled");  // a takeback without a known payer moves nothing
  know_payer();
  const auto decided = decide(task_about("N2"), domain::kAssignPayer, "PAYER");
  BOOST_REQUIRE_MESSAGE(decided, why(decided));
  BOOST_TEST(postings() == "A 790.00 settled, -790.00 reversed");
  BOOST_TEST(balance("suspense_unmatched") == domain::Money{});
  BOOST_TEST(balance("carried_balances") == domain::Money::cents(-79'000));
  BOOST_TEST(ends() == "D1 matched; A reversed by claim_identifier");
}

BOOST_AUTO_TEST_CASE(a_remittance_without_payer_and_number_is_matched_after_its_payer_is_assigned) {
  fund({"A"});
  arrives(tests::Cash{"D1", 79'000, ""});
  arrives(tests::Remittance{"N1", "", {{"A", 79'000}}, 0, ""});
  know_payer();
  BOOST_REQUIRE(bool(decide(task_about("N1"), domain::kAssignPayer, "PAYER")));
  BOOST_TEST(ends() == "D1 matched; A settled by amount_and_date");
}

// --- deposits without an advance, shortfalls and excess ---

BOOST_AUTO_TEST_CASE(a_deposit_without_an_advance_is_released_to_the_provider) {
  arrives(tests::Cash{"D1", 12'345, ""});
  const auto before = books();
  const auto task = task_about("D1");
  const auto decided = decide(task, domain::kRelease);
  BOOST_REQUIRE_MESSAGE(decided, why(decided));
  BOOST_TEST(ends() == "D1 matched");
  BOOST_TEST(holdings() == "provider_payable -123.45");
  BOOST_REQUIRE(bool(undo(task)));
  BOOST_TEST((books() == before));
  BOOST_TEST(ends() == "D1 unmatched; deposit_unmatched about D1");
}

BOOST_AUTO_TEST_CASE(a_release_closes_every_task_about_the_deposit) {
  arrives(tests::Cash{"D1", 12'345, ""});
  open_question(deposits.at("D1").text());
  BOOST_TEST(ends() == "D1 unmatched; deposit_unmatched about D1; match_ambiguous about D1");
  BOOST_REQUIRE(bool(decide(tasks("deposit_unmatched").front().id.text(), domain::kRelease)));
  BOOST_TEST(ends() == "D1 matched");
}

BOOST_AUTO_TEST_CASE(a_release_is_found_after_a_thousand_comparisons) {
  fund({"CLMA-X"});
  arrives(tests::Cash{"D1", 79'000, "T1"});
  arrives(tests::Remittance{"N1", "T1", {{"clma-x", 79'000}}});
  BOOST_REQUIRE(bool(sql->commit([&](ports::Records& records) -> domain::Status {
    for (int i = 0; i < 1'100; ++i)
      records.matches().insert(caller.tenant, {ids.next<domain::MatchCandidateId>(),
                                               remittances["N1"].text(),
                                               std::nullopt,
                                               domain::MatchStep::amount_and_date,
                                               deposits["D1"].text(),
                                               domain::MatchVerdict::rejected,
                                               {"amount_differs"},
                                               clock.now()});
    return {};
  })));
  BOOST_REQUIRE(bool(decide(task_about("N1"), domain::kRelease)));
  const auto released = seen([&](const ports::Records& records) {
    return usecases::released_claims(records, caller.tenant,
                                     *records.remittances().find(caller.tenant, remittances["N1"]))
        .size();
  });
  BOOST_TEST(released == 1u);
}

BOOST_AUTO_TEST_CASE(an_accepted_shortfall_is_not_changed_by_an_earlier_takeback) {
  fund({"A"});
  arrives(tests::Remittance{"N2", "T2", {{"A", -80'000, -100'000, std::nullopt, "22"}}, 0, "PAYER", "", -80'000});
  arrives(tests::Remittance{"N1", "T1", {{"A", 80'000}}, 0, "PAYER", "", 65'280});
  arrives(tests::Cash{"D1", 14'720, "T1"});
  BOOST_REQUIRE(bool(decide(task_about("N1"), domain::kAcceptShort, "missing")));
  BOOST_TEST(balance("loss_on_receivable") == domain::Money::cents(65'280));
}

BOOST_AUTO_TEST_CASE(an_accepted_shortfall_is_not_lost_again_by_a_takeback) {
  fund({"A"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 80'000}}, 0, "PAYER", "", 65'280});
  arrives(tests::Cash{"D1", 14'720, "T1"});
  BOOST_REQUIRE(bool(decide(task_about("N1"), domain::kAcceptShort, "missing")));
  BOOST_TEST(balance("loss_on_receivable") == domain::Money::cents(65'280));
  arrives(tests::Remittance{"N2", "T2", {{"A", -80'000, -100'000, std::nullopt, "22"}}, 0, "PAYER", "", -80'000});
  BOOST_TEST(balance("loss_on_receivable") == domain::Money::cents(65'280));
  BOOST_TEST(tasks("match_ambiguous").size() == 1u);
}

BOOST_AUTO_TEST_CASE(an_unexplained_withholding_is_a_loss_when_a_reviewer_accepts_it) {
  fund({"A"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 79'000}}, 0, "PAYER", "", 10'000});
  arrives(tests::Cash{"D1", 69'000, "T1"});
  BOOST_TEST(ends() == "D1 partly_matched; A pending; match_ambiguous about N1");
  const auto task = task_about("N1");
  const auto found = proposals(task);
  BOOST_REQUIRE(found.size() == 1u);
  BOOST_TEST(found.front().decision == domain::kAcceptShort);
  BOOST_TEST(found.front().missing == domain::Money::cents(10'000));
  BOOST_TEST(refusal_of(accept(task, found.front().id)) ==
             ErrorCode::invalid_state);  // a plain acceptance books no loss
  const auto decided = decide(task, domain::kAcceptShort, found.front().id);
  BOOST_REQUIRE_MESSAGE(decided, why(decided));
  BOOST_TEST(ends() == "D1 matched; A settled by person");
  BOOST_TEST(holdings() == "fee_income -12.80; loss_on_receivable 100.00; provider_payable -137.20");
  BOOST_REQUIRE(bool(undo(task)));
  BOOST_TEST(holdings() == "receivable A 640.00; suspense_unmatched -690.00");
  BOOST_TEST(ends() == "D1 unmatched; A pending by undone; match_ambiguous about N1");
}

BOOST_AUTO_TEST_CASE(a_deposit_smaller_than_its_remittance_is_accepted_short) {
  fund({"A"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 79'000}}});
  arrives(tests::Cash{"D1", 70'000, "T1"});
  const auto task = task_about("D1");
  const auto proposal = proposal_of(task, {"N1"});
  BOOST_TEST(refusal_of(accept(task, proposal)) == ErrorCode::invalid_state);
  const auto decided = decide(task, domain::kAcceptShort, proposal);
  BOOST_REQUIRE_MESSAGE(decided, why(decided));
  BOOST_TEST(ends() == "D1 matched; A settled by person");
  BOOST_TEST(holdings() == "fee_income -12.80; loss_on_receivable 90.00; provider_payable -137.20");
  BOOST_REQUIRE(bool(undo(task)));
  BOOST_TEST(holdings() == "receivable A 640.00; suspense_unmatched -700.00");
}

BOOST_AUTO_TEST_CASE(no_shortfall_is_accepted_for_an_unfunded_advance) {
  send({"A"});  // the rail has not answered
  arrives(tests::Remittance{"N1", "T1", {{"A", 79'000}}, 0, "PAYER", "", 10'000});
  arrives(tests::Cash{"D1", 69'000, "T1"});
  const auto task = task_about("N1");
  BOOST_TEST(proposals(task).empty());
  BOOST_TEST(refusal_of(decide(task, domain::kAcceptShort, "missing")) == ErrorCode::invalid_state);
  arrives(tests::Remittance{"N2", "T2", {{"A", 78'000}}});
  arrives(tests::Cash{"D2", 70'000, "T2"});
  const auto short_money = task_about("D2");
  const auto before = books();
  const auto refused = decide(short_money, domain::kAcceptShort, proposal_of(short_money, {"N2"}));
  BOOST_TEST(refusal_of(refused) == ErrorCode::invalid_state);
  BOOST_TEST(refused.error().message.find("not funded") != std::string::npos);
  BOOST_TEST((books() == before));
  resolve();
  BOOST_TEST(proposals(task).size() == 1u);
  BOOST_REQUIRE(bool(decide(task, domain::kAcceptShort, proposals(task).front().id)));
  BOOST_TEST(balance("loss_on_receivable") == domain::Money::cents(10'000));
}

BOOST_AUTO_TEST_CASE(a_release_leaves_other_ambiguous_claims_of_its_remittance_open) {
  fund({"A"});
  fund({"B"});
  arrives(tests::Cash{"D1", 79'000, "T1"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 79'000}}});
  arrives(tests::Remittance{
      "N2",
      "T2",
      {{"A", 85'000}, {"B", 5'000, 90'000}}});  // a second payment of a settled claim, and an ambiguous claim
  arrives(tests::Cash{"D2", 90'000, "T2"});
  const auto first = task_about("N2");
  BOOST_REQUIRE(bool(decide(first, domain::kRelease)));
  BOOST_TEST(ends() == "D1 matched; D2 partly_matched; A settled by trace_number; B pending; match_ambiguous about N2");
  const auto second = task_about("N2");
  BOOST_TEST(second != first);
  const auto left = proposals(second);
  BOOST_REQUIRE(left.size() == 1u);  // without the released claim
  BOOST_TEST((left.front().claim == 0));
  BOOST_TEST(refusal_of(accept(second, "1:" + settlements.at("B").text())) == ErrorCode::invalid_state);
  BOOST_TEST(refusal_of(accept(second, left.front().id)) ==
             ErrorCode::invalid_state);  // 790.00 and 850.00 are above the charge
  BOOST_TEST(left.front().decision == domain::kAcceptOver);
  BOOST_TEST(left.front().excess == domain::Money::cents(64'000));
  BOOST_REQUIRE(bool(decide(second, domain::kAcceptOver, left.front().id)));
  BOOST_TEST(ends() == "D1 matched; D2 matched; A settled_over by person; B pending");
}

BOOST_AUTO_TEST_CASE(a_shortfall_is_decided_after_the_other_advance_is_canceled) {
  fund({"A"});
  const auto declined = terms_of({"B"});
  arrives(tests::Remittance{
      "N1", "T1", {{"A", 79'000}, {"B", 30'000}}, 0, "PAYER", "", 0, "ACH", 0, {{"WO", 40'000, "2026-44"}}});
  arrives(tests::Cash{"D1", 69'000, "T1"});
  BOOST_TEST(proposals(task_about("N1")).empty());
  BOOST_REQUIRE(bool(cancel_settlement(context("cancel"), declined.text(), [](const auto&) { return ""; })));
  const auto left = proposals(task_about("N1"));
  BOOST_REQUIRE(left.size() == 1u);
  BOOST_TEST(left.front().missing == domain::Money::cents(10'000));
  BOOST_REQUIRE(bool(decide(task_about("N1"), domain::kAcceptShort, left.front().id)));
  BOOST_TEST(ends() == "D1 matched; A settled by person; B pending");
  BOOST_TEST(balance("loss_on_receivable") == domain::Money::cents(10'000));
}

BOOST_AUTO_TEST_CASE(an_ambiguous_claim_is_credited_to_the_provider_when_its_advance_is_canceled) {
  const auto declined = terms_of({"A"});
  arrives(tests::Cash{"D1", 5'000, "T1"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 5'000, 90'000}}});  // not the charge of the advance
  BOOST_TEST(ends() == "D1 partly_matched; A pending; match_ambiguous about N1");
  BOOST_REQUIRE(bool(cancel_settlement(context("cancel"), declined.text(), [](const auto&) { return ""; })));
  BOOST_TEST(ends() == "D1 matched; A pending");
  BOOST_TEST(holdings() == "provider_payable -50.00");
}

BOOST_AUTO_TEST_CASE(a_remittance_that_waits_for_a_returned_advance_pays_the_provider) {
  same_day.expected_settlement = clock.now().plus_ms(4 * 3'600'000);
  fund({"A"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 79'000}}, 0, "PAYER", "", 10'000});
  arrives(tests::Cash{"D1", 69'000, "T1"});
  BOOST_TEST(ends() == "D1 partly_matched; A pending; match_ambiguous about N1");
  same_day.now_stands(same_day.only_key(), ports::RailOutcome::Kind::returned, "R02");
  clock.advance_s(4 * 3600);
  usecases::FollowUpPayments follow_up{*store, *disburse, rails, clock, ids, {}};
  BOOST_TEST(bool(follow_up()));
  BOOST_TEST(ends() == "D1 matched; A pending");
  BOOST_TEST(holdings() == "provider_payable -690.00");
}

BOOST_AUTO_TEST_CASE(an_accepted_shortfall_next_to_a_withheld_balance_stays_a_loss) {
  fund({"A"});
  fund({"B"});
  arrives(tests::Cash{"D1", 79'000, "T1"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 79'000}}});
  arrives(tests::Remittance{"N2", "T2", {{"A", -79'000, -100'000, std::nullopt, "22"}}, 0, "PAYER", "", -79'000});
  arrives(tests::Remittance{"N3", "T3", {{"B", 79'000}}, 0, "PAYER", "", 50'000});
  arrives(tests::Cash{"D3", 20'000, "T3"});  // 90.00 less than announced
  const auto task = task_about("D3");
  BOOST_REQUIRE(bool(decide(task, domain::kAcceptShort, proposals(task).front().id)));
  BOOST_TEST(ends() == "D1 matched; D3 matched; A reversed by claim_identifier; B settled by person");
  BOOST_TEST(holdings() ==
             "carried_balances -290.00; fee_income -12.80; loss_on_receivable 730.00; provider_payable -137.20");
}

BOOST_AUTO_TEST_CASE(a_balance_announced_later_reduces_the_loss_of_an_accepted_shortfall) {
  fund({"A"});
  fund({"B"});
  arrives(tests::Cash{"D1", 79'000, "T1"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 79'000}}});
  arrives(tests::Remittance{"N3", "T3", {{"B", 79'000}}, 0, "PAYER", "", 50'000});
  arrives(tests::Cash{"D3", 29'000, "T3"});
  const auto task = task_about("N3");
  BOOST_REQUIRE(bool(decide(task, domain::kAcceptShort, proposals(task).front().id)));
  BOOST_TEST(balance("loss_on_receivable") == domain::Money::cents(50'000));
  tests::Remittance back{"N2", "T2", {{"A", -79'000, -100'000, std::nullopt, "22"}}};
  back.adjustments = {{"WO", -79'000}};
  arrives(back);
  BOOST_TEST(holdings() ==
             "carried_balances -290.00; fee_income -12.80; loss_on_receivable 640.00; provider_payable -137.20");
}

BOOST_AUTO_TEST_CASE(an_accepted_shortfall_is_at_most_advances_and_fees) {
  // A larger loss would pay the provider's residual.
  fund({"A"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 79'000}}});
  arrives(tests::Cash{"D1", 500, "T1"});  // 785.00 less than announced
  BOOST_TEST(proposals(task_about("D1")).empty());
  arrives(tests::Cash{"D2", 13'719, "T1"});
  BOOST_TEST(proposals(task_about("D2")).empty());  // 652.81
  arrives(tests::Cash{"D3", 13'720, "T1"});
  const auto task = task_about("D3");
  BOOST_REQUIRE(proposals(task).size() == 1u);
  BOOST_REQUIRE(bool(decide(task, domain::kAcceptShort, proposals(task).front().id)));
  BOOST_TEST(balance("loss_on_receivable") == domain::Money::cents(65'280));
  BOOST_TEST(reconciliation(settlements.at("A")).residual_due == domain::Money::cents(13'720));
}

BOOST_AUTO_TEST_CASE(a_withholding_for_unadvanced_claims_is_accepted_up_to_the_same_bound) {
  for (const std::int64_t withheld : {65'280, 65'281}) {
    tests::ProposalWorld world;
    world.fund({"A"});
    world.arrives(tests::Remittance{"N1", "T1", {{"A", 79'000}}, 0, "PAYER", "", withheld});
    world.arrives(tests::Cash{"D1", 79'000 - withheld, "T1"});
    const auto task = world.task_about("N1");
    const auto written_off = world.decide(task, domain::kAcceptShort, "missing");
    BOOST_TEST(bool(written_off) == (withheld <= 65'280), why(written_off));
    BOOST_TEST(world.postings() == (written_off ? "A 790.00 settled" : "A -"));
    world.teardown();
  }
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
