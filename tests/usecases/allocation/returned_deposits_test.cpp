// Deposits that the bank took back: what they paid is undone, or taken back where later postings build on it.
#include "core/usecases/funding/pay_residual.hpp"
#include "core/usecases/reconciliation/return_deposit.hpp"
#include "tests/usecases/matching/proposal_world.hpp"

using namespace tideover;
using domain::ErrorCode;
using domain::Money;
using tests::Cash;
using tests::refusal_of;
using tests::Remittance;
using tests::why;

namespace {

struct ReturnWorld : tests::ProposalWorld {
  usecases::ReturnDeposit return_deposit{*store, ids, &rules};

  domain::Result<usecases::StoredResponse> returns(const std::string& name, int days = 0) {
    return return_deposit(context("return"), {deposits.at(name).text(), clock.now().utc_date().plus(days), "R01"},
                          [](const usecases::DepositView& view) { return std::string(name_of(view.deposit.status)); });
  }
  void must_return(const std::string& name) {
    const auto returned = returns(name);
    BOOST_REQUIRE_MESSAGE(returned, why(returned));
    BOOST_TEST(returned->body == "returned");
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(returned_deposits, ReturnWorld)

BOOST_AUTO_TEST_CASE(what_it_paid_is_undone_and_its_remittance_waits_for_other_money) {
  fund({"A"});
  arrives(Remittance{"N1", "T1", {{"A", 79'000}, {"STRANGER", 10'000, 20'000}}});
  const auto before = books();
  arrives(Cash{"D1", 89'000, "T1"});
  BOOST_TEST(holdings() == "fee_income -12.80; provider_payable -237.20");
  must_return("D1");
  BOOST_TEST((books() == before));
  BOOST_TEST(ends() == "D1 returned; A pending by undone; match_ambiguous about N1");
  // The check is deposited again.
  arrives(Cash{"D2", 89'000, "T1", 3});
  BOOST_TEST(ends() == "D1 returned; D2 matched; A settled by trace_number");
  BOOST_TEST(holdings() == "fee_income -12.80; provider_payable -237.20");
}

BOOST_AUTO_TEST_CASE(unmatched_money_leaves_suspense) {
  const auto before = books();
  arrives(Cash{"D1", 50'000, "T9"});
  must_return("D1");
  BOOST_TEST((books() == before));
  BOOST_TEST(ends() == "D1 returned");
  BOOST_TEST(refusal_of(returns("D1")) == ErrorCode::invalid_state);
}

BOOST_AUTO_TEST_CASE(a_deposit_that_paid_an_advance_alone_is_taken_from_it) {
  fund({"A"});
  const auto before = books();
  arrives(Cash{"D1", 80'000, ""});
  BOOST_TEST(ends() == "D1 matched; A settled by amount_and_date");
  arrives(Remittance{"N1", "T1", {{"A", 80'000}}});  // it confirms the payment
  must_return("D1");
  BOOST_TEST((books() == before));
  BOOST_TEST(results() == "A 0.00 pending, charge 0.00");
  BOOST_TEST(ends() == "D1 returned; A pending by undone; match_ambiguous about N1");
  arrives(Cash{"D2", 80'000, "T1", 1});
  BOOST_TEST(results() == "A 800.00 settled, charge 1000.00");
}

BOOST_AUTO_TEST_CASE(money_under_a_later_payment_is_taken_back) {
  fund({"A"});
  arrives(Remittance{"N1", "T1", {{"A", 70'000}}});
  arrives(Cash{"D1", 70'000, "T1"});
  arrives(Remittance{"N2", "T2", {{"A", 5'000}}});
  arrives(Cash{"D2", 5'000, "T2"});
  must_return("D1");
  BOOST_TEST(postings() == "A 700.00 settled, 50.00 settled, -700.00 settled_short");
  BOOST_TEST(holdings() == "loss_on_receivable 590.00");
  arrives(Cash{"D3", 70'000, "T1", 2});
  BOOST_TEST(results() == "A 750.00 settled, charge 2000.00");
  BOOST_TEST(holdings() == "fee_income -12.80; provider_payable -97.20");
}

BOOST_AUTO_TEST_CASE(a_residual_that_was_paid_out_is_owed_by_the_practice) {
  fund({"A"});
  arrives(Remittance{"N1", "T1", {{"A", 79'000}}});
  arrives(Cash{"D1", 79'000, "T1"});
  usecases::PayResidual pay{*store, *disburse, ids, true};
  BOOST_REQUIRE(bool(pay(
      context("pay"), settlements.at("A").text(), [](const auto&) { return ""; }, [](const auto&) { return ""; })));
  must_return("D1");
  BOOST_TEST(results() == "A 0.00 pending, charge 0.00");
  BOOST_TEST(holdings() == "provider_payable 137.20; receivable A 640.00");
  BOOST_TEST(tasks("payout_taken_back").size() == 1u);
}

BOOST_AUTO_TEST_CASE(the_other_deposits_of_a_pool_are_free_again) {
  fund({"A"});
  arrives(Remittance{"N1", "T1", {{"A", 79'000}}});
  arrives(Cash{"D1", 50'000, "T1"});
  arrives(Cash{"D2", 29'000, "T1"});
  BOOST_TEST(results() == "A 790.00 settled, charge 1000.00");
  must_return("D2");
  BOOST_TEST(results() == "A 0.00 pending, charge 0.00");
  BOOST_TEST(holdings() == "receivable A 640.00; suspense_unmatched -500.00");
  arrives(Cash{"D3", 29'000, "T1", 1});
  BOOST_TEST(ends() == "D1 matched; D2 returned; D3 matched; A settled by many_to_one");
}

BOOST_AUTO_TEST_CASE(released_money_is_charged_to_the_practice) {
  arrives(Cash{"D1", 50'000, "T9"});
  after_days(8);
  BOOST_REQUIRE(bool(decide(task_about("D1"), domain::kRelease)));
  BOOST_TEST(holdings() == "provider_payable -500.00");
  must_return("D1");
  BOOST_TEST(holdings() == "");
}

BOOST_AUTO_TEST_CASE(the_order_of_returns_does_not_change_the_end) {
  for (const bool latest_first : {true, false}) {
    ReturnWorld world;
    world.fund({"A"});
    world.arrives(Remittance{"N1", "T1", {{"A", 70'000}}});
    world.arrives(Cash{"D1", 70'000, "T1"});
    world.arrives(Remittance{"N2", "T2", {{"A", 5'000}}});
    world.arrives(Cash{"D2", 5'000, "T2"});
    world.must_return(latest_first ? "D2" : "D1");
    world.must_return(latest_first ? "D1" : "D2");
    BOOST_TEST(world.results() == "A 0.00 pending, charge 0.00");
    BOOST_TEST(world.holdings() == "receivable A 640.00");
    world.teardown();
  }
}

BOOST_AUTO_TEST_CASE(a_decision_about_returned_money_is_not_undone_again) {
  fund({"A"});
  arrives(Remittance{"N1", "T1", {{"A", 79'000}}});
  arrives(Cash{"D1", 79'001, "T1"});
  const auto match = task_about("D1");
  BOOST_REQUIRE(bool(accept(match, proposal_of(match, {"N1"}))));
  arrives(Cash{"D2", 50'000, "T9"});
  after_days(8);
  const auto release = task_about("D2");
  BOOST_REQUIRE(bool(decide(release, domain::kRelease)));
  must_return("D1");
  must_return("D2");
  const auto before = books();
  for (const auto& task : {match, release}) BOOST_TEST(refusal_of(undo(task)) == ErrorCode::invalid_state);
  BOOST_TEST((books() == before));
  BOOST_TEST(holdings() == "receivable A 640.00");
}

BOOST_AUTO_TEST_CASE(after_a_returned_advance_only_the_practice_owes_the_returned_money) {
  fund({"A"});
  arrives(Remittance{"N1", "T1", {{"A", 79'000}}});
  arrives(Cash{"D1", 79'000, "T1"});
  ports::RailOutcome outcome;
  outcome.kind = ports::RailOutcome::Kind::returned;
  outcome.reason_code = "R02";
  BOOST_REQUIRE(bool(
      disburse->record(caller.tenant, attempt(settlements.at("A")), domain::AttemptEvent::return_, outcome, nullptr)));
  BOOST_TEST(holdings() == "provider_payable -790.00");
  must_return("D1");
  BOOST_TEST(holdings() == "");
}

BOOST_AUTO_TEST_CASE(a_late_second_report_of_returned_money_is_held) {
  arrives(Cash{"D1", 50'000, "T9"});
  must_return("D1");
  arrives(Cash{"D2", 50'000, "T9", 0, "PAYER", "", "bai2"});
  BOOST_TEST(ends() == "D1 returned; D2 suspected_duplicate; deposit_duplicate about D2");
}

BOOST_AUTO_TEST_CASE(several_remittances_of_one_deposit_wait_again) {
  fund({"A"});
  fund({"B"});
  arrives(Remittance{"N1", "T1", {{"A", 79'000}}});
  arrives(Remittance{"N2", "T1", {{"B", 70'000}}});
  const auto before = books();
  arrives(Cash{"D1", 149'000, "T1"});
  BOOST_TEST(results() == "A 790.00 settled, charge 1000.00; B 700.00 settled, charge 1000.00");
  must_return("D1");
  BOOST_TEST((books() == before));
}

BOOST_AUTO_TEST_CASE(a_deposit_whose_money_was_used_later_is_not_returned) {
  fund({"A"});
  fund({"B"});
  arrives(Remittance{"N1", "T1", {{"A", 79'000}}, 0, "PAYER", "", -1'000});
  arrives(Cash{"D1", 80'000, "T1"});
  arrives(Remittance{"N2", "T2", {{"B", 79'000}}, 0, "PAYER", "", 1'000});
  arrives(Cash{"D2", 78'000, "T2"});
  const auto before = books();
  const auto refused = returns("D1");
  BOOST_TEST(refusal_of(refused) == ErrorCode::invalid_state);
  BOOST_TEST(tests::detail_of(refused.error(), "remittance_id") == remittances["N1"].text());
  BOOST_TEST((books() == before));
}

BOOST_AUTO_TEST_CASE(the_day_must_be_possible) {
  arrives(Cash{"D1", 50'000, "T9"});
  BOOST_TEST(refusal_of(returns("D1", -1)) == ErrorCode::validation_error);
  BOOST_TEST(refusal_of(returns("D1", 2)) == ErrorCode::validation_error);
  BOOST_TEST(bool(returns("D1", 1)));
  deposits["NONE"] = ids.next<domain::DepositId>();
  BOOST_TEST(refusal_of(returns("NONE")) == ErrorCode::not_found);
}

BOOST_AUTO_TEST_SUITE_END()
