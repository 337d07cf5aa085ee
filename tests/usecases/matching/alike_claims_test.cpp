// Payments of advanced claims whose number came back in another form: their money waits for a reviewer, in either
// order, in every shape; and no advance is made on a claim that such a payment has answered already. The generator at
// the end distorts numbers as payers do; a failure prints its seed.
#include <random>

#include "core/domain/claims/claim_number.hpp"
#include "core/usecases/funding/pay_residual.hpp"
#include "tests/usecases/matching/proposal_world.hpp"

using namespace tideover;
using domain::Money;
using tests::Cash;
using tests::Notice;
using tests::PaidClaim;
using tests::ProposalWorld;

namespace {

struct AlikeWorld : ProposalWorld {
  using ProposalWorld::ProposalWorld;

  Money credited() { return -balance(domain::account::provider_payable(caller.tenant)); }
  Money in_suspense() { return -balance("suspense_unmatched"); }
  /// A payment of one claim, its money and its remittance.
  void pays(const PaidClaim& paid, const std::string& payer = "PAYER") {
    arrives(Cash{"D1", paid.paid, "T1", 0, payer});
    arrives(Notice{"N1", "T1", {paid}, 0, payer});
  }
  domain::Result<usecases::StoredResponse> approve(const domain::SettlementId& id) {
    for (const auto& task : tasks("manual_review"))
      if (task.object_id == id.text()) return decide(task.id.text(), "approve");
    return domain::Error::of(domain::ErrorCode::not_found, "no manual review is open");
  }
};

struct Form {
  const char* what;
  const char* advanced;
  PaidClaim paid;
};

PaidClaim undated(const char* number) {
  return {number, 79'000};
}
PaidClaim dated(const char* number) {
  return {number, 79'000, 100'000, 0};
}

const std::vector<Form> kForms{
    {"cut at 20", "CLINIC-7-VISIT-2026-000123", dated("CLINIC-7-VISIT-2026-")},
    {"cut at 17", "CLINIC-7-VISIT-2026-000123", undated("CLINIC-7-VISIT-20")},
    {"separators dropped, then cut", "CLINIC-7-VISIT-2026-000123", undated("clinic7visit20260001")},
    {"cut, of another charge and day",
     "3f2b8c1e-7d44-4a09-9c1f-0be5a2d71c33",
     {"3F2B8C1E-7D44-4A09-9", 50'000, 60'000, -9}},
    {"lower case", "CLMA-X", undated("clma-x")},
    {"no separators", "CLMB-X", dated("CLMBX")},
    {"a bare zero", "CLMC-X", dated("0")},
    {"a bare zero without a service date", "CLMC-X", undated("0")},
    {"leading zeros dropped", "00012005744", undated("12005744")},
    {"leading zeros added", "12005744", undated("00012005744")},
    {"a trailing blank", "CLMD-X", undated("CLMD-X ")},
    {"a blank inside", "CLMD-X", undated("CLM D-X")},
    {"a control byte that became ?", "CLMD-X", undated("CLM?D-X")},
    {"a character that became ?", "CLMD-X", dated("CL?D-X")},
    {"the letter O", "CLM-1005", undated("CLM-1OO5")},
    {"the letter l", "CLM-1005", undated("CLM-l005")},
    {"scientific notation", "212345678901", dated("2.12345E+11")},
    {"only charge and service date", "CLME-X", dated("SOMETHING ELSE")},
    {"another charge", "CLMF-X", {"clmf-x", 40'000, 50'000}},
    {"the payer pays as the second", "CLMG-X", {"clmg-x", 79'000, 100'000, std::nullopt, "2"}},
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(alike_claims, AlikeWorld)

BOOST_AUTO_TEST_CASE(money_waits_for_a_reviewer_whatever_became_of_the_number) {
  for (const auto& [what, advanced, paid] : kForms)
    for (const bool is_notice_first : {false, true}) {
      BOOST_TEST_CONTEXT(what << (is_notice_first ? ", remittance first" : ", deposit first")) {
        AlikeWorld world;
        world.fund({advanced});
        const Notice notice{"N1", "T1", {paid}};
        if (is_notice_first) world.arrives(notice);
        world.arrives(Cash{"D1", paid.paid, "T1"});
        if (!is_notice_first) world.arrives(notice);
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

BOOST_AUTO_TEST_CASE(what_has_another_charge_or_day_and_another_number_is_the_provider_s) {
  fund({"CLMA-X"});
  pays({"SOMETHING ELSE", 79'000, 90'000});
  BOOST_TEST(credited() == Money::cents(79'000));
  arrives(Cash{"D2", 79'000, "T2"});
  arrives(Notice{"N2", "T2", {{"0", 79'000, 100'000, 5}}});
  BOOST_TEST(credited() == Money::cents(158'000));
  arrives(Cash{"D3", 79'000, "T3", 0, "OTHER"});
  arrives(Notice{"N3", "T3", {{"clma-x", 79'000, 100'000, 0, "2"}}, 0, "OTHER"});  // a second payer's share
  BOOST_TEST(credited() == Money::cents(237'000));
  BOOST_TEST(tasks().empty());
}

BOOST_AUTO_TEST_CASE(a_known_claim_that_nobody_advanced_is_not_asked_about_for_its_charge_and_day) {
  fund({"CLMA-X"});
  review(draft("CLMB-Y"));
  pays({"CLMB-Y", 79'000, 100'000, 0});
  BOOST_TEST(credited() == Money::cents(79'000));
  BOOST_TEST(tasks().empty());
}

BOOST_AUTO_TEST_CASE(a_known_claim_for_the_same_visit_as_an_advance_is_asked_about) {
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

BOOST_AUTO_TEST_CASE(beside_its_own_payment_an_advance_is_not_taken_for_another_s) {
  fund({"CLMA-X"});
  arrives(Cash{"D1", 100'000, "T1"});
  arrives(Notice{"N1", "T1", {{"CLMA-X", 79'000, 100'000, 0}, {"SOMETHING ELSE", 21'000, 100'000, 0}}});
  BOOST_TEST(ends() == "D1 matched; CLMA-X settled by trace_number");
}

BOOST_AUTO_TEST_CASE(the_advance_that_fits_is_proposed_among_many_of_one_cut_number) {
  for (int i = 1; i <= 10; ++i) fund({"CLINIC-7-VISIT-2026-0000" + std::to_string(10 + i), 200'000 + i});
  fund({"CLINIC-7-VISIT-2026-000099"});
  pays(dated("CLINIC-7-VISIT-2026-"));
  const auto task = task_about("N1");
  BOOST_REQUIRE(bool(accept(task, proposal_of(task, {"CLINIC-7-VISIT-2026-000099"}))));
  BOOST_TEST(in_suspense() == Money{});
}

BOOST_AUTO_TEST_CASE(advances_of_the_days_between_two_service_days_hide_none) {
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

BOOST_AUTO_TEST_CASE(advances_of_another_payer_hide_none_of_the_payer_s_own) {
  for (int i = 1; i <= 10; ++i) fund({"CLINIC-7-VISIT-2026-0000" + std::to_string(10 + i), 100'000, "OTHER"});
  fund({"CLINIC-7-VISIT-2026-000099"});
  pays({"CLINIC-7-VISIT-2026-", 50'000, 60'000});
  BOOST_TEST(credited() == Money{});
  BOOST_TEST(proposals(task_about("N1")).size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_second_claim_under_the_number_of_an_advance_is_compared_with_the_others) {
  fund({"PAT-77"});
  fund({"CLMB-X", 60'000});
  arrives(Cash{"D1", 127'000, "T1"});
  arrives(Notice{"N1", "T1", {{"PAT-77", 79'000, 100'000, 0}, {"PAT-77", 48'000, 60'000, 0}}});
  BOOST_TEST(reconciliation(settlements["PAT-77"]).status == domain::FinalStatus::settled);
  BOOST_TEST(in_suspense() == Money::cents(48'000));
  const auto task = task_about("N1");
  BOOST_REQUIRE(bool(accept(task, proposal_of(task, {"CLMB-X"}))));
  BOOST_TEST(in_suspense() == Money{});
}

BOOST_AUTO_TEST_CASE(a_payment_in_question_keeps_its_money_beside_a_takeback) {
  fund({"CLMA-X"});
  fund({"CLMB-X"});
  arrives(Cash{"D1", 79'000, "T1"});
  arrives(Notice{"N1", "T1", {{"CLMB-X", 79'000}}});
  const auto before = credited();
  arrives(Cash{"D2", 50'000, "T2"});
  // The takeback contradicts itself, and the third claim is no advance's.
  arrives(Notice{"N2", "T2", {{"CLMAX", 79'000}, {"CLMB-X", -79'000, 100'000}, {"Z-1", 50'000}}});
  BOOST_TEST(credited() == before);
  BOOST_TEST(in_suspense() == Money::cents(50'000));
}

BOOST_AUTO_TEST_CASE(a_takeback_in_another_form_stops_the_payout_until_it_is_decided) {
  fund({"CLMB-X"});
  arrives(Cash{"D1", 79'000, "T1"});
  arrives(Notice{"N1", "T1", {{"CLMB-X", 79'000}}});
  usecases::PayResidual pay_residual{*store, *disburse, ids, true};
  const auto pay = [&] {
    return pay_residual(
        context("pay"), settlements["CLMB-X"].text(), [](const auto&) { return ""; }, [](const auto&) { return ""; });
  };
  arrives(Notice{"N2", "T2", {{"CLMBX", -79'000, -100'000, std::nullopt, "22"}}, 0, "PAYER", "", -79'000});
  BOOST_TEST(tests::refusal_of(pay()) == domain::ErrorCode::invalid_state);
  for (const auto& task : tasks("match_ambiguous")) BOOST_REQUIRE(bool(decide(task.id.text(), domain::kResolved)));
  BOOST_TEST(bool(pay()));
}

BOOST_AUTO_TEST_CASE(what_only_forwards_a_claim_leaves_its_number_to_the_payment_beside_it) {
  fund({"CLMA-X"});
  arrives(Cash{"D1", 79'000, "T1"});
  arrives(Notice{"N1", "T1", {{"CLMA-X", 0, 100'000, 0, "23"}, {"CLMA-X", 79'000, 100'000, 1}}});
  BOOST_TEST(credited() == Money{});
  BOOST_TEST(in_suspense() == Money::cents(79'000));
}

BOOST_AUTO_TEST_CASE(a_claim_that_was_paid_under_its_own_number_in_another_way_is_for_a_reviewer) {
  const auto decision_after = [](const std::vector<PaidClaim>& claims, const std::string& payer) {
    AlikeWorld world;
    std::int64_t paid = 0;
    for (const auto& claim : claims) paid += claim.paid;
    if (paid > 0) world.arrives(Cash{"D1", paid, "T1", 0, payer});
    world.arrives(Notice{"N1", "T1", claims, 0, payer});
    const auto terms = world.adjudicate(world.review(world.draft("CLMA-X")));
    world.teardown();
    return terms.decision;
  };
  using domain::Decision;
  BOOST_TEST((decision_after({{"CLMA-X", 79'000}}, "") == Decision::manual_review));  // the payer is unknown
  BOOST_TEST((decision_after({{"CLMA-X", 50'000, 60'000}, {"CLMA-X", 29'000, 40'000}}, "PAYER") ==
              Decision::manual_review));  // in parts
  // A denied claim is corrected and sent again, and a cut number alone says nothing of other visits.
  BOOST_TEST((decision_after({{"CLMA-X", 0, 90'000, std::nullopt, "4"}}, "PAYER") == Decision::approved));
}

BOOST_AUTO_TEST_CASE(a_claim_that_an_unknown_payer_denied_under_its_own_number_is_for_a_reviewer) {
  arrives(Notice{"N1", "T1", {{"CLMA-X", 0, 100'000, std::nullopt, "4"}}, 0, ""});
  const auto terms = adjudicate(review(draft("CLMA-X")));
  BOOST_TEST((terms.decision == domain::Decision::manual_review));
}

BOOST_AUTO_TEST_CASE(a_claim_without_any_date_is_compared_by_its_charge) {
  pays(undated("0"));
  auto claim = draft("CLMA-X");
  claim.date_of_service.reset();
  claim.date_of_submission.reset();
  BOOST_TEST((adjudicate(review(claim)).decision == domain::Decision::manual_review));
}

BOOST_AUTO_TEST_CASE(a_cut_number_of_another_charge_and_day_is_no_answer_to_a_claim) {
  pays({"CLINIC-7-VISIT-2026-", 50'000, 60'000, 5});
  const auto terms = adjudicate(review(draft("CLINIC-7-VISIT-2026-000123")));
  BOOST_TEST((terms.decision == domain::Decision::approved));
}

BOOST_AUTO_TEST_CASE(a_payment_of_its_number_that_does_not_fit_keeps_an_advance_from_its_confirmation) {
  const auto terms = terms_of({"CLMA-X"});
  pays({"CLMA-X", 79'000, 90'000, 0});
  BOOST_TEST(tests::refusal_of(try_confirm(terms)) == domain::ErrorCode::invalid_state);
}

BOOST_AUTO_TEST_CASE(all_that_are_alike_are_proposed_the_likest_first) {
  fund({"CLMA-X"});
  fund({"CLMB-X"});
  fund({"CLMC-X"});
  pays(dated("clmb-x"));
  const auto task = task_about("N1");
  const auto all = proposals(task);
  BOOST_REQUIRE(all.size() == 3u);
  BOOST_TEST(names[all.front().candidates.front()] == "CLMB-X");
  BOOST_TEST(all.front().score > all[1].score);
  BOOST_REQUIRE(bool(accept(task, proposal_of(task, {"CLMC-X"}))));
  BOOST_TEST(reconciliation(settlements["CLMC-X"]).status == domain::FinalStatus::settled);
}

BOOST_AUTO_TEST_CASE(a_tenant_without_a_bank_feed_is_asked_too) {
  AlikeWorld world(domain::PostOn::remittance);
  world.fund({"CLMA-X"});
  world.arrives(Notice{"N1", "T1", {undated("CLMAX")}});
  BOOST_TEST(world.credited() == Money{});
  BOOST_TEST(world.in_suspense() == Money::cents(79'000));
  BOOST_TEST(world.proposals(world.task_about("N1")).size() == 1u);
  world.teardown();
}

BOOST_AUTO_TEST_CASE(an_alias_of_the_payer_is_the_payer) {
  fund({"CLMA-X", 100'000, "ALIAS"});
  arrives(Cash{"D1", 79'000, "T1"});
  arrives(Notice{"N1", "T1", {undated("clma-x")}, 0, "ALIAS"});
  BOOST_TEST(credited() == Money{});
  BOOST_TEST(proposals(task_about("N1")).size() == 1u);
}

BOOST_AUTO_TEST_CASE(an_unknown_payer_may_be_the_one_who_owes) {
  for (const char* status : {"1", "2"}) {
    AlikeWorld world;
    world.know_payer();
    world.fund({"CLMA-X"});
    world.pays({"clma-x", 79'000, 100'000, 0, status}, "");
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

BOOST_AUTO_TEST_CASE(two_payments_of_one_claim_both_wait) {
  fund({"CLMA-X"});
  arrives(Cash{"D1", 40'000, "T1"});
  arrives(Notice{"N1", "T1", {{"clma-x", 40'000}}});
  arrives(Cash{"D2", 39'000, "T2"});
  arrives(Notice{"N2", "T2", {{"CLMAX", 39'000}}});
  BOOST_TEST(credited() == Money{});
  for (const char* notice : {"N1", "N2"}) {
    const auto task = task_about(notice);
    BOOST_REQUIRE(bool(accept(task, proposals(task).front().id)));
  }
  BOOST_TEST(reconciliation(settlements["CLMA-X"]).payer_payment == Money::cents(79'000));
  BOOST_TEST(in_suspense() == Money{});
}

BOOST_AUTO_TEST_CASE(a_payment_that_was_asked_about_waits_on_though_the_advance_is_paid_meanwhile) {
  fund({"CLMA-X"});
  pays(dated("0"));
  arrives(Cash{"D2", 79'000, "T2"});
  arrives(Notice{"N2", "T2", {dated("CLMA-X")}});
  BOOST_TEST(reconciliation(settlements["CLMA-X"]).status == domain::FinalStatus::settled);
  BOOST_TEST(in_suspense() == Money::cents(79'000));
  BOOST_REQUIRE(bool(decide(task_about("N1"), domain::kRelease)));
  BOOST_TEST(in_suspense() == Money{});
}

BOOST_AUTO_TEST_CASE(the_payer_s_own_number_of_an_earlier_remittance_leads_to_the_advance) {
  fund({"CLMA-X"});
  arrives(Cash{"D1", 79'000, "T1"});
  arrives(Notice{"N1", "T1", {{"CLMA-X", 79'000, 100'000, 0, "1", "ICN-77"}}});
  arrives(Cash{"D2", 1'000, "T2"});
  arrives(Notice{"N2", "T2", {{"UNKNOWN", 1'000, 30'000, 9, "1", "icn 77"}}});
  BOOST_TEST(in_suspense() == Money::cents(1'000));
  BOOST_TEST(proposals(task_about("N2")).size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_takeback_under_another_form_is_proposed_to_its_advance) {
  fund({"CLMA-X"});
  arrives(Cash{"D1", 79'000, "T1"});
  arrives(Notice{"N1", "T1", {dated("CLMA-X")}});
  arrives(Cash{"D2", 10'000, "T2"});
  arrives(Notice{"N2", "T2", {{"clma-x", -79'000, -100'000, 0, "22"}, {"SOMETHING ELSE", 89'000, 120'000}}});
  const auto task = task_about("N2");
  BOOST_REQUIRE(bool(accept(task, proposal_of(task, {"CLMA-X"}))));
  BOOST_TEST(postings() == "CLMA-X 790.00 settled, -790.00 reversed");
}

BOOST_AUTO_TEST_CASE(an_advance_that_ends_lets_go_of_what_waited_because_of_it) {
  const auto terms = terms_of({"CLMA-X"});
  pays(dated("clma-x"));
  BOOST_TEST(in_suspense() == Money::cents(79'000));
  BOOST_REQUIRE(
      bool(cancel_settlement(context("cancel"), terms.text(), [](const usecases::SettlementView&) { return ""; })));
  BOOST_TEST(credited() == Money::cents(79'000));
  BOOST_TEST(tasks().empty());
}

BOOST_AUTO_TEST_CASE(money_that_was_posted_by_its_amount_alone_comes_back_for_a_notice_in_another_form) {
  fund({"CLMA-X"});
  arrives(Cash{"D1", 80'000, ""});
  BOOST_TEST(reconciliation(settlements["CLMA-X"]).status == domain::FinalStatus::settled);
  arrives(Notice{"N1", "T1", {{"clma-x", 80'000}}});
  BOOST_TEST(credited() == Money{});
  BOOST_TEST(proposals(task_about("N1")).size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_claim_that_such_a_payment_has_answered_is_for_a_reviewer) {
  for (const auto& [what, advanced, paid] : kForms) {
    if (paid.charge != 100'000 || paid.status != "1") continue;
    BOOST_TEST_CONTEXT(what) {
      AlikeWorld world;
      world.pays(paid);
      BOOST_TEST(world.credited() == Money::cents(79'000));
      const auto terms = world.adjudicate(world.review(world.draft(advanced)));
      BOOST_TEST((terms.decision == domain::Decision::manual_review));
      BOOST_TEST(terms.decision_reasons.back() == "may_be_answered_by:" + world.notices["N1"].text());
      BOOST_TEST(tests::refusal_of(world.try_confirm(terms.id)) == domain::ErrorCode::manual_review_pending);
      BOOST_REQUIRE(bool(world.approve(terms.id)));
      BOOST_TEST(bool(world.try_confirm(terms.id)));
      world.teardown();
    }
  }
}

BOOST_AUTO_TEST_CASE(a_whole_number_in_another_form_answers_its_claim_with_any_charge_and_status) {
  for (const PaidClaim& paid :
       {PaidClaim{"clmf-x", 40'000, 50'000}, PaidClaim{"clmf-x", 79'000, 100'000, std::nullopt, "2"}}) {
    AlikeWorld world;
    world.pays(paid);
    const auto terms = world.adjudicate(world.review(world.draft("CLMF-X")));
    BOOST_TEST((terms.decision == domain::Decision::manual_review));
    world.teardown();
  }
}

BOOST_AUTO_TEST_CASE(other_answers_are_no_reason_for_a_review) {
  review(draft("CLMB-Y"));
  arrives(Cash{"D1", 79'000, "T1"});
  arrives(Notice{"N1", "T1", {dated("CLMB-Y")}});  // a known claim's own payment
  arrives(Cash{"D2", 79'000, "T2"});
  arrives(Notice{"N2", "T2", {{"0", 79'000, 90'000, 0}}});
  arrives(Cash{"D3", 79'000, "T3", 0, "OTHER"});
  arrives(Notice{"N3", "T3", {dated("clma-x")}, 0, "OTHER"});
  arrives(Cash{"D4", 79'000, "T4", -9});
  arrives(Notice{"N4", "T4", {undated("0")}, -9});  // paid before the service
  const auto terms = adjudicate(review(draft("CLMA-X")));
  BOOST_TEST((terms.decision == domain::Decision::approved));
  BOOST_TEST(bool(try_confirm(terms.id)));
}

BOOST_AUTO_TEST_CASE(a_payment_between_terms_and_confirm_is_looked_at_first) {
  const auto terms = terms_of({"CLMA-X"});
  pays(dated("CLMAX"));
  const auto refused = try_confirm(terms);
  BOOST_TEST(tests::refusal_of(refused) == domain::ErrorCode::invalid_state);
  BOOST_TEST(tests::detail_of(refused.error(), "remittance_id") == notices["N1"].text());
  BOOST_REQUIRE(bool(decide(task_about("N1"), domain::kRelease)));  // it is about another claim
  BOOST_TEST(bool(try_confirm(terms)));
}

BOOST_AUTO_TEST_CASE(of_a_long_remittance_only_what_is_alike_waits) {
  constexpr int kClaims = 2'000;
  for (int i = 0; i < 20; ++i) fund({"CLM-" + std::to_string(1'000 + i) + "-X"});
  Notice notice{"N1", "T1", {}};
  for (int i = 0; i < kClaims; ++i) notice.claims.push_back({"OTHER-" + std::to_string(i), 1'000, 5'000 + i, i % 7});
  notice.claims[7].name = "clm1003x";
  notice.claims[kClaims - 1].name = "CLM 1007 X";
  arrives(Cash{"D1", 1'000LL * kClaims, "T1"});
  arrives(notice);
  BOOST_TEST(in_suspense() == Money::cents(2'000));
  BOOST_TEST(credited() == Money::cents(1'000LL * kClaims - 2'000));
  const auto task = task_about("N1");
  BOOST_TEST(proposed(task).find("CLM-1003-X claim 7:") != std::string::npos, proposed(task));
  BOOST_TEST(proposals(task).size() == 2u);
}

// --- deposits
// -----------------------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(a_deposit_that_repeats_another_of_its_channel_is_held) {
  for (const char* trace : {"T1", ""}) {
    AlikeWorld world;
    world.fund({"CLMA-X"});
    world.arrives(Cash{"D1", 80'000, trace});
    world.arrives(Notice{"N1", trace, {{"CLMA-X", 80'000}}});
    world.arrives(Cash{"D2", 80'000, trace});
    BOOST_TEST(world.ends() == std::string("D1 matched; D2 suspected_duplicate; CLMA-X settled by ") +
                                   (*trace ? "trace_number" : "amount_and_date") + "; deposit_duplicate about D2");
    BOOST_TEST(world.in_suspense() == Money{});
    const auto task = world.task_about("D2");
    BOOST_REQUIRE(world.proposals(task).size() == 1u);
    BOOST_REQUIRE(bool(world.accept(task, world.proposals(task).front().id)));
    BOOST_TEST(world.tasks().empty());
    world.teardown();
  }
}

BOOST_AUTO_TEST_CASE(a_repeat_before_the_notice_does_not_keep_it_from_its_money) {
  fund({"CLMA-X"});
  for (int time = 0; time < 10; ++time) arrives(Cash{"D" + std::to_string(time), 79'000, time % 2 == 0 ? "T-1" : "t1"});
  arrives(Notice{"N1", "T-1", {{"CLMA-X", 79'000}}});
  BOOST_TEST(reconciliation(settlements["CLMA-X"]).status == domain::FinalStatus::settled);
  BOOST_TEST(tasks("deposit_duplicate").size() == 9u);
  BOOST_TEST(in_suspense() == Money{});
}

BOOST_AUTO_TEST_CASE(deposits_of_other_days_amounts_payers_or_numbers_are_no_repeats) {
  arrives(Cash{"D1", 79'000, "T1"});
  arrives(Cash{"D2", 79'000, "T1", -1});
  arrives(Cash{"D3", 79'001, "T1"});
  arrives(Cash{"D4", 79'000, "T1", 0, "OTHER"});
  arrives(Cash{"D5", 79'000, "T2"});
  arrives(Cash{"D6", 79'000, ""});
  BOOST_TEST(tasks("deposit_duplicate").empty());
}

BOOST_AUTO_TEST_CASE(a_trace_number_in_another_form_opens_a_task_at_once) {
  for (const auto& [on_money, on_notice] :
       {std::pair("777001", "000777001"), {"eft-900", "EFT-900"}, {"5", "EFT-5"}, {"EFT-5", "5"}, {"eft5", "EFT-5"}})
    for (const bool is_notice_first : {false, true}) {
      AlikeWorld world;
      world.fund({"CLMA-X"});
      const Notice notice{"N1", on_notice, {{"CLMA-X", 31'100}}};
      if (is_notice_first) world.arrives(notice);
      world.arrives(Cash{"D1", 31'100, on_money});
      if (!is_notice_first) world.arrives(notice);
      BOOST_TEST(world.ends() == "D1 unmatched; CLMA-X pending; deposit_unmatched about D1",
                 on_money << ' ' << on_notice);
      const auto task = world.task_about("D1");
      BOOST_REQUIRE(bool(world.accept(task, world.proposal_of(task, {"N1"}))));
      BOOST_TEST(world.ends() == "D1 matched; CLMA-X settled_short by person");
      world.teardown();
    }
}

BOOST_AUTO_TEST_CASE(money_of_a_notice_that_stood_for_it_is_known_under_another_form_of_its_number) {
  AlikeWorld world(domain::PostOn::remittance);
  world.fund({"CLMA-X"});
  world.arrives(Notice{"N1", "EFT-0005", {{"CLMA-X", 79'000}}});
  world.arrives(Cash{"D1", 79'000, "5"});
  BOOST_TEST(world.ends() == "D1 suspected_duplicate; CLMA-X settled by trace_number; deposit_duplicate about D1");
  world.teardown();
}

// --- by chance
// ------------------------------------------------------------------------------------------------------------------

namespace {

/// Makes of a claim's number what payers, clearinghouses and spreadsheets make of it.
class Distortion {
 public:
  explicit Distortion(std::mt19937_64& dice) : dice_(dice) {}

  std::string of(std::string number) {
    for (auto steps = 1 + dice_() % 3; steps > 0; --steps) number = once(std::move(number));
    return number.empty() ? "0" : number;
  }

 private:
  std::string once(std::string number) {
    const auto at = number.empty() ? 0 : dice_() % number.size();
    switch (dice_() % 10) {
      case 0:
        std::transform(number.begin(), number.end(), number.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        break;
      case 1:
        std::transform(number.begin(), number.end(), number.begin(),
                       [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
        break;
      case 2:
        std::erase_if(number, [](char c) { return c == '-' || c == '/' || c == ' '; });
        break;
      case 3:
        number.erase(0, number.find_first_not_of('0'));
        break;
      case 4:
        number.insert(0, "00");
        break;
      case 5:
        number += ' ';
        break;
      case 6:
        number.insert(at, "?");
        break;
      case 7:
        std::replace(number.begin(), number.end(), '0', 'O');
        break;
      case 8:
        number.resize(std::min<std::size_t>(number.size(), dice_() % 2 == 0 ? 17 : 20));
        break;
      default:
        number = "0";
        break;
    }
    return number;
  }

  std::mt19937_64& dice_;
};

std::string a_number(std::mt19937_64& dice, int i) {
  const auto tail = std::to_string(1000 + i);
  switch (dice() % 5) {
    case 0:
      return "CLINIC-7-VISIT-2026-00" + tail;
    case 1:
      return "000120" + tail;
    case 2:
      return "CLM/" + tail + "-X";
    case 3:
      return "3f2b8c1e-7d44-4a09-" + tail + "-0be5a2d71c33";
    default:
      return "Po-" + tail + "-0";
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_provider_is_never_credited_without_a_reviewer) {
  const char* given = std::getenv("TIDEOVER_SEED");
  const std::uint64_t first = given ? std::strtoull(given, nullptr, 10) : 1, last = given ? first : 60;
  int accepted = 0, released = 0;
  for (auto seed = first; seed <= last; ++seed) {
    std::mt19937_64 dice(seed);
    AlikeWorld world(dice() % 4 == 0 ? domain::PostOn::remittance : domain::PostOn::deposit);
    std::vector<std::pair<std::string, Notice>> payments;
    for (int i = 0; i < 3; ++i) {
      const std::int64_t billed = 100'000 + 1'000 * static_cast<std::int64_t>(dice() % 2);
      const auto number = a_number(dice, i);
      world.fund({number, billed});
      std::string distorted;
      do distorted = Distortion(dice).of(number);
      while (distorted == number);
      PaidClaim paid{distorted, billed / 5 * 4 - 100 * i, billed};
      if (dice() % 2 == 0) paid.service_day = 0;
      payments.emplace_back(
          number,
          Notice{"N" + std::to_string(i), "T" + std::to_string(i), {paid}, 0, dice() % 4 == 0 ? "ALIAS" : "PAYER"});
    }
    std::shuffle(payments.begin(), payments.end(), dice);
    BOOST_TEST_CONTEXT("TIDEOVER_SEED=" << seed) {
      Money residuals;
      for (auto& [number, notice] : payments) {
        BOOST_TEST_MESSAGE(number << " as '" << notice.claims.front().name << "'");
        const auto before = world.credited();
        const Cash money{"D" + notice.name, notice.claims.front().paid, notice.trace};
        const bool is_notice_first = dice() % 2 == 0;
        if (is_notice_first) world.arrives(notice);
        if (world.tasks().empty()) world.arrives(money);  // else the remittance stood for its money
        if (!is_notice_first) world.arrives(notice);
        BOOST_TEST(world.credited() == before, number << " as '" << notice.claims.front().name << "'");
        BOOST_TEST(world.in_suspense() == Money::cents(notice.claims.front().paid));
        const auto task = world.task_about(notice.name);
        const bool accepts = dice() % 3 != 0;
        const auto proposal = world.proposal_of(task, {number});
        BOOST_REQUIRE(bool(accepts ? world.accept(task, proposal) : world.decide(task, domain::kRelease)));
        ++(accepts ? accepted : released);
        BOOST_TEST(world.in_suspense() == Money{});
        if (dice() % 3 == 0) {
          BOOST_REQUIRE(bool(world.undo(task)));
          BOOST_TEST(world.credited() == before);
          BOOST_REQUIRE(bool(world.accept(world.task_about(notice.name), proposal)));
        }
      }
      world.teardown();
    }
  }
  if (!given) BOOST_TEST((accepted > 60 && released > 30), accepted << " accepted, " << released << " released");
}

BOOST_AUTO_TEST_SUITE_END()
