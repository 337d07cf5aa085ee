// Money that never came, and takebacks beyond the payments, that a reviewer accepts.
#include <cstdint>
#include <string>

#include "tests/usecases/matching/proposal_world.hpp"

using namespace tideover;
using domain::ErrorCode;
using tests::ProposalWorld;
using tests::refusal_of;
using tests::why;

namespace {

struct ShortWorld : ProposalWorld {
  /// Accepts the deposit for the remittance although money is missing.
  domain::Status accept_short(const std::string& deposit, const std::string& remittance) {
    const auto task = task_about(deposit);
    const auto decided = decide(task, domain::kAcceptShort, proposal_of(task, {remittance}));
    return decided ? domain::Status() : decided.error();
  }
  void takes_back_all() {
    arrives(tests::Remittance{"N2", "T2", {{"A", -80'000, -100'000, std::nullopt, "22"}}, 0, "PAYER", "", -80'000});
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(shortfalls, ShortWorld)

BOOST_AUTO_TEST_CASE(an_accepted_shortfall_is_not_changed_by_an_earlier_takeback) {
  fund({"A"});
  takes_back_all();
  arrives(tests::Remittance{"N1", "T1", {{"A", 80'000}}});
  arrives(tests::Cash{"D1", 14'720, "T1"});
  BOOST_REQUIRE(bool(accept_short("D1", "N1")));
  BOOST_TEST(balance("loss_on_receivable") == domain::Money::cents(64'000 - 14'720));
}

BOOST_AUTO_TEST_CASE(an_accepted_shortfall_is_not_lost_again_by_a_takeback) {
  fund({"A"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 80'000}}});
  arrives(tests::Cash{"D1", 14'720, "T1"});
  BOOST_REQUIRE(bool(accept_short("D1", "N1")));
  BOOST_TEST(balance("loss_on_receivable") == domain::Money::cents(64'000 - 14'720));
  takes_back_all();
  BOOST_TEST(balance("loss_on_receivable") == domain::Money::cents(64'000 - 14'720));
  BOOST_TEST(tasks("match_ambiguous").size() == 1u);
}

BOOST_AUTO_TEST_CASE(an_unexplained_withholding_is_the_debt_of_the_practice) {
  fund({"A"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 79'000}}, 0, "PAYER", "", 10'000});
  arrives(tests::Cash{"D1", 69'000, "T1"});
  BOOST_TEST(ends() == "D1 matched; A settled by trace_number");
  BOOST_TEST(holdings() == "fee_income -12.80; provider_payable -37.20");
}

BOOST_AUTO_TEST_CASE(a_takeback_beyond_the_payments_is_charged_to_the_practice_when_a_reviewer_accepts_it) {
  fund({"A"});
  fund({"B"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 79'000}, {"B", -10'000, -100'000, std::nullopt, "22"}}});
  arrives(tests::Cash{"D1", 69'000, "T1"});
  BOOST_TEST(ends() == "D1 partly_matched; A pending; B pending; match_ambiguous about N1");
  const auto before = books();
  const auto task = task_about("N1");
  const auto found = proposals(task);
  BOOST_REQUIRE(found.size() == 1u);
  BOOST_TEST(found.front().decision == domain::kAcceptShort);
  BOOST_TEST(refusal_of(accept(task, found.front().id)) == ErrorCode::invalid_state);  // a plain acceptance
  const auto decided = decide(task, domain::kAcceptShort, found.front().id);
  BOOST_REQUIRE_MESSAGE(decided, why(decided));
  BOOST_TEST(ends() == "D1 matched; A settled by person; B pending");
  BOOST_TEST(holdings() == "fee_income -12.80; provider_payable -37.20; receivable B 640.00");
  BOOST_REQUIRE(bool(undo(task)));
  BOOST_TEST(holdings() == "receivable A 640.00; receivable B 640.00; suspense_unmatched -690.00");
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
  BOOST_TEST(holdings() == "fee_income -12.80; provider_payable -47.20");  // the residual bears it
  BOOST_REQUIRE(bool(undo(task)));
  BOOST_TEST(holdings() == "receivable A 640.00; suspense_unmatched -700.00");
}

BOOST_AUTO_TEST_CASE(no_shortfall_is_accepted_for_an_unfunded_advance) {
  send({"A"});  // the rail has not answered
  arrives(tests::Remittance{"N2", "T2", {{"A", 78'000}}});
  arrives(tests::Cash{"D2", 70'000, "T2"});
  const auto before = books();
  const auto refused = accept_short("D2", "N2");
  BOOST_TEST(refusal_of(refused) == ErrorCode::invalid_state);
  BOOST_TEST(refused.error().message.find("not funded") != std::string::npos);
  BOOST_TEST((books() == before));
  resolve();
  BOOST_REQUIRE(bool(accept_short("D2", "N2")));
  BOOST_TEST(holdings() == "fee_income -12.80; provider_payable -47.20");
}

BOOST_AUTO_TEST_CASE(a_shortfall_is_decided_after_the_other_advance_is_canceled) {
  fund({"A"});
  const auto declined = terms_of({"B"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 79'000}, {"B", 30'000}}});
  arrives(tests::Cash{"D1", 99'000, "T1"});
  BOOST_TEST(refusal_of(accept_short("D1", "N1")) == ErrorCode::invalid_state);
  BOOST_REQUIRE(bool(cancel_settlement(context("cancel"), declined.text(), [](const auto&) { return ""; })));
  BOOST_REQUIRE(bool(accept_short("D1", "N1")));
  BOOST_TEST(ends() == "D1 matched; A settled by person; B pending");
  BOOST_TEST(holdings() == "fee_income -12.80; provider_payable -337.20");
}

BOOST_AUTO_TEST_CASE(an_accepted_shortfall_leaves_the_rest_of_a_balance_open) {
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
             "carried_balances -290.00; fee_income -12.80; loss_on_receivable 640.00; provider_payable -47.20");
}

BOOST_AUTO_TEST_CASE(a_balance_that_is_announced_later_replaces_the_charge_of_the_practice) {
  fund({"A"});
  fund({"B"});
  arrives(tests::Cash{"D1", 79'000, "T1"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 79'000}}});
  arrives(tests::Remittance{"N3", "T3", {{"B", 79'000}}, 0, "PAYER", "", 50'000});
  arrives(tests::Cash{"D3", 29'000, "T3"});
  BOOST_TEST(holdings() == "fee_income -25.60; provider_payable 225.60");
  tests::Remittance back{"N2", "T2", {{"A", -79'000, -100'000, std::nullopt, "22"}}};
  back.adjustments = {{"WO", -79'000}};
  arrives(back);
  BOOST_TEST(holdings() ==
             "carried_balances -290.00; fee_income -12.80; loss_on_receivable 640.00; provider_payable -137.20");
}

BOOST_AUTO_TEST_CASE(an_accepted_shortfall_is_at_most_the_payments_of_advances) {
  fund({"A"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 10'000}, {"STRANGER", 50'000, 120'000}}});
  arrives(tests::Cash{"D1", 40'000, "T1"});  // 100.00 more is missing than A is paid
  BOOST_TEST(proposals(task_about("D1")).empty());
  arrives(tests::Cash{"D2", 50'000, "T1", 1});
  BOOST_REQUIRE(bool(accept_short("D2", "N1")));
  BOOST_TEST(balance("loss_on_receivable") == domain::Money::cents(64'000));
  BOOST_TEST(balance(domain::account::provider_payable(caller.tenant)) == domain::Money::cents(-50'000));
}

BOOST_AUTO_TEST_SUITE_END()
