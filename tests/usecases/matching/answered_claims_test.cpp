// A claim that a payment under another form of its number may have answered: it gets no advance without a review.
#include <string>
#include <vector>

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

BOOST_AUTO_TEST_CASE(a_claim_already_paid_differently_under_its_number_needs_review) {
  const auto decision_after = [](const std::vector<PaidClaim>& claims, const std::string& payer) {
    AlikeWorld world;
    std::int64_t paid = 0;
    for (const auto& claim : claims) paid += claim.paid;
    if (paid > 0) world.arrives(Cash{"D1", paid, "T1", 0, payer});
    world.arrives(Remittance{"N1", "T1", claims, 0, payer});
    const auto terms = world.adjudicate(world.review(world.draft("CLMA-X")));
    world.teardown();
    return terms.decision;
  };
  using domain::Decision;
  BOOST_TEST((decision_after({{"CLMA-X", 79'000}}, "") == Decision::manual_review));  // the payer is unknown
  BOOST_TEST((decision_after({{"CLMA-X", 50'000, 60'000}, {"CLMA-X", 29'000, 40'000}}, "PAYER") ==
              Decision::manual_review));  // in parts
  // A denied claim may be corrected and submitted again.
  BOOST_TEST((decision_after({{"CLMA-X", 0, 90'000, std::nullopt, "4"}}, "PAYER") == Decision::approved));
}

BOOST_AUTO_TEST_CASE(a_claim_denied_by_an_unknown_payer_needs_review) {
  arrives(Remittance{"N1", "T1", {{"CLMA-X", 0, 100'000, std::nullopt, "4"}}, 0, ""});
  const auto terms = adjudicate(review(draft("CLMA-X")));
  BOOST_TEST((terms.decision == domain::Decision::manual_review));
}

BOOST_AUTO_TEST_CASE(a_claim_without_dates_is_compared_by_its_charge) {
  pays(undated("0"));
  auto claim = draft("CLMA-X");
  claim.date_of_service.reset();
  claim.date_of_submission.reset();
  BOOST_TEST((adjudicate(review(claim)).decision == domain::Decision::manual_review));
}

BOOST_AUTO_TEST_CASE(an_institutional_claim_is_answered_on_any_day_of_its_statement) {
  for (const int days_after : {0, 1}) {
    AlikeWorld world;
    world.pays(dated("0"));
    auto claim = world.draft("CLMA-X");
    auto& stay = claim.details.institutional.emplace();
    stay.statement_through = claim.date_of_service->plus(-days_after);
    claim.date_of_service = claim.date_of_service->plus(-4);
    stay.statement_from = claim.date_of_service;
    const auto expected = days_after == 0 ? domain::Decision::manual_review : domain::Decision::approved;
    BOOST_TEST((world.adjudicate(world.review(claim)).decision == expected), days_after);
    world.teardown();
  }
}

BOOST_AUTO_TEST_CASE(a_truncated_number_with_another_charge_and_day_does_not_answer_a_claim) {
  pays({"CLINIC-7-VISIT-2026-", 50'000, 60'000, 5});
  const auto terms = adjudicate(review(draft("CLINIC-7-VISIT-2026-000123")));
  BOOST_TEST((terms.decision == domain::Decision::approved));
}

BOOST_AUTO_TEST_CASE(a_mismatched_payment_under_its_number_blocks_the_confirmation) {
  const auto terms = terms_of({"CLMA-X"});
  pays({"CLMA-X", 79'000, 90'000, 0});
  BOOST_TEST(tests::refusal_of(try_confirm(terms)) == domain::ErrorCode::invalid_state);
}

BOOST_AUTO_TEST_CASE(a_claim_answered_under_another_form_of_its_number_needs_review) {
  for (const auto& [what, advanced, paid, is_certain] : kForms) {
    if (paid.charge != 100'000 || paid.status != "1") continue;
    BOOST_TEST_CONTEXT(what) {
      AlikeWorld world;
      world.pays(paid);
      BOOST_TEST(world.credited() == Money::cents(79'000));
      const auto terms = world.adjudicate(world.review(world.draft(advanced)));
      BOOST_TEST((terms.decision == domain::Decision::manual_review));
      BOOST_TEST(terms.decision_reasons.back() == "may_be_answered_by:" + world.remittances["N1"].text());
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

BOOST_AUTO_TEST_CASE(unrelated_payments_cause_no_review) {
  review(draft("CLMB-Y"));
  arrives(Cash{"D1", 79'000, "T1"});
  arrives(Remittance{"N1", "T1", {dated("CLMB-Y")}});  // a known claim's own payment
  arrives(Cash{"D2", 79'000, "T2"});
  arrives(Remittance{"N2", "T2", {{"0", 79'000, 90'000, 0}}});
  arrives(Cash{"D3", 79'000, "T3", 0, "OTHER"});
  arrives(Remittance{"N3", "T3", {dated("clma-x")}, 0, "OTHER"});
  arrives(Cash{"D4", 79'000, "T4", -9});
  arrives(Remittance{"N4", "T4", {undated("0")}, -9});  // paid before the service
  const auto terms = adjudicate(review(draft("CLMA-X")));
  BOOST_TEST((terms.decision == domain::Decision::approved));
  BOOST_TEST(bool(try_confirm(terms.id)));
}

BOOST_AUTO_TEST_CASE(a_payment_between_terms_and_confirm_blocks_the_confirmation) {
  const auto terms = terms_of({"CLMA-X"});
  pays(dated("C1MAX"));
  const auto refused = try_confirm(terms);
  BOOST_TEST(tests::refusal_of(refused) == domain::ErrorCode::invalid_state);
  BOOST_TEST(tests::detail_of(refused.error(), "remittance_id") == remittances["N1"].text());
  BOOST_REQUIRE(bool(decide(task_about("N1"), domain::kRelease)));  // the payment is for another claim
  BOOST_TEST(bool(try_confirm(terms)));
}

BOOST_AUTO_TEST_SUITE_END()
