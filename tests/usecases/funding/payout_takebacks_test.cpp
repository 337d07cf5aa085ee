// Payouts before and after a takeback of the payer, and payments above the charge, which wait for a reviewer.
#include <optional>
#include <string>
#include <tuple>

#include "core/usecases/tasks/read_tasks.hpp"
#include "tests/usecases/funding/payout_world.hpp"

using namespace tideover;
using domain::AttemptState;
using domain::ErrorCode;
using fakes::FakeRail;
using ports::RailRecall;
using tests::cents;
using tests::detail_of;
using tests::PayoutWorld;
using tests::refusal_of;
using tests::task_body;
using Kind = ports::RailOutcome::Kind;

BOOST_FIXTURE_TEST_SUITE(payouts, PayoutWorld)

BOOST_AUTO_TEST_CASE(a_residual_taken_back_by_the_payer_is_not_paid_out) {
  const auto id = paid();
  take_back(79'000);
  const auto refused = pay(id);
  BOOST_TEST(refusal_of(refused) == ErrorCode::invalid_state);
  BOOST_TEST(detail_of(refused.error(), "residual_due") == "0.00");
  BOOST_TEST(claim_all() == 0);
  BOOST_TEST(received() == domain::Money{});
  BOOST_TEST(balance("loss_on_receivable") == cents(64'000));
  BOOST_TEST(reconciliation(id).shortfall_absorbed == cents(65'280));
  BOOST_TEST(tasks("payout_taken_back").empty());
}

BOOST_AUTO_TEST_CASE(an_open_takeback_stops_the_payout) {
  const auto id = paid();
  arrives(tests::Remittance{
      "B1", "B1", {{"A", -79'000, 100'000}}, 0, "PAYER", "", -79'000});  // without the status of a reversal
  BOOST_TEST(due(id) == cents(13'720));
  BOOST_TEST(refusal_of(pay(id)) == ErrorCode::invalid_state);
  BOOST_TEST(claim_all() == 0);
  BOOST_TEST(received() == domain::Money{});
}

BOOST_AUTO_TEST_CASE(an_open_takeback_of_an_unknown_payer_stops_the_payout) {
  const auto id = paid();
  arrives(tests::Remittance{"B1", "B1", {{"A", -79'000, -100'000, std::nullopt, "22"}}, 0, "", "", -79'000});
  BOOST_TEST(due(id) == cents(13'720));
  BOOST_TEST(refusal_of(pay(id)) == ErrorCode::invalid_state);
  BOOST_TEST(claim_all() == 0);
}

BOOST_AUTO_TEST_CASE(the_rest_of_a_partly_taken_back_residual_is_paid_out) {
  const auto id = paid();
  take_back(10'000);
  BOOST_TEST(due(id) == cents(3'720));
  BOOST_REQUIRE(bool(pay(id)));
  BOOST_TEST(received() == cents(3'720));
  BOOST_TEST(balance("loss_on_receivable") == domain::Money{});
}

BOOST_AUTO_TEST_CASE(an_unsent_payout_is_rejected_when_its_money_is_taken_back) {
  const auto id = paid();
  BOOST_TEST(claim_all() == 1);
  take_back(79'000);
  BOOST_TEST(due(id) == cents(-13'720));
  BOOST_TEST(tasks("payout_taken_back").size() == 1u);
  resolve();
  BOOST_TEST(payout(id).state == AttemptState::rejected);
  BOOST_TEST(payout(id).reason_code == "taken_back");
  BOOST_TEST(received() == domain::Money{});
  BOOST_TEST(due(id) == domain::Money{});
  BOOST_TEST(owed() == domain::Money{});
  BOOST_TEST(pending("funding_cash") == domain::Money{});
  BOOST_TEST(tasks("payout_taken_back").empty());
  // The correction leaves a new residual; a client requests its payout.
  arrives(tests::Cash{"D3", 70'000, "T3"});
  arrives(tests::Remittance{"N3", "T3", {{"A", 70'000}}});
  BOOST_REQUIRE(bool(pay(id, "k2")));
  BOOST_TEST(received() == cents(4'720));
}

BOOST_AUTO_TEST_CASE(a_payout_unknown_to_the_rail_is_not_sent_again_after_a_takeback) {
  for (const auto recall : {RailRecall::dedup, RailRecall::fence}) {
    PayoutWorld world(recall);
    const auto id = world.paid();
    world.same_day.script = {{FakeRail::Answer::time_out_lost}};
    BOOST_TEST(refusal_of(world.pay(id)) == ErrorCode::rail_outcome_unknown);
    world.take_back(79'000);
    for (int round = 0; round < 3; ++round) world.resolve();
    BOOST_TEST(world.received() == domain::Money{});
    BOOST_TEST(is_paid(world.payout(id).state) == false);
    if (recall == RailRecall::fence) BOOST_TEST(world.due(id) == domain::Money{});
    if (recall == RailRecall::dedup) {  // still uncertain: queried further, and sent once the payer pays again
      BOOST_TEST(world.payout(id).state == AttemptState::unknown);
      world.arrives(tests::Cash{"D3", 79'000, "T3"});
      world.arrives(tests::Remittance{"N3", "T3", {{"A", 79'000}}});
      world.resolve();
      BOOST_TEST(world.received() == cents(13'720));
      BOOST_TEST(world.tasks("payout_taken_back").empty());
    }
    world.teardown();
  }
}

BOOST_AUTO_TEST_CASE(a_payout_returned_after_a_takeback_is_not_owed_again) {
  const auto id = paid();
  BOOST_REQUIRE(bool(pay(id)));
  take_back(79'000);
  BOOST_TEST(tasks("payout_taken_back").size() == 1u);
  same_day.now_stands(payout(id).rail_key, Kind::returned, "R02");
  clock.advance_s(4 * 3600);
  BOOST_REQUIRE(bool(follow_up_payments()));
  BOOST_TEST(payout(id).state == AttemptState::returned);
  BOOST_TEST(due(id) == domain::Money{});
  BOOST_TEST(owed() == domain::Money{});
  BOOST_TEST(tasks("payout_taken_back").empty());
  BOOST_TEST(refusal_of(pay(id, "k2")) == ErrorCode::invalid_state);
  BOOST_TEST(balance("funding_cash") == cents(-64'000));
}

BOOST_AUTO_TEST_CASE(a_payment_above_the_charge_waits_for_a_reviewer_and_bounds_the_loss) {
  fund({"A"});
  const auto id = settlements.at("A");
  arrives(tests::Cash{"D1", 2'000'000, "T1"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 2'000'000}}});
  BOOST_TEST(ends() == "D1 partly_matched; A pending; match_ambiguous about N1");
  BOOST_TEST(holdings() == "receivable A 640.00; suspense_unmatched -20000.00");
  BOOST_TEST(refusal_of(pay(id)) == ErrorCode::invalid_state);
  BOOST_TEST(claim_all() == 0);
  const auto task = task_of(domain::kMatchAmbiguous);
  const auto found = usecases::ReadTasks(*store).view(caller.tenant, task)->proposals;
  BOOST_REQUIRE(found.size() == 1u);
  BOOST_TEST(found.front().decision == domain::kAcceptOver);
  BOOST_TEST(found.front().excess == cents(1'900'000));
  BOOST_TEST(refusal_of(decide_task(context("decide"), task, {"accept", "because", found.front().id}, task_body)) ==
             ErrorCode::invalid_state);
  // The reviewer accepts the whole payment; its residual is paid out, and then the payer takes it back.
  BOOST_REQUIRE(
      bool(decide_task(context("decide"), task,
                       {"accept_over", "outlier payment, confirmed by the payer", found.front().id}, task_body)));
  BOOST_TEST(due(id) == cents(1'934'720));
  BOOST_REQUIRE(bool(pay(id)));
  take_back(2'000'000);
  BOOST_TEST(balance("loss_on_receivable") == cents(64'000));
  BOOST_TEST(reconciliation(id).shortfall_absorbed == cents(65'280));
  BOOST_TEST(owed() == cents(-1'934'720));  // the provider owes it; no debit collects it
  BOOST_TEST(tasks("payout_taken_back").size() == 1u);
}

BOOST_AUTO_TEST_CASE(the_payment_that_exceeds_the_charge_waits_for_a_reviewer) {
  fund({"A", 100'000, "PAYER", {"99213", "99214"}});
  const auto id = settlements.at("A");
  for (const auto& [trace, amount, line] : {std::tuple("T1", 70'000, "99213"), std::tuple("T2", 30'001, "99214")}) {
    arrives(tests::Cash{std::string("D") + trace, amount, trace});
    arrives(tests::Remittance{std::string("N") + trace, trace, {{"A", amount, 50'000, std::nullopt, "1", "", line}}});
  }
  BOOST_TEST(postings() == "A 700.00 partial");
  BOOST_TEST(due(id) == cents(4'720));
  BOOST_TEST(tasks("match_ambiguous").size() == 1u);
  // The payer corrects the first payment: now both together stay below the charge.
  arrives(tests::Remittance{
      "N3", "T3", {{"A", -70'000, -50'000, std::nullopt, "22", "", "99213"}}, 0, "PAYER", "", -70'000});
  BOOST_TEST(postings() == "A 700.00 partial, -700.00 partial, 300.01 partial");
  BOOST_TEST(tasks("match_ambiguous").empty());
}

BOOST_AUTO_TEST_CASE(a_second_payer_s_share_above_the_charge_waits_for_a_reviewer) {
  const auto id = paid();
  arrives(tests::Cash{"D2", 21'001, "T2", 0, "OTHER"});
  arrives(tests::Remittance{"N2", "T2", {{"A", 21'001, 100'000, std::nullopt, "2"}}, 0, "OTHER"});
  BOOST_TEST(owed() == cents(13'720));
  BOOST_TEST(tasks("match_ambiguous").size() == 1u);
  BOOST_TEST(due(id) == cents(13'720));
}

BOOST_AUTO_TEST_CASE(the_provider_owes_a_takeback_after_the_payout) {
  const auto id = paid();
  BOOST_REQUIRE(bool(pay(id)));
  take_back(79'000);
  const auto whole = reconciliation(id);
  BOOST_TEST(name_of(whole.status) == "reversed");
  BOOST_TEST(whole.residual_released == domain::Money{});
  BOOST_TEST(whole.residual_paid_out == cents(13'720));
  BOOST_TEST(whole.residual_due == cents(-13'720));
  BOOST_TEST(balance("loss_on_receivable") == cents(64'000));
  BOOST_TEST(owed() == cents(-13'720));
  (void)task_of(domain::kPayoutTakenBack);
  BOOST_TEST(refusal_of(pay(id, "k9")) == ErrorCode::invalid_state);
  // The correction: the part that the provider already has is not paid out again.
  arrives(tests::Cash{"D3", 81'000, "T3"});
  arrives(tests::Remittance{"N3", "T3", {{"A", 81'000}}});
  BOOST_TEST(due(id) == cents(2'000));
  BOOST_TEST(tasks("payout_taken_back").empty());
  BOOST_REQUIRE(bool(pay(id)));
  BOOST_TEST(received() == cents(15'720));
}

BOOST_AUTO_TEST_SUITE_END()
