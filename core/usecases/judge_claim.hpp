// What a review says, from nothing but the facts and what the rules found in them: no store, no clock, no chance.
#pragma once
#include "core/domain/reason_code.hpp"
#include "core/domain/result.hpp"
#include "core/domain/review.hpp"
#include "core/domain/tenant.hpp"
#include "core/ports/rule_policy.hpp"

namespace tideover::usecases {

/// The review without its ids and times. A finding that is a refusal for the tenant's profile is a validation_error.
/// `catalogue` describes the denials that sandbox payers force.
domain::Result<domain::Review> judge_claim(const ports::ClaimFacts& facts, ports::DenialAssessment assessed, domain::Environment environment,
                                           const std::vector<domain::ReasonCode>& catalogue);

}  // namespace tideover::usecases
