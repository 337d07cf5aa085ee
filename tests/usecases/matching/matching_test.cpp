// Deposits and remittances: which of them belong together, and their effect on settlements
// (core/docs/contract.md#reconciliation).
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/usecases/matching/matching_world.hpp"

using namespace tideover;
using domain::ErrorCode;
using domain::FinalStatus;
using domain::MatchState;
using domain::Money;
using tests::MatchingWorld;
using tests::refusal_of;
using tests::why;
using ClaimState = domain::RemittanceClaimRecord::State;

BOOST_FIXTURE_TEST_SUITE(matching, MatchingWorld)

BOOST_AUTO_TEST_CASE(a_payment_of_790_settles_the_contract_s_example) {
  const auto settlement = funded("CLM-1");
  arrives(remittance_of({paid("CLM-1", 79'000)}, "T1"));
  BOOST_TEST(reconciliation(settlement.id).status == FinalStatus::pending);  // a remittance only announces
  BOOST_TEST(events("reconciliation.posted") == 0);
  const auto deposit = arrives(money(79'000, "T1"));  // the deposit posts
  const auto whole = reconciliation(settlement.id);
  BOOST_TEST(whole.status == FinalStatus::settled);
  BOOST_TEST(whole.advance_recovered == Money::cents(64'000));
  BOOST_TEST(whole.fee_collected == Money::cents(1'280));
  BOOST_TEST(whole.residual_released == Money::cents(13'720));
  BOOST_TEST(whole.variance == Money::cents(-1'000));
  BOOST_TEST(whole.matched_by == "trace_number");
  BOOST_TEST(deposit.status == MatchState::matched);
  BOOST_TEST(events("reconciliation.posted") == 1);
  BOOST_TEST((books() == std::map<std::string, Money>{{"deposit_clearing", Money::cents(79'000)},
                                                      {"fee_income", Money::cents(-1'280)},
                                                      {"funding_cash", Money::cents(-64'000)},
                                                      {payable(), Money::cents(-13'720)}}));
  BOOST_TEST(claim_status("CLM-1").status == domain::ClaimStatus::paid);
}

BOOST_AUTO_TEST_CASE(a_payment_of_600_is_a_loss_of_the_funder) {
  const auto settlement = funded("CLM-1");
  arrives(money(60'000, "T1"));
  arrives(remittance_of({paid("CLM-1", 60'000)}, "T1"));
  const auto whole = reconciliation(settlement.id);
  BOOST_TEST(whole.status == FinalStatus::settled_short);
  BOOST_TEST(whole.shortfall_absorbed == Money::cents(5'280));
  BOOST_TEST(balance("loss_on_receivable") == Money::cents(4'000));
  BOOST_TEST(balance(domain::account::purchased_receivable(settlement.id)) == Money{});
  BOOST_TEST(balance(payable()) == Money{});  // never a debit of the provider
}

BOOST_AUTO_TEST_CASE(an_advance_is_settled_by_the_claim_it_was_funded_on) {
  const auto settlement = funded("CLM-1");
  auto changed = draft("CLM-1", 200'000);
  changed.date_of_service = changed.date_of_service->plus(-30);
  review(changed);
  auto on_its_day = paid("CLM-1", 79'000);
  on_its_day.date_of_service = draft("CLM-1").date_of_service;
  arrives(remittance_of({on_its_day}, "T1"));
  arrives(money(79'000, "T1"));
  BOOST_TEST(reconciliation(settlement.id).status == FinalStatus::settled);
  BOOST_TEST(tasks().empty());
  BOOST_TEST(claim_status("CLM-1").status == domain::ClaimStatus::paid);
}

BOOST_AUTO_TEST_CASE(deposit_and_remittance_may_arrive_in_either_order) {
  // The trace number is on both, on the remittance only, or on neither.
  for (const auto& [on_money, on_remittance] : {std::pair("T1", "T1"), std::pair("", "T1"), std::pair("", "")}) {
    MatchingWorld first, second;
    std::vector<domain::SettlementId> settled;
    for (auto* world : {&first, &second}) {
      settled.push_back(world->funded("CLM-1").id);
      settled.push_back(world->funded("CLM-2").id);
    }
    const auto claims = [](MatchingWorld& world) {
      return std::vector{world.paid("CLM-1", 79'000), world.paid("CLM-2", 60'000)};
    };
    const auto deposit = first.arrives(first.money(139'000, on_money));
    BOOST_TEST(deposit.status == MatchState::unmatched);
    BOOST_TEST(first.balance("suspense_unmatched") == Money::cents(-139'000));
    auto remittance = first.arrives(first.remittance_of(claims(first), on_remittance));
    const auto announced = second.arrives(second.remittance_of(claims(second), on_remittance));
    BOOST_TEST((announced.claims.front().state == ClaimState::waiting));
    const auto late = second.arrives(second.money(139'000, on_money));

    BOOST_TEST((first.books() == second.books()));
    BOOST_TEST(first.balance("suspense_unmatched") == Money{});
    BOOST_TEST(first.again(deposit).status == MatchState::matched);
    BOOST_TEST(late.status == MatchState::matched);
    for (auto* world : {&first, &second}) {
      BOOST_TEST(world->reconciliation(settled[0]).status == FinalStatus::settled);
      BOOST_TEST(world->reconciliation(settled[1]).status == FinalStatus::settled_short);
      BOOST_TEST(world->events("reconciliation.posted") == 2);
    }
    for (const auto& stored : {remittance, second.again(announced)}) {
      BOOST_TEST(stored.deposit.has_value());
      for (const auto& claim : stored.claims) BOOST_TEST((claim.state == ClaimState::posted));
    }
    first.teardown();
    second.teardown();
  }
}

BOOST_AUTO_TEST_CASE(a_deposit_without_remittance_posts_if_exactly_one_settlement_fits) {
  const auto settlement = funded("CLM-1");
  funded("CLM-2", 200'000);
  const auto deposit = arrives(money(80'000));
  BOOST_TEST(deposit.status == MatchState::matched);
  BOOST_TEST(reconciliation(settlement.id).matched_by == "amount_and_date");
  BOOST_TEST(tasks().empty());

  const auto late_remittance = arrives(remittance_of({paid("CLM-1", 80'000)}, "T9"));
  BOOST_TEST((late_remittance.claims.front().state == ClaimState::posted));
  BOOST_TEST(*late_remittance.deposit == deposit.id);
  BOOST_TEST(reconciliation(settlement.id).records.size() == 1u);
  BOOST_TEST(events("reconciliation.posted") == 1);
}

BOOST_AUTO_TEST_CASE(two_fitting_settlements_open_a_task) {
  const auto one = funded("CLM-1"), two = funded("CLM-2");
  const auto deposit = arrives(money(80'000));
  BOOST_TEST(deposit.status == MatchState::unmatched);
  BOOST_TEST(reconciliation(one.id).status == FinalStatus::pending);
  BOOST_TEST(reconciliation(two.id).status == FinalStatus::pending);
  BOOST_TEST(tasks("deposit_unmatched").size() == 1u);
  BOOST_TEST(balance("suspense_unmatched") == Money::cents(-80'000));
  // The remittance names the settlement.
  arrives(remittance_of({paid("CLM-2", 80'000)}));
  BOOST_TEST(reconciliation(one.id).status == FinalStatus::pending);
  BOOST_TEST(reconciliation(two.id).status == FinalStatus::settled);
}

BOOST_AUTO_TEST_CASE(a_candidate_outside_the_window_does_not_hide_two_inside_it) {
  payers.payers.front().rates.p80_days_to_pay = 120;
  payers.payers.front().rates.median_days_to_pay = 60;
  const auto far = funded("CLM-1");
  payers.payers.front().rates = {0, 8000, 0, 21, 30};
  const auto one = funded("CLM-2"), two = funded("CLM-3");
  arrives(money(80'000));
  for (const auto& settlement : {far, one, two})
    BOOST_TEST(reconciliation(settlement.id).status == FinalStatus::pending);
  BOOST_TEST(tasks("deposit_unmatched").size() == 1u);
}

BOOST_AUTO_TEST_CASE(two_remittances_that_fit_one_deposit_open_a_task) {
  for (const char* trace : {"T1", ""}) {
    MatchingWorld world;
    const auto one = world.funded("CLM-1"), two = world.funded("CLM-2");
    world.arrives(world.remittance_of({world.paid("CLM-1", 70'000)}, trace));
    world.arrives(world.remittance_of({world.paid("CLM-2", 70'000)}, trace));
    const auto deposit = world.arrives(world.money(70'000, trace));
    BOOST_TEST(deposit.status == MatchState::unmatched);
    BOOST_TEST(world.tasks("match_ambiguous").size() == 1u);
    BOOST_TEST(world.events("reconciliation.posted") == 0);
    world.teardown();
  }
}

BOOST_AUTO_TEST_CASE(two_deposits_that_fit_one_remittance_open_a_task) {
  const auto settlement = funded("CLM-1");
  arrives(money(70'000, "T1"));
  auto of_yesterday = money(70'000, "T1");
  of_yesterday.received_date = of_yesterday.received_date.plus(-1);
  arrives(of_yesterday);
  arrives(remittance_of({paid("CLM-1", 70'000)}, "T1"));
  BOOST_TEST(reconciliation(settlement.id).status == FinalStatus::pending);
  BOOST_TEST(tasks("match_ambiguous").size() == 1u);
}

BOOST_AUTO_TEST_CASE(equal_trace_numbers_of_two_payers_do_not_match) {
  domain::Payer other;
  other.payer_id = "OTHER";
  for (const bool money_first : {true, false}) {
    MatchingWorld world;
    world.payers.payers.push_back(other);
    const auto settlement = world.funded("CLM-1");
    auto deposit = world.money(70'000, "T1");
    deposit.payer_id = "OTHER";
    if (money_first) world.arrives(deposit);
    world.arrives(world.remittance_of({world.paid("CLM-1", 70'000)}, "T1"));
    if (!money_first) world.arrives(deposit);
    BOOST_TEST(world.reconciliation(settlement.id).status == FinalStatus::pending);
    world.arrives(world.money(70'000, "T1"));
    BOOST_TEST(world.reconciliation(settlement.id).status == FinalStatus::settled);
    world.teardown();
  }
}

BOOST_AUTO_TEST_CASE(without_a_common_trace_number_the_dates_must_agree) {
  const auto settlement = funded("CLM-1");
  arrives(remittance_of({paid("CLM-1", 70'000)}, "T1"));
  clock.advance_days(10);
  BOOST_TEST(arrives(money(70'000)).status == MatchState::unmatched);
  BOOST_TEST(reconciliation(settlement.id).status == FinalStatus::pending);
  clock.advance_days(-8);  // a Sunday: the second banking day is not yet over
  BOOST_TEST(arrives(money(70'000)).status == MatchState::matched);
}

BOOST_AUTO_TEST_CASE(payments_of_unadvanced_claims_are_credited_to_the_provider) {
  const auto settlement = funded("CLM-1");
  arrives(money(100'000, "T1"));
  const auto remittance = arrives(remittance_of({paid("CLM-1", 79'000), paid("NOT-OURS", 21'000)}, "T1"));
  BOOST_TEST((remittance.claims[0].state == ClaimState::posted));
  BOOST_TEST((remittance.claims[1].state == ClaimState::unmatched));
  const auto deposit = again(domain::Deposit{*remittance.deposit, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}});
  BOOST_TEST(deposit.status == MatchState::matched);
  BOOST_TEST(deposit.matched_amount == Money::cents(100'000));
  BOOST_TEST(balance("suspense_unmatched") == Money{});
  BOOST_TEST(balance(payable()) == Money::cents(-13'720 - 21'000));
  BOOST_TEST(again(remittance).paid_to_provider == Money::cents(21'000));
  BOOST_TEST(reconciliation(settlement.id).status == FinalStatus::settled);
}

BOOST_AUTO_TEST_CASE(a_deposit_announced_by_one_remittance_does_not_pay_another) {
  const auto settlement = funded("CLM-1");
  arrives(money(70'000));
  arrives(remittance_of({paid("NOT-OURS", 70'000, "1", 120'000)}));
  arrives(remittance_of({paid("CLM-1", 70'000)}));
  BOOST_TEST(reconciliation(settlement.id).status == FinalStatus::pending);
  BOOST_TEST(balance(payable()) == Money::cents(-70'000));
}

BOOST_AUTO_TEST_CASE(one_deposit_settles_many_claims) {
  std::vector<domain::SettlementId> settled;
  std::vector<domain::RemittanceClaim> claims;
  for (int i = 0; i < 20; ++i) {
    const auto name = "CLM-" + std::to_string(i);
    settled.push_back(funded(name).id);
    claims.push_back(paid(name, 70'000 + i));
  }
  arrives(remittance_of(claims, "T1"));
  BOOST_TEST(arrives(money(20 * 70'000 + 190, "T1")).status == MatchState::matched);
  for (const auto& id : settled) BOOST_TEST(reconciliation(id).status == FinalStatus::settled);
  BOOST_TEST(balance("suspense_unmatched") == Money{});
  BOOST_TEST(balance("fee_income") == Money::cents(-20 * 1'280));
}

BOOST_AUTO_TEST_CASE(charge_and_date_decide_if_a_remittance_lists_a_claim_twice) {
  const auto settlement = funded("CLM-1");
  arrives(remittance_of({paid("CLM-1", 79'000), paid("CLM-1", 5'000, "1", 7'000)}, "T1"));
  arrives(money(84'000, "T1"));
  BOOST_TEST(reconciliation(settlement.id).payer_payment == Money::cents(79'000));

  const auto other = funded("CLM-2");
  arrives(remittance_of({paid("CLM-2", 40'000), paid("CLM-2", 39'000)}, "T2"));
  arrives(money(79'000, "T2"));
  BOOST_TEST(reconciliation(other.id).status == FinalStatus::pending);
  BOOST_TEST(!tasks("match_ambiguous").empty());
}

BOOST_AUTO_TEST_CASE(a_deposit_without_trace_number_is_confirmed_by_one_remittance) {
  const auto settlement = funded("CLM-1");
  const auto deposit = arrives(money(80'000));
  const auto first = arrives(remittance_of({paid("CLM-1", 80'000)}, "T1"));
  BOOST_TEST((again(first).deposit == deposit.id));
  const auto second = arrives(remittance_of({paid("CLM-1", 80'000)}, "T2"));
  BOOST_TEST(!again(second).deposit);
  BOOST_TEST(reconciliation(settlement.id).records.size() == 1u);
}

BOOST_AUTO_TEST_CASE(an_equal_claim_number_alone_is_no_match) {
  payers.payers.push_back(payers.payers.back());
  payers.payers.back().payer_id = "OTHER";
  const auto settlement = funded("CLM-1");
  // A secondary payer's remittance carries the same patient control number.
  auto secondary = remittance_of({paid("CLM-1", 4'000)}, "T1");
  secondary.payer_id = "OTHER";
  arrives(secondary);
  auto others_money = money(4'000, "T1");
  others_money.payer_id = "OTHER";
  arrives(others_money);
  // So do claims of another system with another charge, paid by our payer, under our number or the payer's.
  arrives(remittance_of({paid("CLM-1", 5'000, "1", 125'000)}, "T2"));
  arrives(money(5'000, "T2"));
  auto by_payer_number = paid("X-77", 6'000, "1", 125'000);
  by_payer_number.payer_claim_number = "CLM-1";
  arrives(remittance_of({by_payer_number}, "T3"));
  arrives(money(6'000, "T3"));
  BOOST_TEST(reconciliation(settlement.id).status == FinalStatus::pending);
  BOOST_TEST(tasks("match_ambiguous").size() == 3u);
  BOOST_TEST(claim_status("CLM-1").status == domain::ClaimStatus::reviewed);

  // A denial by another payer writes nothing off.
  auto denial = remittance_of({paid("CLM-1", 0, "4")});
  denial.payer_id = "OTHER";
  arrives(denial);
  BOOST_TEST(reconciliation(settlement.id).status == FinalStatus::pending);
  arrives(remittance_of({paid("CLM-1", 79'000)}, "T4"));
  arrives(money(79'000, "T4"));
  BOOST_TEST(reconciliation(settlement.id).status == FinalStatus::settled);
}

BOOST_AUTO_TEST_CASE(an_unlisted_payer_is_matched_without_regard_to_case) {
  auto claim = draft("CLM-1");
  claim.payer_id = "Acme";
  const auto terms = adjudicate(review(claim));
  BOOST_REQUIRE(bool(try_confirm(terms.id)));
  auto deposit = money(79'000, "T1");
  deposit.payer_id = "ACME";
  arrives(deposit);
  auto remittance = remittance_of({paid("CLM-1", 79'000)}, "T1");
  remittance.payer_id = "acme";
  arrives(remittance);
  BOOST_TEST(reconciliation(terms.id).payer_payment == Money::cents(79'000));
}

BOOST_AUTO_TEST_CASE(a_withholding_for_nothing_known_is_charged_to_the_practice_in_any_order_of_claims) {
  for (const bool reversed : {false, true}) {
    const std::string mark = reversed ? "B" : "A";
    const auto first = funded(mark + "1"), second = funded(mark + "2");
    auto draft = remittance_of({paid(mark + "1", 50'000), paid(mark + "2", 20'000)}, mark);
    if (reversed) std::swap(draft.claims[0], draft.claims[1]);
    draft.provider_adjustments = {{"WO", "", Money::cents(10'000)}};
    draft.payment_amount = Money::cents(60'000);
    arrives(draft);
    arrives(money(60'000, mark));
    for (const auto& settlement : {first, second})
      BOOST_TEST(reconciliation(settlement.id).status == FinalStatus::settled_short);
  }
  BOOST_TEST(tasks("match_ambiguous").empty());
  BOOST_TEST(balance("suspense_unmatched") == Money{});
  BOOST_TEST(balance(payable()) == Money::cents(20'000));
}

BOOST_AUTO_TEST_CASE(the_answer_shows_the_final_state_of_the_deposit) {
  funded("CLM-1");
  arrives(remittance_of({paid("CLM-1", -79'000, "22", -100'000), paid("CLM-1", 80'000)},
                        "T1"));  // corrects the payment that arrives after it
  arrives(remittance_of({paid("CLM-1", 79'000)}, "T1"));
  const auto answer = (*post_deposit)(
      context("deposit"), money(80'000, "T1"),
      [](const usecases::PostedDeposit& posted) { return std::string(name_of(posted.deposit.status)); });
  BOOST_REQUIRE_MESSAGE(answer, why(answer));
  BOOST_TEST(answer->body == "matched");
}

BOOST_AUTO_TEST_CASE(a_deposit_is_identified_by_its_external_id) {
  auto deposit = money(79'000, "T1");
  deposit.external_id = "bank-42";
  const auto first = try_deposit(deposit);
  BOOST_REQUIRE(bool(first));
  const auto same = try_deposit(deposit, "k1");
  BOOST_REQUIRE(bool(same));
  BOOST_TEST(same->body == first->body);
  BOOST_TEST(same->replayed);
  BOOST_TEST(events("deposit.received") == 1);
  BOOST_TEST(balance("deposit_clearing") == Money::cents(79'000));
  deposit.amount = Money::cents(79'001);
  BOOST_TEST(refusal_of(try_deposit(deposit)) == ErrorCode::external_id_in_use);
  BOOST_TEST(balance("deposit_clearing") == Money::cents(79'000));
}

BOOST_AUTO_TEST_CASE(a_deposit_writes_answer_audit_row_and_event) {
  const auto answer = try_deposit(money(79'000), "k1");
  BOOST_REQUIRE(bool(answer));
  BOOST_TEST(answer_under("deposit", "k1")->body == answer->body);
  BOOST_TEST(audit_rows() == 1);
  BOOST_TEST(events("deposit.received") == 1);
}

BOOST_AUTO_TEST_SUITE_END()
