// What a review says, from nothing but the facts and what the rules found in them: no store, no clock, no chance.
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

/// What the tenant's own record knows, and the claim as the record sees it.
struct TenantRecord {
  const estimators::State& state;
  const std::string& snapshot;
  estimators::Submission claim;
  int payer_responses = 0;
};

/// The review without its ids and times. A finding that is a refusal for the tenant's profile is a validation_error.
/// `catalogue` describes the denials that sandbox payers force. The record counts once the tenant has as many answered
/// claims as the policy asks for, and never for a sandbox payer that forces an outcome; null: there is none.
/// `explanation` is written unless it is null.
domain::Result<domain::Review> judge_claim(const ports::ClaimFacts& facts, ports::DenialAssessment assessed,
                                           domain::Environment environment,
                                           const std::vector<domain::ReasonCode>& catalogue,
                                           const TenantRecord* record = nullptr,
                                           ReviewExplanation* explanation = nullptr);

/// Whose claim it is, and what its tenant's record knows by then.
struct Subject {
  const domain::TenantId& tenant;
  const domain::ClaimId& claim;
  const estimators::State* state = nullptr;  // null: nothing was learned
  std::string snapshot{};
};

/// Asks the rules, with the history that the record tells, and judges. Every review is made here: live ones, replays
/// and back-tests.
domain::Result<domain::Review> review_with(ports::ClaimFacts facts, const Subject& subject, ports::RulePolicy& rules,
                                           const ports::KeyedDigest& digests, domain::Environment environment,
                                           const std::vector<domain::ReasonCode>& catalogue,
                                           ReviewExplanation* explanation = nullptr);

}  // namespace tideover::usecases
