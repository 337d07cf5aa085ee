// Payments that name an advanced claim by another form of its number. The payment is posted when its number agrees and
// nothing contradicts. Otherwise the money waits for a reviewer, whether the deposit or the remittance arrives first.
#include <string>

#include "core/usecases/funding/pay_residual.hpp"
#include "tests/usecases/matching/alike_world.hpp"

using namespace tideover;
using domain::Money;
using tests::AlikeWorld;
using tests::Cash;
using tests::dated;
using tests::kForms;
using tests::PaidClaim;
using tests::Remittance;
using tests::undated;

BOOST_FIXTURE_TEST_SUITE(alike_claims, AlikeWorld)

BOOST_AUTO_TEST_CASE(a_payment_whose_number_lost_only_its_form_is_posted) {
  for (const auto& [what, advanced, paid, is_certain] : kForms)
    for (const bool is_remittance_first : {false, true}) {
      if (!is_certain) continue;
      BOOST_TEST_CONTEXT(what << (is_remittance_first ? ", remittance first" : ", deposit first")) {
        AlikeWorld world;
        world.fund({advanced});
        const Remittance remittance{"N1", "T1", {paid}};
        if (is_remittance_first) world.arrives(remittance);
        world.arrives(Cash{"D1", paid.paid, "T1"});
        if (!is_remittance_first) world.arrives(remittance);
        BOOST_TEST(world.reconciliation(world.settlements[advanced]).payer_payment == Money::cents(paid.paid));
        BOOST_TEST(world.in_suspense() == Money{});
        BOOST_TEST(world.tasks().empty());
        BOOST_TEST((world.claim_status(advanced).status == domain::ClaimStatus::paid));
        world.teardown();
      }
    }
}

BOOST_AUTO_TEST_CASE(a_number_that_fits_two_advances_waits_for_a_reviewer) {
  fund({"0007-15"});
  fund({"7-15"});
  pays(undated("715"));
  BOOST_TEST(in_suspense() == Money::cents(79'000));
  const auto task = task_about("N1");
  BOOST_TEST(proposals(task).size() == 2u);
  BOOST_REQUIRE(bool(accept(task, proposal_of(task, {"7-15"}))));
  BOOST_TEST(postings() == "0007-15 -; 7-15 790.00 settled");
}

BOOST_AUTO_TEST_CASE(the_charge_decides_between_two_advances_with_one_number) {
  fund({"CLINIC-7-VISIT-2026-000001", 50'000});
  fund({"CLINIC-7-VISIT-2026-000002", 100'000});
  pays({"CLINIC-7-VISIT-2026-0", 40'000, 50'000});
  BOOST_TEST(postings() == "CLINIC-7-VISIT-2026-000001 400.00 settled; CLINIC-7-VISIT-2026-000002 -");
}

BOOST_AUTO_TEST_CASE(a_payment_with_a_distorted_claim_number_waits_for_a_reviewer) {
  for (const auto& [what, advanced, paid, is_certain] : kForms)
    for (const bool is_remittance_first : {false, true}) {
      if (is_certain) continue;
      BOOST_TEST_CONTEXT(what << (is_remittance_first ? ", remittance first" : ", deposit first")) {
        AlikeWorld world;
        world.fund({advanced});
        const Remittance remittance{"N1", "T1", {paid}};
        if (is_remittance_first) world.arrives(remittance);
        world.arrives(Cash{"D1", paid.paid, "T1"});
        if (!is_remittance_first) world.arrives(remittance);
        BOOST_TEST(world.credited() == Money{});
        BOOST_TEST(world.in_suspense() == Money::cents(paid.paid));
        const auto task = world.task_about("N1");
        BOOST_REQUIRE(world.proposals(task).size() == 1u);
        BOOST_REQUIRE(bool(world.accept(task, world.proposals(task).front().id)));
        BOOST_TEST(world.reconciliation(world.settlements[advanced]).payer_payment == Money::cents(paid.paid));
        BOOST_TEST(world.in_suspense() == Money{});
        BOOST_TEST(world.tasks().empty());
        BOOST_REQUIRE(bool(world.undo(task)));
        BOOST_TEST(world.in_suspense() == Money::cents(paid.paid));
        BOOST_TEST(world.credited() == Money{});
        const auto again = world.task_about("N1");
        BOOST_REQUIRE(bool(world.decide(again, domain::kRelease)));
        BOOST_TEST(world.credited() == Money::cents(paid.paid));
        BOOST_REQUIRE(bool(world.undo(again)));
        BOOST_TEST(world.in_suspense() == Money::cents(paid.paid));
        BOOST_TEST(world.credited() == Money{});
        world.teardown();
      }
    }
}

BOOST_AUTO_TEST_CASE(a_payment_with_another_number_and_charge_or_day_is_credited_to_the_provider) {
  fund({"CLMA-X"});
  pays({"SOMETHING ELSE", 79'000, 90'000});
  BOOST_TEST(credited() == Money::cents(79'000));
  arrives(Cash{"D2", 79'000, "T2"});
  arrives(Remittance{"N2", "T2", {{"0", 79'000, 100'000, 5}}});
  BOOST_TEST(credited() == Money::cents(158'000));
  arrives(Cash{"D3", 79'000, "T3", 0, "OTHER"});
  arrives(Remittance{"N3", "T3", {{"clma-x", 79'000, 100'000, 0, "2"}}, 0, "OTHER"});  // the share of a secondary payer
  BOOST_TEST(credited() == Money::cents(237'000));
  BOOST_TEST(tasks().empty());
}

BOOST_AUTO_TEST_CASE(a_known_unadvanced_claim_with_the_same_charge_and_day_needs_no_review) {
  fund({"CLMA-X"});
  review(draft("CLMB-Y"));
  pays({"CLMB-Y", 79'000, 100'000, 0});
  BOOST_TEST(credited() == Money::cents(79'000));
  BOOST_TEST(tasks().empty());
}

BOOST_AUTO_TEST_CASE(a_known_claim_for_the_visit_of_an_advance_needs_review) {
  fund({"CLMA-X"});
  auto same_visit = draft("CLMB-Y");
  same_visit.chart_identifier = domain::Sensitive<std::string>("CHART-CLMA-X");
  review(same_visit);
  pays({"CLMB-Y", 79'000, 100'000, 0});
  BOOST_TEST(credited() == Money{});
  const auto task = task_about("N1");
  BOOST_REQUIRE(bool(accept(task, proposal_of(task, {"CLMA-X"}))));
  BOOST_TEST(in_suspense() == Money{});
}

BOOST_AUTO_TEST_CASE(an_advance_with_its_own_payment_is_no_candidate_for_another_claim) {
  fund({"CLMA-X"});
  arrives(Cash{"D1", 100'000, "T1"});
  arrives(Remittance{"N1", "T1", {{"CLMA-X", 79'000, 100'000, 0}, {"SOMETHING ELSE", 21'000, 100'000, 0}}});
  BOOST_TEST(ends() == "D1 matched; CLMA-X settled by trace_number");
}

BOOST_AUTO_TEST_CASE(the_charge_decides_among_many_advances_of_one_truncated_number) {
  for (int i = 1; i <= 10; ++i) fund({"CLINIC-7-VISIT-2026-0000" + std::to_string(10 + i), 200'000 + i});
  fund({"CLINIC-7-VISIT-2026-000099"});
  pays(dated("CLINIC-7-VISIT-2026-"));
  BOOST_TEST(reconciliation(settlements["CLINIC-7-VISIT-2026-000099"]).payer_payment == Money::cents(79'000));
  BOOST_TEST(in_suspense() == Money{});
  BOOST_TEST(tasks().empty());
}

BOOST_AUTO_TEST_CASE(advances_between_two_service_days_hide_no_candidate) {
  const auto fund_on = [&](const std::string& name, int day) {
    auto claim = draft(name);
    claim.date_of_service = claim.date_of_service->plus(day);
    const auto terms = adjudicate(review(claim));
    names[terms.id.text()] = name;
    settlements[name] = terms.id;
    BOOST_REQUIRE(bool(try_confirm(terms.id)));
  };
  for (int i = 0; i < 11; ++i) fund_on("OTHER-" + std::to_string(i), -8);
  fund_on("CLMA-X", -1);
  PaidClaim paid{"0", 79'000, 100'000, -9};
  paid.line_days = {-9, -1};
  pays(paid);
  BOOST_TEST(credited() == Money{});
  const auto task = task_about("N1");
  BOOST_REQUIRE(bool(accept(task, proposal_of(task, {"CLMA-X"}))));
}

BOOST_AUTO_TEST_CASE(advances_of_another_payer_hide_no_candidate) {
  for (int i = 1; i <= 10; ++i) fund({"CLINIC-7-VISIT-2026-0000" + std::to_string(10 + i), 100'000, "OTHER"});
  fund({"CLINIC-7-VISIT-2026-000099"});
  pays({"CLINIC-7-VISIT-2026-", 50'000, 60'000});
  BOOST_TEST(reconciliation(settlements["CLINIC-7-VISIT-2026-000099"]).payer_payment == Money::cents(50'000));
  BOOST_TEST(tasks().empty());
}

BOOST_AUTO_TEST_CASE(a_second_claim_under_one_number_is_compared_with_other_advances) {
  fund({"PAT-77"});
  fund({"CLMB-X", 60'000});
  arrives(Cash{"D1", 127'000, "T1"});
  arrives(Remittance{"N1", "T1", {{"PAT-77", 79'000, 100'000, 0}, {"PAT-77", 48'000, 60'000, 0}}});
  BOOST_TEST(reconciliation(settlements["PAT-77"]).status == domain::FinalStatus::settled);
  BOOST_TEST(in_suspense() == Money::cents(48'000));
  const auto task = task_about("N1");
  BOOST_REQUIRE(bool(accept(task, proposal_of(task, {"CLMB-X"}))));
  BOOST_TEST(in_suspense() == Money{});
}

BOOST_AUTO_TEST_CASE(an_ambiguous_payment_keeps_its_money_next_to_a_takeback) {
  fund({"CLMA-X"});
  fund({"CLMB-X"});
  arrives(Cash{"D1", 79'000, "T1"});
  arrives(Remittance{"N1", "T1", {{"CLMB-X", 79'000}}});
  const auto before = credited();
  arrives(Cash{"D2", 50'000, "T2"});
  // The takeback contradicts itself; the third claim has no advance.
  arrives(Remittance{"N2", "T2", {{"CLMAX", 79'000}, {"CLMB-X", -79'000, 100'000}, {"Z-1", 50'000}}});
  BOOST_TEST(credited() == before);
  BOOST_TEST(in_suspense() == Money::cents(50'000));
}

BOOST_AUTO_TEST_CASE(a_takeback_under_another_form_blocks_the_payout_until_it_is_decided) {
  fund({"CLMB-X"});
  arrives(Cash{"D1", 79'000, "T1"});
  arrives(Remittance{"N1", "T1", {{"CLMB-X", 79'000}}});
  usecases::PayResidual pay_residual{*store, *disburse, ids, true};
  const auto pay = [&] {
    return pay_residual(
        context("pay"), settlements["CLMB-X"].text(), [](const auto&) { return ""; }, [](const auto&) { return ""; });
  };
  arrives(Remittance{"N2", "T2", {{"C1MBX", -79'000, -100'000, std::nullopt, "22"}}, 0, "PAYER", "", -79'000});
  BOOST_TEST(tests::refusal_of(pay()) == domain::ErrorCode::invalid_state);
  for (const auto& task : tasks("match_ambiguous")) BOOST_REQUIRE(bool(decide(task.id.text(), domain::kResolved)));
  BOOST_TEST(bool(pay()));
}

BOOST_AUTO_TEST_CASE(a_forwarded_claim_leaves_its_number_to_the_payment) {
  fund({"CLMA-X"});
  arrives(Cash{"D1", 79'000, "T1"});
  arrives(Remittance{"N1", "T1", {{"CLMA-X", 0, 100'000, 0, "23"}, {"CLMA-X", 79'000, 100'000, 1}}});
  BOOST_TEST(credited() == Money{});
  BOOST_TEST(in_suspense() == Money::cents(79'000));
}

BOOST_AUTO_TEST_CASE(all_similar_advances_are_proposed_best_match_first) {
  fund({"CLMA-X"});
  fund({"CLMB-X"});
  fund({"CLMC-X"});
  pays(dated("c1mb-x"));
  const auto task = task_about("N1");
  const auto all = proposals(task);
  BOOST_REQUIRE(all.size() == 3u);
  BOOST_TEST(names[all.front().candidates.front()] == "CLMB-X");
  BOOST_TEST(all.front().score > all[1].score);
  BOOST_REQUIRE(bool(accept(task, proposal_of(task, {"CLMC-X"}))));
  BOOST_TEST(reconciliation(settlements["CLMC-X"]).status == domain::FinalStatus::settled);
}

BOOST_AUTO_TEST_CASE(a_payment_waits_for_a_reviewer_without_a_bank_feed_too) {
  AlikeWorld world(domain::PostOn::remittance);
  world.fund({"CLMA-X"});
  world.arrives(Remittance{"N1", "T1", {undated("C1MAX")}});
  BOOST_TEST(world.credited() == Money{});
  BOOST_TEST(world.in_suspense() == Money::cents(79'000));
  BOOST_TEST(world.proposals(world.task_about("N1")).size() == 1u);
  world.teardown();
}

BOOST_AUTO_TEST_CASE(an_alias_identifies_the_payer) {
  fund({"CLMA-X", 100'000, "ALIAS"});
  arrives(Cash{"D1", 79'000, "T1"});
  arrives(Remittance{"N1", "T1", {undated("c1ma-x")}, 0, "ALIAS"});
  BOOST_TEST(credited() == Money{});
  BOOST_TEST(proposals(task_about("N1")).size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_payment_of_an_unknown_payer_waits_for_a_reviewer) {
  for (const char* status : {"1", "2"}) {
    AlikeWorld world;
    world.know_payer();
    world.fund({"CLMA-X"});
    world.pays({"c1ma-x", 79'000, 100'000, 0, status}, "");
    BOOST_TEST(world.credited() == Money{});
    const auto task = world.task_about("N1");
    BOOST_REQUIRE(bool(world.decide(task, domain::kAssignPayer, "PAYER")));
    BOOST_TEST(world.credited() == Money{});
    const auto named = world.task_about("N1");
    BOOST_REQUIRE(bool(world.accept(named, world.proposal_of(named, {"CLMA-X"}))));
    BOOST_TEST(world.reconciliation(world.settlements["CLMA-X"]).status == domain::FinalStatus::settled);
    world.teardown();
  }
}

BOOST_AUTO_TEST_CASE(two_payments_of_one_claim_both_wait_for_a_reviewer) {
  fund({"CLMA-X"});
  arrives(Cash{"D1", 40'000, "T1"});
  arrives(Remittance{"N1", "T1", {{"c1ma-x", 40'000}}});
  arrives(Cash{"D2", 39'000, "T2"});
  arrives(Remittance{"N2", "T2", {{"C1MAX", 39'000}}});
  BOOST_TEST(credited() == Money{});
  for (const char* remittance : {"N1", "N2"}) {
    const auto task = task_about(remittance);
    BOOST_REQUIRE(bool(accept(task, proposals(task).front().id)));
  }
  BOOST_TEST(reconciliation(settlements["CLMA-X"]).payer_payment == Money::cents(79'000));
  BOOST_TEST(in_suspense() == Money{});
}

BOOST_AUTO_TEST_CASE(a_waiting_payment_still_waits_after_its_advance_is_paid) {
  fund({"CLMA-X"});
  pays(dated("0"));
  arrives(Cash{"D2", 79'000, "T2"});
  arrives(Remittance{"N2", "T2", {dated("CLMA-X")}});
  BOOST_TEST(reconciliation(settlements["CLMA-X"]).status == domain::FinalStatus::settled);
  BOOST_TEST(in_suspense() == Money::cents(79'000));
  BOOST_REQUIRE(bool(decide(task_about("N1"), domain::kRelease)));
  BOOST_TEST(in_suspense() == Money{});
}

BOOST_AUTO_TEST_CASE(the_payer_claim_number_of_an_earlier_remittance_identifies_the_advance) {
  fund({"CLMA-X"});
  arrives(Cash{"D1", 79'000, "T1"});
  arrives(Remittance{"N1", "T1", {{"CLMA-X", 79'000, 100'000, 0, "1", "ICN-77"}}});
  arrives(Cash{"D2", 1'000, "T2"});
  arrives(Remittance{"N2", "T2", {{"UNKNOWN", 1'000, 30'000, 9, "1", "icn 77"}}});
  BOOST_TEST(in_suspense() == Money::cents(1'000));
  BOOST_TEST(proposals(task_about("N2")).size() == 1u);
}

BOOST_AUTO_TEST_CASE(the_advance_is_proposed_for_a_takeback_with_a_distorted_number) {
  fund({"CLMA-X"});
  arrives(Cash{"D1", 79'000, "T1"});
  arrives(Remittance{"N1", "T1", {dated("CLMA-X")}});
  arrives(Cash{"D2", 10'000, "T2"});
  arrives(Remittance{"N2", "T2", {{"c1ma-x", -79'000, -100'000, 0, "22"}, {"SOMETHING ELSE", 89'000, 120'000}}});
  const auto task = task_about("N2");
  BOOST_REQUIRE(bool(accept(task, proposal_of(task, {"CLMA-X"}))));
  BOOST_TEST(postings() == "CLMA-X 790.00 settled, -790.00 reversed");
}

BOOST_AUTO_TEST_CASE(a_canceled_advance_releases_the_payment_that_waited_for_it) {
  const auto terms = terms_of({"CLMA-X"});
  pays(dated("clma-x"));
  BOOST_TEST(in_suspense() == Money::cents(79'000));
  BOOST_REQUIRE(
      bool(cancel_settlement(context("cancel"), terms.text(), [](const usecases::SettlementView&) { return ""; })));
  BOOST_TEST(credited() == Money::cents(79'000));
  BOOST_TEST(tasks().empty());
}

BOOST_AUTO_TEST_CASE(a_posting_by_amount_is_reversed_for_a_remittance_with_another_form_of_the_number) {
  fund({"CLMA-X"});
  arrives(Cash{"D1", 80'000, ""});
  BOOST_TEST(reconciliation(settlements["CLMA-X"]).status == domain::FinalStatus::settled);
  arrives(Remittance{"N1", "T1", {{"c1ma-x", 80'000}}});
  BOOST_TEST(credited() == Money{});
  BOOST_TEST(proposals(task_about("N1")).size() == 1u);
}

BOOST_AUTO_TEST_CASE(only_similar_claims_of_a_long_remittance_wait) {
  constexpr int kClaims = 2'000;
  for (int i = 0; i < 20; ++i) fund({"CLM-" + std::to_string(1'000 + i) + "-X"});
  Remittance remittance{"N1", "T1", {}};
  for (int i = 0; i < kClaims; ++i)
    remittance.claims.push_back({"OTHER-" + std::to_string(i), 1'000, 5'000 + i, i % 7});
  remittance.claims[7].name = "c1m1003x";
  remittance.claims[kClaims - 1].name = "C1M 1007 X";
  arrives(Cash{"D1", 1'000LL * kClaims, "T1"});
  arrives(remittance);
  BOOST_TEST(in_suspense() == Money::cents(2'000));
  BOOST_TEST(credited() == Money::cents(1'000LL * kClaims - 2'000));
  const auto task = task_about("N1");
  BOOST_TEST(proposed(task).find("CLM-1003-X claim 7:") != std::string::npos, proposed(task));
  BOOST_TEST(proposals(task).size() == 2u);
}

BOOST_AUTO_TEST_SUITE_END()
