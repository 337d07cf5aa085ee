#include "core/domain/funding/terms.hpp"

#include <algorithm>

namespace tideover::domain {
namespace {

BoundedTerms within_limits(const TermsProposal& proposal, const Review& review, const TermsLimits& limits) {
  BoundedTerms bounded{proposal.decision, {}, proposal.reasons};
  const auto doubt = [&](const char* why) {
    // A doubt never turns a decline into a review, only an approval.
    if (bounded.decision == Decision::approved) bounded.decision = Decision::manual_review;
    bounded.reasons.emplace_back(why);
  };
  const auto is_share = [](int bps) { return bps >= 0 && bps <= kOneInBps; };

  if (!is_share(proposal.advance_bps) || !is_share(proposal.fee_bps)) {
    // Terms outside the range are a fault of the rule: take no part of them.
    doubt("proposed_terms_out_of_range");
    return bounded;
  }
  bounded.terms.advance_bps = std::min(proposal.advance_bps, limits.max_advance_bps);
  bounded.terms.fee_bps = std::min(proposal.fee_bps, limits.max_fee_bps);
  bounded.terms.advance_amount = portion(review.forecast.expected, bounded.terms.advance_bps);
  if (bounded.terms.advance_amount > limits.max_advance) {
    bounded.terms.advance_amount = limits.max_advance;
    doubt("advance_exceeds_maximum");
  }
  // The fee is a share of the limited advance, so that it shrinks with it.
  bounded.terms.fee_estimate = portion(bounded.terms.advance_amount, bounded.terms.fee_bps);
  if (!review.rule_faults.empty()) doubt("rule_error");
  if (bounded.decision == Decision::approved && bounded.terms.advance_amount <= Money{}) doubt("nothing_to_advance");
  return bounded;
}

}  // namespace

std::string_view name_of(Decision decision) {
  switch (decision) {
    case Decision::approved:
      return "approved";
    case Decision::declined:
      return "declined";
    case Decision::manual_review:
      return "manual_review";
  }
  return "manual_review";
}

std::optional<Decision> decision_named(std::string_view name) {
  for (const auto decision : {Decision::approved, Decision::declined, Decision::manual_review})
    if (name_of(decision) == name) return decision;
  return std::nullopt;
}

std::vector<std::string> decision_names() {
  return {"approved", "declined", "manual_review"};
}

Money fee_after(const Terms& terms, int days) {
  Money fee = terms.fee_estimate;
  for (const auto& step : terms.fee_steps)
    if (step.from_day == 0 || step.from_day <= days) fee = step.fee;
  return fee;
}

Money largest_fee(const Terms& terms) {
  Money fee = terms.fee_estimate;
  for (const auto& step : terms.fee_steps) fee = std::max(fee, step.fee);
  return fee;
}

std::vector<std::string> advance_refusals(const ClaimDetails& claim, Environment environment) {
  std::vector<std::string> reasons;
  if (claim.is_test.value_or(false) && environment == Environment::production) reasons.emplace_back("test_claim");
  if (!claim.benefits_assigned.value_or(true)) reasons.emplace_back("benefits_not_assigned");
  if (claim.is_encounter.value_or(false)) reasons.emplace_back("encounter");
  if (claim.pay_to_plan.value_or(false)) reasons.emplace_back("pay_to_other_plan");
  if (claim.claim_frequency_code == "8") reasons.emplace_back("void_claim");
  return reasons;
}

BoundedTerms bound_terms(const TermsProposal& proposal, const Review& review, const TermsLimits& limits,
                         const std::vector<std::string>& refusals) {
  auto bounded = within_limits(proposal, review, limits);
  // Refusals come last: no rule may approve a claim that the payer will not pay to the provider.
  if (!refusals.empty()) bounded.decision = Decision::declined;
  for (const auto& reason : refusals)
    if (std::find(bounded.reasons.begin(), bounded.reasons.end(), reason) == bounded.reasons.end())
      bounded.reasons.push_back(reason);
  return bounded;
}

}  // namespace tideover::domain
