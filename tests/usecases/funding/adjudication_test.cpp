// Terms for a reviewed claim: proposals of rules, limits of the service, and valid authorizations.
#include <algorithm>

#include "tests/usecases/world.hpp"

using namespace tideover;
using domain::Decision;
using domain::ErrorCode;
using domain::SettlementStatus;
using tests::detail_of;
using tests::refusal_of;
using tests::World;

BOOST_FIXTURE_TEST_SUITE(create_adjudication, World)

BOOST_AUTO_TEST_CASE(approved_terms_wait_for_their_confirmation) {
  const auto reviewed = review(draft("CLM-1"));
  const auto terms = adjudicate(reviewed);
  BOOST_TEST(terms.decision == Decision::approved);
  BOOST_TEST(terms.status == SettlementStatus::pending_confirmation);
  BOOST_TEST(terms.terms.advance_amount == domain::Money::cents(64'000));
  BOOST_TEST(terms.terms.fee_estimate == domain::Money::cents(1'280));
  BOOST_TEST(terms.expected_reimbursement == reviewed.forecast.expected);
  BOOST_TEST(terms.expected_payment_date == reviewed.forecast.payment_date);
  BOOST_TEST(terms.expires_at == clock.now().plus_days(7));
  BOOST_TEST(terms.payout_account_token.reveal() == "tok_ok");
  BOOST_TEST(events("adjudication.created") == 1);
  BOOST_TEST(tasks().empty());
}

BOOST_AUTO_TEST_CASE(a_declined_settlement_is_final_and_frees_the_claim) {
  rules.proposal = {Decision::declined, 0, 0, {"high_denial_risk"}};
  const auto reviewed = review(draft("CLM-1"));
  const auto declined = adjudicate(reviewed);
  BOOST_TEST(declined.status == SettlementStatus::declined);
  BOOST_TEST(declined.decision_reasons.front() == "high_denial_risk");
  rules.proposal = {Decision::approved, 8000, 200, {}};
  BOOST_TEST(adjudicate(reviewed).decision == Decision::approved);
}

BOOST_AUTO_TEST_CASE(manual_review_opens_a_task) {
  rules.proposal.decision = Decision::manual_review;
  const auto terms = adjudicate(review(draft("CLM-1")));
  BOOST_TEST(terms.status == SettlementStatus::pending_confirmation);
  BOOST_REQUIRE(tasks("manual_review").size() == 1u);
  BOOST_TEST(tasks("manual_review").front().object_id == terms.id.text());
  BOOST_TEST(events("adjudication.review_required") == 1);
}

BOOST_AUTO_TEST_CASE(a_failing_terms_rule_leads_to_manual_review) {
  rules.terms_faults = {{"terms.default", "returned a float"}};
  BOOST_TEST(adjudicate(review(draft("CLM-1"))).decision == Decision::manual_review);
}

BOOST_AUTO_TEST_CASE(an_excessive_proposal_of_a_rule_is_capped) {
  rules.proposal.advance_bps = 9999;
  const auto terms = adjudicate(review(draft("CLM-1")));
  BOOST_TEST(terms.terms.advance_bps == 9000);
  BOOST_TEST(terms.terms.advance_amount == domain::Money::cents(72'000));
}

BOOST_AUTO_TEST_CASE(an_unknown_authorization_is_refused) {
  for (const auto& authorization :
       {std::string("nonsense"), std::string(), domain::AuthorizationId::of({9, 9}).text()}) {
    const auto refused = try_adjudicate(authorization);
    BOOST_TEST(refusal_of(refused) == ErrorCode::validation_error);
    BOOST_TEST(refused.error().fields.front().path == "authorization_id");
  }
  const auto ours = review(draft("CLM-1"));
  const auto tenant = caller.tenant;
  caller.tenant = domain::TenantId::of({9, 9});
  BOOST_TEST(refusal_of(try_adjudicate(ours.authorization_id.text())) == ErrorCode::validation_error);
  caller.tenant = tenant;
}

BOOST_AUTO_TEST_CASE(an_advance_always_has_an_account_to_be_paid_to) {
  const auto paid_to = [&](const char* claim, const char* token) -> std::string {
    const auto made = (*create_adjudication)(
        context("adjudicate"),
        {review(draft(claim)).authorization_id.text(), "RTP", std::nullopt, domain::Sensitive<std::string>(token)},
        [](const usecases::SettlementView& terms) { return terms.settlement.id.text(); });
    if (made) return settlement(*domain::SettlementId::parse(made->body)).payout_account_token.reveal();
    BOOST_TEST(made.error().code == ErrorCode::validation_error);
    BOOST_TEST(made.error().fields.front().path == "payout_account_token");
    return "refused";
  };
  BOOST_TEST(paid_to("CLM-1", "") == "tok_ok");
  caller.environment = domain::Environment::production;
  BOOST_TEST(paid_to("CLM-2", "") == "refused");
  BOOST_TEST(paid_to("CLM-3", "tok_own") == "tok_own");
  BOOST_REQUIRE(bool(sql->commit([&](ports::Records& records) -> domain::Status {
    records.clients().set_payout_account(caller.tenant, domain::Sensitive<std::string>("tok_default"));
    return {};
  })));
  BOOST_TEST(paid_to("CLM-4", "") == "tok_default");
  BOOST_TEST(paid_to("CLM-5", "tok_own") == "tok_own");
  caller.environment = domain::Environment::sandbox;
  BOOST_TEST(paid_to("CLM-6", "") == "tok_default");
}

BOOST_AUTO_TEST_CASE(an_authorization_is_used_once) {
  const auto reviewed = review(draft("CLM-1"));
  const auto terms = adjudicate(reviewed);
  const auto refused = try_adjudicate(reviewed.authorization_id.text());
  BOOST_TEST(refusal_of(refused) == ErrorCode::authorization_already_used);
  BOOST_TEST(detail_of(refused.error(), "settlement_id") == terms.id.text());
  BOOST_REQUIRE(bool(try_confirm(terms.id)));
  BOOST_TEST(refusal_of(try_adjudicate(reviewed.authorization_id.text())) == ErrorCode::authorization_already_used);
}

BOOST_AUTO_TEST_CASE(an_authorization_of_a_superseded_review_is_refused) {
  const auto first = review(draft("CLM-1"));
  const auto second = review(draft("CLM-1"));
  BOOST_TEST(refusal_of(try_adjudicate(first.authorization_id.text())) == ErrorCode::authorization_expired);
  BOOST_TEST(adjudicate(second).decision == Decision::approved);
}

BOOST_AUTO_TEST_CASE(an_authorization_ends_after_seven_days) {
  const auto reviewed = review(draft("CLM-1"));
  clock.advance_days(7);
  const auto refused = try_adjudicate(reviewed.authorization_id.text());
  BOOST_TEST(refusal_of(refused) == ErrorCode::authorization_expired);
  BOOST_TEST(detail_of(refused.error(), "expires_at") == format_timestamp(reviewed.expires_at));
}

BOOST_AUTO_TEST_CASE(expired_terms_free_the_claim) {
  const auto first = adjudicate(review(draft("CLM-1")));
  clock.advance_days(5);
  const auto second = review(draft("CLM-2"));
  (void)second;
  clock.advance_days(2);
  const auto again = adjudicate(review(draft("CLM-1")));
  BOOST_TEST(settlement(first.id).status == SettlementStatus::canceled);
  BOOST_REQUIRE(bool(try_confirm(again.id)));
}

BOOST_AUTO_TEST_CASE(rejected_terms_without_a_retry_expire) {
  const auto reviewed = review(draft("CLM-1"));
  const auto refused = adjudicate(reviewed);
  same_day.script = {{fakes::FakeRail::Answer::reject, "R03"}};
  BOOST_TEST(refusal_of(try_confirm(refused.id)) == ErrorCode::rail_rejected);
  BOOST_TEST(has_lapsed(settlement(refused.id), refused.expires_at));
}

BOOST_AUTO_TEST_CASE(an_expired_settlement_is_canceled_by_its_successor) {
  // Terms expire with their authorization, so a younger authorization can only come from a review that did not
  // supersede them.
  usecases::CreateAdjudication short_lived(*store, payers, rules, rails, ids, digests, {}, 1);
  const auto reviewed = review(draft("CLM-1"));
  const auto first =
      short_lived(context("adjudicate"), {reviewed.authorization_id.text(), "SAME_DAY", std::nullopt, {}},
                  [](const usecases::SettlementView& made) { return made.settlement.id.text(); });
  BOOST_REQUIRE(bool(first));
  BOOST_TEST(refusal_of(try_adjudicate(reviewed.authorization_id.text())) == ErrorCode::authorization_already_used);
  clock.advance_days(1);
  const auto second = adjudicate(reviewed);
  const auto lapsed = settlement(*domain::SettlementId::parse(first->body));
  BOOST_TEST(lapsed.status == SettlementStatus::canceled);
  BOOST_TEST(lapsed.cancel_reason == "expired");
  BOOST_TEST(second.status == SettlementStatus::pending_confirmation);
}

BOOST_AUTO_TEST_CASE(an_advance_beyond_the_rail_s_limit_is_refused) {
  same_day.description.max_amount = domain::Money::cents(63'999);
  const auto reviewed = review(draft("CLM-1"));
  const auto refused = try_adjudicate(reviewed.authorization_id.text());
  BOOST_TEST(refusal_of(refused) == ErrorCode::rail_limit_exceeded);
  BOOST_TEST(detail_of(refused.error(), "max_amount") == "639.99");
  same_day.description.max_amount = domain::Money::cents(64'000);
  BOOST_TEST(adjudicate(reviewed).decision == Decision::approved);
}

BOOST_AUTO_TEST_CASE(an_unknown_rail_names_the_known_ones) {
  const auto refused = try_adjudicate(review(draft("CLM-1")).authorization_id.text(), "PIGEON");
  BOOST_TEST(refusal_of(refused) == ErrorCode::validation_error);
  BOOST_TEST(refused.error().fields.front().path == "funding.rail");
  BOOST_TEST(refused.error().lists.front().second == (std::vector<std::string>{"SAME_DAY", "RTP"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_fault_of_the_request_is_reported_before_the_state_of_the_claim) {
  const auto reviewed = review(draft("CLM-1"));
  const auto used = reviewed.authorization_id.text();
  adjudicate(reviewed);
  BOOST_TEST(refusal_of(try_adjudicate(used)) == ErrorCode::authorization_already_used);
  const auto unknown_rail = try_adjudicate(used, "PIGEON");
  BOOST_TEST(refusal_of(unknown_rail) == ErrorCode::validation_error);
  BOOST_TEST(unknown_rail.error().fields.front().path == "funding.rail");
  const auto unknown_fallback = (*create_adjudication)(
      context("adjudicate"),
      {used, "SAME_DAY", std::nullopt, domain::Sensitive<std::string>("tok_ok"), {"RTP", "PIGEON"}},
      [](const usecases::SettlementView& view) { return view.settlement.id.text(); });
  BOOST_TEST(refusal_of(unknown_fallback) == ErrorCode::validation_error);
  BOOST_TEST(unknown_fallback.error().fields.front().path == "funding.fallback");
  same_day.plan_refusal = domain::Error::of(ErrorCode::invalid_desired_date, "Not on that day.");
  BOOST_TEST(refusal_of(try_adjudicate(used, "SAME_DAY")) == ErrorCode::invalid_desired_date);
}

BOOST_AUTO_TEST_CASE(a_check_names_every_unknown_name_and_the_known_rails_once) {
  usecases::AdjudicationRequest request;
  request.authorization_id = "auth_none";
  request.rail = "PIGEON";
  request.fallback = {"RTP", "RTP"};
  const auto refused = create_adjudication->check(request);
  BOOST_TEST(refusal_of(refused) == ErrorCode::validation_error);
  std::vector<std::string> paths;
  for (const auto& fault : refused.error().fields) paths.push_back(fault.path);
  BOOST_TEST(paths == (std::vector<std::string>{"funding.rail", "funding.fallback", "authorization_id"}),
             boost::test_tools::per_element());
  BOOST_TEST(refused.error().lists.size() == 1);
}

BOOST_AUTO_TEST_CASE(a_date_refused_by_the_rail_is_refused) {
  same_day.plan_refusal =
      domain::Error::of(ErrorCode::invalid_desired_date, "Not on that day.").with("next_effective_date", "2026-11-23");
  const auto refused = try_adjudicate(review(draft("CLM-1")).authorization_id.text());
  BOOST_TEST(refusal_of(refused) == ErrorCode::invalid_desired_date);
  BOOST_TEST(detail_of(refused.error(), "next_effective_date") == "2026-11-23");
}

BOOST_AUTO_TEST_CASE(sandbox_payers_force_the_decision) {
  for (const auto& [payer, decision] :
       {std::pair("TEST-APPROVE", Decision::approved), std::pair("TEST-DECLINE", Decision::declined),
        std::pair("TEST-REVIEW", Decision::manual_review)})
    for (const auto proposed : {Decision::approved, Decision::declined, Decision::manual_review}) {
      rules.proposal.decision = proposed;
      auto claim = draft(std::string(payer) + std::string(name_of(proposed)));
      claim.payer_id = payer;
      BOOST_TEST(adjudicate(review(claim)).decision == decision);
    }
  caller.environment = domain::Environment::production;
  rules.proposal.decision = Decision::approved;
  auto claim = draft("CLM-P");
  claim.payer_id = "TEST-DECLINE";
  BOOST_TEST(adjudicate(review(claim)).decision == Decision::approved);
}

BOOST_AUTO_TEST_CASE(answer_and_audit_row_are_kept_with_the_terms) {
  const auto reviewed = review(draft("CLM-1"));
  const auto answer = try_adjudicate(reviewed.authorization_id.text(), "SAME_DAY", "k1");
  BOOST_REQUIRE(bool(answer));
  BOOST_TEST(answer_under("adjudicate", "k1")->body == answer->body);
  BOOST_TEST(audit_rows() == 2);
}

BOOST_AUTO_TEST_CASE(the_policy_sees_if_the_payer_supports_advances) {
  auto claim = draft("CLM-1");
  claim.payer_id = "UNKNOWN-PAYER";
  adjudicate(review(claim));
  BOOST_TEST(rules.payer_supports_advance_seen);
  domain::Payer capitated;
  capitated.payer_id = "CAPITATED";
  capitated.supports_advance = false;
  payers.payers.push_back(capitated);
  claim = draft("CLM-2");
  claim.payer_id = "capitated";
  adjudicate(review(claim));
  BOOST_TEST(!rules.payer_supports_advance_seen);
}

BOOST_AUTO_TEST_SUITE_END()
