// Converts claims and findings of rules into the input of the estimators. Live reviews, the learning journal, replays
// and backtests all use it, so that they get the same input.
#pragma once
#include <vector>

#include "core/domain/reviews/review.hpp"
#include "core/estimators/published.hpp"
#include "core/ports/keyed_digest.hpp"
#include "core/ports/rules/rule_policy.hpp"

namespace tideover::usecases {

estimators::PayerClass payer_class_of(const domain::Payer& payer);

/// `reviewed`: the day of the review. Without the findings of rules.
estimators::Submission submission_of(const domain::TenantId& tenant, const domain::ClaimId& id,
                                     const domain::ClaimDraft& draft, const domain::Payer& payer, domain::Date reviewed,
                                     const ports::KeyedDigest& digests);

/// The fees that the fee schedule of the deciding rules has for the lines.
void list_fees(estimators::Submission& claim, const std::vector<domain::ListedFee>& fees);
/// What rules said of a claim at its review: the fees, and the rules that fired.
void complete(estimators::Submission& claim, const domain::ReviewBasis& basis);

/// The findings that indicate a denial: reasons that count, and shadow rules.
std::vector<domain::FiredRule> fired_rules_of(const ports::DenialAssessment& assessed);

/// What a stored review was judged by.
inline estimators::Policy policy_of(const domain::ReviewBasis& basis) {
  estimators::Policy policy;
  policy.denial_threshold_bps = basis.denial_threshold_bps;
  policy.date_quantile_bps = basis.date_quantile_bps;
  return policy;
}

}  // namespace tideover::usecases
