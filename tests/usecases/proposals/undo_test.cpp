// Undo of an accepted proposal: it restores books and task, and is refused once later postings depend on it.
#include <string>

#include "tests/usecases/matching/proposal_world.hpp"

using namespace tideover;
using domain::ErrorCode;
using tests::ProposalWorld;
using tests::refusal_of;
using tests::why;

BOOST_FIXTURE_TEST_SUITE(proposals, ProposalWorld)

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

BOOST_AUTO_TEST_CASE(a_match_with_a_forward_balance_is_undone_until_the_balance_is_used) {
  fund({"A"});
  fund({"B"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 79'000}}, 0, "PAYER", "", -1'000});
  arrives(tests::Cash{"D1", 80'000, "T1", 7});
  const auto before = books();
  const auto task = task_about("D1");
  BOOST_REQUIRE(bool(accept(task, proposal_of(task, {"N1"}))));
  BOOST_TEST(balance("carried_balances") == domain::Money::cents(-1'000));
  BOOST_REQUIRE(bool(undo(task)));
  BOOST_TEST((books() == before));
  const auto again = task_about("D1");
  BOOST_REQUIRE(bool(accept(again, proposal_of(again, {"N1"}))));
  arrives(tests::Remittance{"N2", "T2", {{"B", 79'000}}, 0, "PAYER", "", 1'000});
  arrives(tests::Cash{"D2", 78'000, "T2"});
  BOOST_TEST(balance("carried_balances") == domain::Money{});
  const auto refused = undo(again);
  BOOST_TEST(refusal_of(refused) == ErrorCode::invalid_state);
  BOOST_TEST(tests::detail_of(refused.error(), "remittance_id") == remittances["N1"].text());
}

BOOST_AUTO_TEST_CASE(undo_separates_pooled_deposits) {
  fund({"A"});
  fund({"B", 25'000});
  fund({"E"});
  // 90.00 are taken back for a claim that was never paid: held.
  arrives(tests::Remittance{"N1", "T1", {{"A", 79'000}, {"E", -9'000, -100'000, std::nullopt, "22"}}});
  arrives(tests::Cash{"D1", 50'000, "T1"});
  arrives(tests::Cash{"D2", 20'000, "T1"});
  const auto task = task_about("N1");
  const auto proposal = proposals(task).at(0);
  BOOST_REQUIRE(proposal.decision == domain::kAcceptShort);
  const auto accepted = decide(task, domain::kAcceptShort, proposal.id);
  BOOST_REQUIRE_MESSAGE(accepted, why(accepted));
  BOOST_TEST(ends() == "D1 matched; D2 matched; A settled by person; B pending; E pending");
  const auto undone = undo(task);
  BOOST_REQUIRE_MESSAGE(undone, why(undone));
  for (const char* deposit : {"D1", "D2"})
    BOOST_TEST(!seen([&](const ports::Records& records) {
                  return records.deposits().find(caller.tenant, deposits[deposit]);
                })->pooled_into.has_value());
  arrives(tests::Remittance{"N2", "", {{"B", 20'000, 25'000}}});
  BOOST_TEST(ends() ==
             "D1 unmatched; D2 matched; A pending by undone; B settled by amount_and_date; E pending; match_ambiguous "
             "about N1");
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

BOOST_AUTO_TEST_SUITE_END()
