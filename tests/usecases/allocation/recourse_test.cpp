// The recourse rule: who bears what payers take back, withhold or do not pay. Without its answer the books are those of
// the other tests.
#include "tests/usecases/allocation/recourse_world.hpp"

using namespace tideover;
using domain::Money;
using domain::RecourseEvent;
using tests::Cash;
using tests::PaidClaim;
using tests::Plb;
using tests::Remittance;
using Bearer = tests::RecourseWorld::Bearer;

BOOST_FIXTURE_TEST_SUITE(recourse_policy, tests::RecourseWorld)

BOOST_AUTO_TEST_CASE(an_ordinary_payment_asks_no_rule) {
  fund({"A"});
  pays("A", 79'000, "1");
  BOOST_TEST(rules.events_seen.empty());
  BOOST_TEST(entries("A").empty());
}

BOOST_AUTO_TEST_CASE(the_usual_bearers_are_stored_with_the_rule_and_its_facts) {
  fund({"A"});
  clock.advance_days(12);
  pays("A", 60'000, "1");
  BOOST_TEST(holdings() == "loss_on_receivable 40.00");
  const auto stored = entries("A");
  BOOST_REQUIRE(stored.size() == 1u);
  const auto& entry = stored.front();
  BOOST_TEST((entry.facts.event == RecourseEvent::short_payment));
  BOOST_TEST(entry.facts.amount.cents() == 4'000);
  BOOST_TEST(entry.facts.usual.funder.cents() == 4'000);
  BOOST_TEST(entry.facts.advance.cents() == 64'000);
  BOOST_TEST((entry.facts.days_since_funding == 12));
  BOOST_TEST(entry.facts.payer_id == "PAYER");
  BOOST_TEST(entry.facts.payee_npi == "1234567893");
  BOOST_TEST((entry.moved == domain::RecourseSplit{}));
  BOOST_TEST(entry.rule_id == "recourse.fake");
  BOOST_TEST(entry.rule_rev == 3);
  BOOST_TEST(entry.rules.version == "fake-1");
  BOOST_TEST((entry.record == reconciliation(settlements.at("A")).records.back().id));
}

BOOST_AUTO_TEST_CASE(a_short_payment_becomes_the_debt_of_the_practice) {
  bears(RecourseEvent::short_payment, Bearer::practice);
  fund({"A"});
  pays("A", 60'000, "1");
  BOOST_TEST(holdings() == "provider_payable 40.00");
  BOOST_TEST(entries("A").front().decision.reasons == std::vector<std::string>{"policy"});
  // A later residual pays it.
  fund({"B"});
  pays("B", 79'000, "2");
  BOOST_TEST(holdings() == "fee_income -12.80; provider_payable -97.20");
}

BOOST_AUTO_TEST_CASE(a_payer_that_pays_later_pays_back_who_bore_the_loss) {
  bears(RecourseEvent::short_payment, Bearer::practice);
  fund({"A"});
  pays("A", 60'000, "1");
  pays("A", 3'000, "2");
  BOOST_TEST(holdings() == "provider_payable 10.00");
  pays("A", 10'000, "3");
  BOOST_TEST(holdings() == "fee_income -12.80; provider_payable -77.20");
  must_return("D3");
  BOOST_TEST(holdings() == "provider_payable 10.00");
  must_return("D2");
  BOOST_TEST(holdings() == "provider_payable 40.00");
  must_return("D1");
  BOOST_TEST(holdings() == "receivable A 640.00");
}

BOOST_AUTO_TEST_CASE(a_takeback_of_the_principal_becomes_the_debt_of_the_practice_until_it_is_corrected) {
  bears(RecourseEvent::takeback, Bearer::practice);
  fund({"A"});
  pays("A", 79'000, "1");
  takes_back("A", 79'000, "2");
  BOOST_TEST(holdings() == "carried_balances -790.00; provider_payable 640.00");
  const auto& facts = rules.events_seen.back();
  BOOST_TEST(facts.usual.future_residuals.cents() == 13'720);
  BOOST_TEST(facts.usual.funder.cents() == 64'000);
  BOOST_TEST(facts.owed.cents() == 13'720);  // before the takeback
  pays("A", 69'000, "3");
  BOOST_TEST(holdings() == "carried_balances -790.00; fee_income -12.80; provider_payable -37.20");
}

BOOST_AUTO_TEST_CASE(a_takeback_of_a_residual_may_be_a_loss_of_the_funder) {
  bears(RecourseEvent::takeback, Bearer::funder);
  fund({"A"});
  pays("A", 79'000, "1");
  takes_back("A", 10'000, "2");
  const std::string borne =
      "carried_balances -100.00; fee_income -12.80; loss_on_receivable 100.00; provider_payable -137.20";
  BOOST_TEST(holdings() == borne);
  BOOST_TEST(due("A") == "137.20 due, 0.00 held");
  // The payer pays it again: the funder gets its part back.
  pays("A", 4'000, "3");
  BOOST_TEST(holdings() ==
             "carried_balances -100.00; fee_income -12.80; loss_on_receivable 60.00; provider_payable -137.20");
  must_return("D3");
  BOOST_TEST(holdings() == borne);
}

BOOST_AUTO_TEST_CASE(a_recovery_of_a_claim_that_was_never_bought_may_be_a_loss_of_the_funder) {
  for (const bool is_of_funder : {false, true}) {
    tests::RecourseWorld world;
    if (is_of_funder) world.bears(RecourseEvent::foreign_recovery, Bearer::funder);
    world.fund({"A"});
    world.arrives(Cash{"D1", 69'000, "T1"});
    Remittance remittance{"N1", "T1", {{"A", 79'000}}};
    remittance.adjustments = {Plb{"WO", 10'000, "NEVER-BOUGHT"}};
    remittance.payee = "1234567893";
    world.arrives(remittance);
    // It holds no other claim (M6).
    BOOST_TEST(world.ends() == "D1 matched; A settled by trace_number");
    BOOST_TEST(world.holdings() == (is_of_funder
                                        ? "fee_income -12.80; loss_on_receivable 100.00; provider_payable -137.20"
                                        : "fee_income -12.80; provider_payable -37.20"));
    const auto entries = world.seen([&](const ports::Records& records) {
      return records.recourse().of_remittance(world.caller.tenant, world.remittances.at("N1"));
    });
    BOOST_REQUIRE(entries.size() == 1u);
    BOOST_TEST(entries.front().row == 1);
    BOOST_TEST((entries.front().facts.event == RecourseEvent::foreign_recovery));
    world.must_return("D1");
    BOOST_TEST(world.holdings() == "receivable A 640.00");
    world.teardown();
  }
}

BOOST_AUTO_TEST_CASE(a_returned_deposit_may_be_a_loss_of_the_funder) {
  bears(RecourseEvent::returned_deposit, Bearer::funder);
  fund({"A"});
  pays("A", 79'000, "1");
  BOOST_REQUIRE(bool(pay_out("A")));
  must_return("D1");
  BOOST_TEST(holdings() == "loss_on_receivable 137.20; receivable A 640.00");
  const auto& facts = rules.events_seen.back();
  BOOST_TEST((facts.event == RecourseEvent::returned_deposit));
  BOOST_TEST(facts.paid_out.cents() == 13'720);
  BOOST_TEST(facts.owed.cents() == 0);
  BOOST_TEST(due("A") == "0.00 due, 0.00 held");
  BOOST_TEST(tasks("payout_taken_back").empty());
  // The check is deposited again.
  arrives(Cash{"D2", 79'000, "T1", 3});
  BOOST_TEST(holdings() == "fee_income -12.80");
}

BOOST_AUTO_TEST_CASE(returned_money_of_another_claim_that_comes_again_ends_the_loss_of_the_funder) {
  bears(RecourseEvent::returned_deposit, Bearer::funder);
  arrives(Remittance{"N1", "T1", {{"STRANGER", 10'000, 20'000}}});
  arrives(Cash{"D1", 10'000, "T1"});
  const auto before = books();
  must_return("D1");
  BOOST_TEST(holdings() == "loss_on_receivable 100.00; provider_payable -100.00");
  arrives(Cash{"D2", 10'000, "T1", 3});
  BOOST_TEST((books() == before));
}

BOOST_AUTO_TEST_CASE(an_answer_out_of_bounds_moves_nothing_and_its_problem_is_stored) {
  rules.bears = [](const domain::RecourseFacts&) {
    return std::optional(domain::RecourseProposal{{Money::cents(3'999), {}, {}}, {}});
  };
  fund({"A"});
  pays("A", 60'000, "1");
  BOOST_TEST(holdings() == "loss_on_receivable 40.00");
  BOOST_TEST(entries("A").front().decision.problem == "the parts add up to 39.99, not to 40.00");
}

BOOST_AUTO_TEST_CASE(a_write_off_is_a_short_payment) {
  bears(RecourseEvent::short_payment, Bearer::practice);
  fund({"A"});
  clock.advance_days(400);
  BOOST_REQUIRE(bool(usecases::WriteOffOverdue(*store, rules, ids, clock)({}, 10)));
  BOOST_TEST(holdings() == "provider_payable 640.00");
  pays("A", 79'000, "1");
  BOOST_TEST(holdings() == "fee_income -12.80; provider_payable -137.20");
}

BOOST_AUTO_TEST_CASE(a_practice_below_the_floor_gets_no_advance) {
  bears(RecourseEvent::short_payment, Bearer::practice);
  rules.recourse.balance_floor = Money::cents(-3'999);
  fund({"A"});
  pays("A", 60'000, "1");
  const auto declined = adjudicate(review(draft("B")));
  BOOST_TEST(declined.decision == domain::Decision::declined);
  BOOST_TEST(declined.decision_reasons == std::vector<std::string>{"practice_balance_below_floor"});
  rules.recourse.balance_floor = Money::cents(-4'000);
  BOOST_TEST(adjudicate(review(draft("C"))).decision == domain::Decision::approved);
}

BOOST_AUTO_TEST_CASE(an_advance_below_the_least_is_not_offered) {
  rules.recourse.least_advance = Money::cents(64'001);
  const auto declined = adjudicate(review(draft("A")));
  BOOST_TEST(declined.decision == domain::Decision::declined);
  BOOST_TEST(declined.decision_reasons == std::vector<std::string>{"advance_below_least"});
}

BOOST_AUTO_TEST_SUITE_END()
