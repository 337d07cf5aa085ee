// A claim and what rules found in it, as the estimators see them. Live reviews, the learning journal, replays and
// back-tests all come through here, so that they see the same.
#pragma once
#include <vector>

#include "core/domain/reviews/review.hpp"
#include "core/estimators/published.hpp"
#include "core/ports/keyed_digest.hpp"
#include "core/ports/rules/rule_policy.hpp"

namespace tideover::usecases {

estimators::PayerClass payer_class_of(const domain::Payer& payer);

/// `reviewed`: the day of the review. Without what rules say of it.
estimators::Submission submission_of(const domain::TenantId& tenant, const domain::ClaimId& id,
                                     const domain::ClaimDraft& draft, const domain::Payer& payer, domain::Date reviewed,
                                     const ports::KeyedDigest& digests);

/// What the fee schedule of the rules that decided lists for the lines.
void list_fees(estimators::Submission& claim, const std::vector<domain::ListedFee>& fees);
/// What rules said of a claim at its review: its fees and those that fired.
void complete(estimators::Submission& claim, const domain::ReviewBasis& basis);

/// Those that speak of a denial: reasons that count, and shadow rules.
std::vector<domain::FiredRule> fired_rules_of(const ports::DenialAssessment& assessed);

/// By what a recorded review was judged.
inline estimators::Policy policy_of(const domain::ReviewBasis& basis) {
  estimators::Policy policy;
  policy.denial_threshold_bps = basis.denial_threshold_bps;
  policy.date_quantile_bps = basis.date_quantile_bps;
  return policy;
}

}  // namespace tideover::usecases
