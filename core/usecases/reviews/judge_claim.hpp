// Makes a review from facts and the findings of rules. Pure: no store, no clock, no randomness.
#pragma once
#include "core/domain/basics/result.hpp"
#include "core/domain/basics/tenant.hpp"
#include "core/domain/claims/reason_code.hpp"
#include "core/domain/reviews/review.hpp"
#include "core/estimators/state.hpp"
#include "core/ports/keyed_digest.hpp"
#include "core/ports/rules/rule_policy.hpp"
#include "core/usecases/request/explanation.hpp"

namespace tideover::usecases {

/// What the tenant's own record knows, and the claim in the form of the record.
struct TenantRecord {
  const estimators::State& state;
  const std::string& snapshot;
  estimators::Submission claim;
  int payer_responses = 0;
};

/// Makes the review without ids and times. Error validation_error when a finding is a refusal for the tenant's profile.
/// `catalogue` describes the denials that sandbox payers force. The record counts when the tenant has as many answered
/// claims as the policy requires, and never for a sandbox payer that forces an outcome; null: there is no record.
/// `explanation` (may be null) is written.
domain::Result<domain::Review> judge_claim(const ports::ClaimFacts& facts, ports::DenialAssessment assessed,
                                           domain::Environment environment,
                                           const std::vector<domain::ReasonCode>& catalogue,
                                           const TenantRecord* record = nullptr,
                                           ReviewExplanation* explanation = nullptr);

/// The tenant and claim, and what its record knows at that time.
struct Subject {
  const domain::TenantId& tenant;
  const domain::ClaimId& claim;
  const estimators::State* state = nullptr;  // null: nothing was learned
  std::string snapshot{};
};

/// Evaluates the rules with the history from the record, then judges. Every review is made here: live reviews, replays
/// and backtests.
domain::Result<domain::Review> review_with(ports::ClaimFacts facts, const Subject& subject, ports::RulePolicy& rules,
                                           const ports::KeyedDigest& digests, domain::Environment environment,
                                           const std::vector<domain::ReasonCode>& catalogue,
                                           ReviewExplanation* explanation = nullptr);

}  // namespace tideover::usecases
