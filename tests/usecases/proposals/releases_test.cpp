// Money that a reviewer releases to the provider, and money that it gets because the advance was canceled or returned.
#include "core/usecases/funding/follow_up_payments.hpp"
#include "core/usecases/matching/match_payments.hpp"
#include "tests/usecases/matching/proposal_world.hpp"

using namespace tideover;
using domain::ErrorCode;
using tests::ProposalWorld;
using tests::refusal_of;
using tests::why;

BOOST_FIXTURE_TEST_SUITE(proposals, ProposalWorld)

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
  arrives(tests::Remittance{"N1", "T1", {{"A", 79'000, 110'000}, {"STRANGER", 5'000, 120'000}}});
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
  BOOST_TEST(ends() == "D1 matched; A settled by person");
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
  arrives(tests::Remittance{"N1", "T1", {{"A", 20'000, 110'000}, {"B", 30'000}}});
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
  arrives(
      tests::Remittance{"N1", "T1", {{"A", 20'000, 110'000}, {"STRANGER", 30'000, 120'000}, {"B", 30'000, 120'000}}});
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
  arrives(tests::Remittance{"N1", "T1", {{"A", 20'000, 110'000}, {"STRANGER", 30'000, 120'000}}});
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

BOOST_AUTO_TEST_CASE(a_remittance_without_its_deposit_cannot_be_released) {
  fund({"A"});
  arrives(tests::Remittance{"N1", "", {{"A", 79'000}}, 0, ""});
  BOOST_TEST(refusal_of(decide(task_about("N1"), domain::kRelease)) == ErrorCode::invalid_state);
  BOOST_TEST(holdings() == "receivable A 640.00");
}

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
  arrives(tests::Remittance{"N1", "T1", {{"CLMA-X", 79'000, 110'000}}});
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

BOOST_AUTO_TEST_CASE(a_release_leaves_other_ambiguous_claims_of_its_remittance_open) {
  fund({"A"});
  fund({"B"});
  arrives(tests::Cash{"D1", 79'000, "T1"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 79'000}}});
  arrives(tests::Remittance{
      "N2",
      "T2",
      {{"A", 85'000}, {"B", 5'000, 110'000}}});  // a second payment of a settled claim, and an ambiguous claim
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

BOOST_AUTO_TEST_CASE(an_ambiguous_claim_is_credited_to_the_provider_when_its_advance_is_canceled) {
  const auto declined = terms_of({"A"});
  arrives(tests::Cash{"D1", 5'000, "T1"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 5'000, 110'000}}});  // not the charge of the advance
  BOOST_TEST(ends() == "D1 partly_matched; A pending; match_ambiguous about N1");
  BOOST_REQUIRE(bool(cancel_settlement(context("cancel"), declined.text(), [](const auto&) { return ""; })));
  BOOST_TEST(ends() == "D1 matched; A pending");
  BOOST_TEST(holdings() == "provider_payable -50.00");
}

BOOST_AUTO_TEST_CASE(a_remittance_that_waits_for_a_returned_advance_pays_the_provider) {
  same_day.expected_settlement = clock.now().plus_ms(4 * 3'600'000);
  fund({"A"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 100'001}}});  // above the charge
  arrives(tests::Cash{"D1", 100'001, "T1"});
  BOOST_TEST(ends() == "D1 partly_matched; A pending; match_ambiguous about N1");
  same_day.now_stands(same_day.only_key(), ports::RailOutcome::Kind::returned, "R02");
  clock.advance_s(4 * 3600);
  usecases::FollowUpPayments follow_up{*store, *disburse, rails, clock, ids, {}};
  BOOST_TEST(bool(follow_up()));
  BOOST_TEST(ends() == "D1 matched; A pending");
  BOOST_TEST(holdings() == "provider_payable -1000.01");
}

BOOST_AUTO_TEST_SUITE_END()
