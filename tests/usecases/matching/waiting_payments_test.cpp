// Payments that wait: announced and not yet paid, held, or for an advance that is not funded
// (core/docs/contract.md#reconciliation).
#include <string>

#include "core/usecases/funding/cancel_settlement.hpp"
#include "core/usecases/tasks/decide_task.hpp"
#include "tests/usecases/matching/matching_world.hpp"

using namespace tideover;
using domain::ErrorCode;
using domain::FinalStatus;
using domain::Money;
using tests::MatchingWorld;
using tests::refusal_of;
using ClaimState = domain::RemittanceClaimRecord::State;

BOOST_FIXTURE_TEST_SUITE(matching, MatchingWorld)

BOOST_AUTO_TEST_CASE(a_payment_of_an_unfunded_advance_waits_in_suspense) {
  review(draft("CLM-1"));
  const auto waiting = adjudicate(review(draft("CLM-2")));
  arrives(money(160'000, "T1"));
  const auto remittance = arrives(remittance_of({paid("CLM-1", 80'000), paid("CLM-2", 80'000)}, "T1"));
  BOOST_TEST((remittance.claims[0].state == ClaimState::unmatched));
  BOOST_TEST((remittance.claims[1].state == ClaimState::waiting));
  BOOST_TEST(reconciliation(waiting.id).status == FinalStatus::pending);
  BOOST_TEST(balance("suspense_unmatched") == Money::cents(-80'000));
  BOOST_TEST(balance(payable()) == Money::cents(-80'000));  // the unadvanced claim
  BOOST_TEST(claim_status("CLM-1").status ==
             domain::ClaimStatus::paid);  // the payer's decision counts without an advance
}

BOOST_AUTO_TEST_CASE(a_payment_waiting_for_a_declined_advance_is_credited_to_the_provider) {
  usecases::DecideTask decide_task{*store, *disburse, payers, ids, false};
  rules.proposal = {domain::Decision::manual_review, 8'000, 200, {"unusual_amount"}};
  const auto terms = adjudicate(review(draft("CLM-1")));
  arrives(money(80'000, "T1"));
  arrives(remittance_of({paid("CLM-1", 80'000)}, "T1"));
  BOOST_TEST(balance("suspense_unmatched") == Money::cents(-80'000));
  BOOST_REQUIRE(bool(decide_task(context("decide"), tasks("manual_review").front().id.text(),
                                 {"decline", "as asked", ""}, [](const auto&) { return ""; })));
  BOOST_TEST(balance("suspense_unmatched") == Money{});
  BOOST_TEST(balance(payable()) == Money::cents(-80'000));
}

BOOST_AUTO_TEST_CASE(an_announced_payment_is_shown_until_its_deposit_posts_it) {
  const auto settlement = funded("CLM-1");
  const auto remittance = arrives(remittance_of({paid("NOT-OURS", 21'000), paid("CLM-1", 79'000)}, "T1"));
  const auto pending = reconciliation(settlement.id);
  BOOST_TEST(pending.status == FinalStatus::pending);
  BOOST_REQUIRE(pending.announced.size() == 1u);
  const auto& announced = pending.announced.front();
  BOOST_TEST((announced.remittance == remittance.id));
  BOOST_TEST(announced.claim == 1);
  BOOST_TEST(announced.status == "1");
  BOOST_TEST(announced.payer_payment == Money::cents(79'000));
  BOOST_TEST(announced.charge == Money::cents(100'000));
  BOOST_TEST(announced.trace_number == "T1");
  BOOST_TEST((announced.payment_date == remittance.draft.payment_date));
  BOOST_TEST(!announced.deposit);
  BOOST_TEST(balance("suspense_unmatched") == Money{});
  arrives(money(100'000, "T1"));
  BOOST_TEST(reconciliation(settlement.id).announced.empty());
  BOOST_TEST(reconciliation(settlement.id).status == FinalStatus::settled);
}

BOOST_AUTO_TEST_CASE(the_first_hundred_announcements_are_shown) {
  const auto settlement = funded("CLM-1");
  for (int i = 0; i < 103; ++i) arrives(remittance_of({paid("CLM-1", 100 + i)}, "T" + std::to_string(i)));
  const auto announced = reconciliation(settlement.id).announced;
  BOOST_REQUIRE(announced.size() == 100u);
  for (std::size_t i = 0; i < announced.size(); ++i) BOOST_TEST(announced[i].trace_number == "T" + std::to_string(i));
}

BOOST_AUTO_TEST_CASE(a_held_payment_is_shown_as_announced_with_its_deposit) {
  const auto settlement = funded("CLM-1");
  funded("CLM-2");
  const auto deposit = arrives(money(69'000, "T1"));
  // 100.00 are taken back for a claim that was never paid.
  arrives(remittance_of({paid("CLM-1", 79'000), paid("CLM-2", -10'000, "22", -100'000)}, "T1"));
  const auto pending = reconciliation(settlement.id);
  BOOST_REQUIRE(pending.announced.size() == 1u);
  BOOST_TEST((pending.announced.front().deposit == deposit.id));
}

BOOST_AUTO_TEST_CASE(a_payment_before_the_answer_of_the_rail_is_posted_after_it) {
  for (const bool money_first : {true, false}) {
    const std::string claim = money_first ? "CLM-1" : "CLM-2", trace = money_first ? "T1" : "T2";
    const auto terms = adjudicate(review(draft(claim)));
    same_day.script = {{fakes::FakeRail::Answer::time_out_accepted}};
    BOOST_TEST(refusal_of(try_confirm(terms.id)) == ErrorCode::rail_outcome_unknown);
    if (money_first) arrives(money(79'000, trace));
    const auto remittance = arrives(remittance_of({paid(claim, 79'000)}, trace));
    if (!money_first) arrives(money(79'000, trace));
    BOOST_TEST((again(remittance).claims.front().state == ClaimState::waiting));
    BOOST_TEST(reconciliation(terms.id).status == FinalStatus::pending);
    resolve();
    BOOST_TEST(settlement(terms.id).status == domain::SettlementStatus::funded);
    BOOST_TEST(reconciliation(terms.id).status == FinalStatus::settled);
    BOOST_TEST((again(remittance).claims.front().state == ClaimState::posted));
    BOOST_TEST(balance("suspense_unmatched") == Money{});
  }
}

BOOST_AUTO_TEST_CASE(a_remittance_does_not_wait_for_an_expired_advance) {
  const auto terms = adjudicate(review(draft("CLM-1")));
  const auto said = arrives(remittance_of({paid("CLM-1", 79'000)}, "T1"));
  arrives(money(79'000, "T1"));
  BOOST_TEST((again(said).claims.front().state == ClaimState::waiting));
  clock.advance_days(60);
  BOOST_REQUIRE(bool(usecases::ExpireSettlements(*store, ids, clock)(10)));
  BOOST_TEST((settlement(terms.id).status == domain::SettlementStatus::canceled));
  BOOST_TEST((again(said).claims.front().state == ClaimState::unmatched));
}

BOOST_AUTO_TEST_SUITE_END()
