// Reviews of claims: decisions, stored rows, and the effect of a second review on the first.
#include <algorithm>

#include "tests/usecases/world.hpp"

using namespace tideover;
using domain::ErrorCode;
using domain::Finding;
using domain::SettlementStatus;
using tests::refusal_of;
using tests::World;

namespace {

Finding finding(const std::string& code, int probability_bps, Finding::Effect effect = Finding::Effect::reason) {
  Finding found;
  found.effect = effect;
  found.rule_id = "rule." + code;
  found.code = code;
  found.field = "servicer_npi";
  found.description = "Something is wrong.";
  found.probability_bps = probability_bps;
  return found;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(review_claim, World)

BOOST_AUTO_TEST_CASE(a_first_review_stores_the_claim) {
  const auto first = review(draft("CLM-1"));
  BOOST_TEST(first.forecast.expected == domain::Money::cents(80'000));
  BOOST_TEST(first.denial_reasons.empty());
  BOOST_TEST(first.expires_at == clock.now().plus_days(7));
  BOOST_TEST(first.rules.version == "fake-1");
  BOOST_TEST(first.payer_known);
  const auto status = claim_status("CLM-1");
  BOOST_TEST(status.status == domain::ClaimStatus::reviewed);
  BOOST_TEST(status.claim == first.claim_id);
  BOOST_TEST(events("review.completed") == 1);
}

BOOST_AUTO_TEST_CASE(answer_audit_row_and_event_are_written_together_with_the_review) {
  const auto answer = try_review(draft("CLM-1"), "k1");
  BOOST_REQUIRE(answer);
  const auto kept = answer_under("review", "k1");
  BOOST_REQUIRE(kept.has_value());
  BOOST_TEST(kept->body == answer->body);
  BOOST_TEST(kept->outcome == "ok");
  BOOST_TEST(kept->fingerprint == std::string(64, 'f'));
  BOOST_TEST(kept->expires_at == clock.now().plus_days(30));
  BOOST_TEST(audit_rows() == 1);
  // The key is in use: nothing of the second review is written.
  BOOST_TEST(refusal_of(try_review(draft("CLM-2"), "k1")) == ErrorCode::conflict);
  BOOST_TEST(audit_rows() == 1);
  BOOST_TEST(events("review.completed") == 1);
  BOOST_TEST(refusal_of(usecases::GetClaim(*sql).status(caller.tenant, "CLM-2")) == ErrorCode::claim_not_found);
}

BOOST_AUTO_TEST_CASE(of_two_concurrent_first_reviews_the_later_conflicts_and_is_prepared_again) {
  const auto first = review_claim->prepare(caller, clock.now(), draft("CLM-1"));
  const auto second = review_claim->prepare(caller, clock.now(), draft("CLM-1"));
  BOOST_REQUIRE(first);
  BOOST_REQUIRE(second);
  const auto write = [&](const usecases::PreparedReview& prepared) {
    return sql->commit([&](ports::Records& records) -> domain::Status {
      const auto written = review_claim->write(records, caller, prepared);
      return written ? domain::Status() : written.error();
    });
  };
  BOOST_TEST(bool(write(*first)));
  BOOST_TEST(refusal_of(write(*second)) == ErrorCode::conflict);
  BOOST_TEST(events("review.completed") == 1);

  const auto prepared_again = review_claim->prepare(caller, clock.now(), draft("CLM-1"));
  BOOST_REQUIRE(prepared_again);
  BOOST_TEST(bool(write(*prepared_again)));
  BOOST_TEST(events("review.completed") == 2);
  BOOST_TEST(claim_status("CLM-1").claim == first->fresh.claim.id);
}

BOOST_AUTO_TEST_CASE(a_second_review_supersedes_the_first_and_its_unconfirmed_terms) {
  rules.proposal.decision = domain::Decision::manual_review;
  const auto first = review(draft("CLM-1"));
  const auto terms = adjudicate(first);
  rules.proposal.decision = domain::Decision::approved;
  BOOST_TEST(tasks("manual_review").size() == 1u);
  clock.advance_s(60);
  const auto second = review(draft("CLM-1", 120'000));
  BOOST_TEST(second.claim_id == first.claim_id);
  BOOST_TEST(second.id != first.id);
  const auto canceled = settlement(terms.id);
  BOOST_TEST(canceled.status == SettlementStatus::canceled);
  BOOST_TEST(canceled.cancel_reason == "superseded");
  BOOST_TEST(events("settlement.canceled") == 1);
  BOOST_TEST(tasks("manual_review").empty());  // canceled terms need no decision
  BOOST_TEST(refusal_of(try_confirm(terms.id)) == ErrorCode::invalid_state);
  BOOST_TEST(refusal_of(try_adjudicate(first.authorization_id.text())) == ErrorCode::authorization_expired);
  BOOST_TEST(adjudicate(second).terms.advance_amount == domain::Money::cents(76'800));
  const auto rollup = usecases::GetClaim(*sql).rollup(caller.tenant, "CLM-1");
  BOOST_TEST(rollup->review->id == second.id);
  BOOST_TEST(rollup->adjudication->settlement.review_id == second.id);
}

BOOST_AUTO_TEST_CASE(a_second_review_supersedes_terms_refused_by_the_rail) {
  const auto terms = adjudicate(review(draft("CLM-1")));
  same_day.script = {{fakes::FakeRail::Answer::reject, "R03"}};
  BOOST_TEST(refusal_of(try_confirm(terms.id)) == ErrorCode::rail_rejected);
  const auto second = review(draft("CLM-1"));
  BOOST_TEST(settlement(terms.id).status == SettlementStatus::canceled);
  BOOST_TEST(settlement(adjudicate(second).id).status == SettlementStatus::pending_confirmation);
}

BOOST_AUTO_TEST_CASE(a_second_review_does_not_change_payments_in_progress) {
  const auto paid = funded("CLM-1");
  const auto unclear = adjudicate(review(draft("CLM-2")));
  same_day.script = {{fakes::FakeRail::Answer::time_out_accepted}};
  BOOST_TEST(refusal_of(try_confirm(unclear.id)) == ErrorCode::rail_outcome_unknown);
  for (const auto* name : {"CLM-1", "CLM-2"})
    BOOST_TEST(refusal_of(try_adjudicate(review(draft(name)).authorization_id.text())) ==
               ErrorCode::claim_already_advanced);
  BOOST_TEST(settlement(paid.id).status == SettlementStatus::funded);
  resolve();
  BOOST_TEST(settlement(unclear.id).status == SettlementStatus::funded);
}

BOOST_AUTO_TEST_CASE(claims_for_the_same_service_are_counted) {
  auto claim = draft("CLM-1");
  review(claim);
  BOOST_TEST(rules.duplicates_seen == 0);
  review(claim);
  BOOST_TEST(rules.duplicates_seen == 0);  // itself is no duplicate
  claim.claim_identifier = "CLM-2";
  claim.payer_id = "alias";
  review(claim);
  BOOST_TEST(rules.duplicates_seen == 1);
  claim.claim_identifier = "CLM-3";
  review(claim);
  BOOST_TEST(rules.duplicates_seen == 2);
  claim.claim_identifier = "CLM-4";
  claim.submitted_amount += domain::Money::cents(1);
  review(claim);
  BOOST_TEST(rules.duplicates_seen == 0);
}

BOOST_AUTO_TEST_CASE(the_order_of_lines_does_not_matter_for_duplicates) {
  auto claim = draft("CLM-1");
  claim.service_lines = {{"99213", "25", 1000, {}}, {"J1885", "", 2000, domain::Money::cents(500)}};
  review(claim);
  claim.claim_identifier = "CLM-2";
  std::swap(claim.service_lines[0], claim.service_lines[1]);
  review(claim);
  BOOST_TEST(rules.duplicates_seen == 1);
}

BOOST_AUTO_TEST_CASE(lines_with_other_revenue_codes_are_no_duplicates) {
  auto claim = draft("CLM-1");
  claim.details.institutional.emplace();
  claim.service_lines = {{"", "", 1000, domain::Money::cents(500), "0120"}};
  review(claim);
  claim.claim_identifier = "CLM-2";
  claim.service_lines.front().revenue_code = "0250";
  review(claim);
  BOOST_TEST(rules.duplicates_seen == 0);
  claim.claim_identifier = "CLM-3";
  review(claim);
  BOOST_TEST(rules.duplicates_seen == 1);
}

BOOST_AUTO_TEST_CASE(a_predicted_denial_gives_its_reasons_strongest_first) {
  rules.findings = {finding("16", 3000), finding("29", 9000)};
  const auto denied = review(draft("CLM-1"));
  BOOST_TEST(denied.forecast.denial_predicted);
  BOOST_REQUIRE(denied.denial_reasons.size() == 2u);
  BOOST_TEST(denied.denial_reasons.front().code == "29");
  rules.findings = {finding("16", 3000)};
  const auto likely_paid = review(draft("CLM-2"));
  BOOST_TEST(likely_paid.denial_reasons.empty());
  BOOST_TEST(likely_paid.warnings.size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_warning_never_counts_towards_a_denial) {
  rules.findings = {finding("16", 9900, Finding::Effect::warning)};
  rules.findings.front().confidence_cap_bps = 7500;
  const auto warned = review(draft("CLM-1"));
  BOOST_TEST(!warned.forecast.denial_predicted);
  BOOST_TEST(warned.forecast.denial_probability_bps == 0);
  BOOST_TEST(warned.forecast.confidence_bps == 7500);
  BOOST_TEST(warned.warnings.size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_strict_tenant_gets_every_invalid_field) {
  rules.findings = {finding("A", 5000, Finding::Effect::refusal), finding("B", 5000, Finding::Effect::refusal),
                    finding("C", 5000)};
  rules.findings[1].field = "";
  const auto refused = try_review(draft("CLM-1"), "k1");
  BOOST_TEST(refusal_of(refused) == ErrorCode::validation_error);
  BOOST_REQUIRE(refused.error().fields.size() == 2u);
  BOOST_TEST(refused.error().fields[0].path == "servicer_npi");
  BOOST_TEST(refused.error().fields[1].path == "B");
  BOOST_TEST(!answer_under("review", "k1"));
  BOOST_TEST(events("review.completed") == 0);
}

BOOST_AUTO_TEST_CASE(an_unknown_payer_gets_the_default_rates) {
  auto claim = draft("CLM-1");
  claim.payer_id = "UNKNOWN-PAYER";
  const auto reviewed = review(claim);
  BOOST_TEST(!reviewed.payer_known);
  BOOST_TEST(!rules.payer_known_seen);
  BOOST_TEST(reviewed.payer_id == "UNKNOWN-PAYER");
  BOOST_TEST(reviewed.forecast.allowed == domain::Money::cents(65'000));
}

BOOST_AUTO_TEST_CASE(an_unavailable_directory_fails_the_request) {
  payers.down = true;
  BOOST_TEST(refusal_of(try_review(draft("CLM-1"))) == ErrorCode::service_unavailable);
}

BOOST_AUTO_TEST_CASE(a_rule_error_sends_the_adjudication_to_manual_review) {
  rules.denial_faults = {{"denial.duplicate", "ran out of budget"}};
  const auto reviewed = review(draft("CLM-1"));
  BOOST_TEST(reviewed.rule_faults.size() == 1u);
  rules.denial_faults.clear();
  const auto terms = adjudicate(reviewed);
  BOOST_TEST(terms.decision == domain::Decision::manual_review);
  BOOST_TEST(std::count(terms.decision_reasons.begin(), terms.decision_reasons.end(), "rule_error") == 1);
}

BOOST_AUTO_TEST_CASE(sandbox_payers_work_in_the_sandbox_only) {
  auto claim = draft("CLM-1");
  claim.payer_id = "TEST-CARC-29";
  auto reviewed = review(claim);
  BOOST_REQUIRE(reviewed.denial_reasons.size() == 1u);
  BOOST_TEST(reviewed.denial_reasons.front().code == "29");
  BOOST_TEST(reviewed.denial_reasons.front().description == "Filed too late");
  claim.claim_identifier = "CLM-0";
  claim.payer_id = "TEST-CARC-998";  // a code that the catalogue does not hold is no reason
  const auto unknown = review(claim);
  BOOST_TEST(unknown.denial_reasons.empty());
  BOOST_TEST(std::count_if(unknown.warnings.begin(), unknown.warnings.end(),
                           [](const domain::Finding& warning) { return warning.code == "TEST_CODE_UNKNOWN"; }) == 1);
  claim.claim_identifier = "CLM-2";
  claim.payer_id = "TEST-SLOW";
  const auto slow = review(claim);
  BOOST_TEST(slow.forecast.confidence_bps == 3500);
  caller.environment = domain::Environment::production;
  claim.claim_identifier = "CLM-3";
  const auto usual = review(claim);
  BOOST_TEST(days_between(usual.forecast.payment_date, slow.forecast.payment_date) >= 60);
  claim.claim_identifier = "CLM-4";
  claim.payer_id = "TEST-CARC-29";
  BOOST_TEST(review(claim).denial_reasons.empty());
}

BOOST_AUTO_TEST_CASE(equal_identifiers_of_two_tenants_are_separate_claims) {
  const auto ours = review(draft("CLM-1"));
  const auto tenant = caller.tenant;
  caller.tenant = domain::TenantId::of({9, 9});
  const auto theirs = review(draft("CLM-1"));
  BOOST_TEST(theirs.claim_id != ours.claim_id);
  BOOST_TEST(rules.duplicates_seen == 0);
  caller.tenant = tenant;
}

BOOST_AUTO_TEST_SUITE_END()
