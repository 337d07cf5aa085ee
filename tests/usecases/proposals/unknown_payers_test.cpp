// Payments of unknown payers: a reviewer assigns the payer, and can undo it before any match.
#include "tests/usecases/matching/proposal_world.hpp"

using namespace tideover;
using domain::ErrorCode;
using tests::ProposalWorld;
using tests::refusal_of;
using tests::why;

BOOST_FIXTURE_TEST_SUITE(proposals, ProposalWorld)

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

BOOST_AUTO_TEST_CASE(a_deposit_with_an_assigned_payer_is_matched_again) {
  fund({"A"});
  arrives(tests::Remittance{"N1", "", {{"A", 79'000}}});
  arrives(tests::Cash{"D1", 79'000, "", 0, ""});
  const auto task = task_about("D1");
  BOOST_TEST(refusal_of(decide(task, domain::kAssignPayer, "UNKNOWN")) == ErrorCode::validation_error);
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
  BOOST_TEST(ends() == "D1 matched; A settled by trace_number");
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
  BOOST_TEST(ends() == "D1 matched; A settled by amount_and_date");
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

BOOST_AUTO_TEST_SUITE_END()
