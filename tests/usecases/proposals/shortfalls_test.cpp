// Shortfalls that a reviewer accepts as a loss, at most advances and fees.
#include <cstdint>
#include <string>

#include "tests/usecases/matching/proposal_world.hpp"

using namespace tideover;
using domain::ErrorCode;
using tests::ProposalWorld;
using tests::refusal_of;
using tests::why;

BOOST_FIXTURE_TEST_SUITE(proposals, ProposalWorld)

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

BOOST_AUTO_TEST_SUITE_END()
