#include "core/usecases/reviews/compare_reviews.hpp"

#include <algorithm>

#include "core/usecases/rails/rail_checks.hpp"

namespace tideover::usecases {
namespace {

using domain::Error;
using domain::ErrorCode;

/// Rules change seldom: more rounds than this indicate another problem.
constexpr int kRounds = 3;

/// Whether every review was made by this bundle and from one state of the record.
bool is_consistent(const ReviewComparison& compared, const domain::RulesStamp& rules) {
  const auto& base = compared.base.review;
  return base.rules.sha256 == rules.sha256 &&
         std::all_of(compared.changes.begin(), compared.changes.end(), [&](const ChangedOutcome& change) {
           const auto& review = change.outcome.review;
           return review.rules.sha256 == rules.sha256 && review.basis.snapshot == base.basis.snapshot;
         });
}

}  // namespace

domain::Result<ReviewOutcome> CompareReviews::outcome_of(const RequestContext& context, const domain::ClaimDraft& claim,
                                                         const std::string& rail) {
  auto prepared = review_claim_.prepare(context.caller, context.now, claim);
  if (!prepared) return prepared.error();
  auto terms = adjudication_.terms_for(context, prepared->review, prepared->fresh.claim.draft, rail);
  if (!terms) return terms.error();
  return ReviewOutcome{std::move(prepared->review), std::move(*terms)};
}

domain::Result<ReviewComparison> CompareReviews::compare(const RequestContext& context,
                                                         const ComparisonRequest& request, const std::string& rail) {
  auto base = outcome_of(context, request.claim, rail);
  if (!base) return base.error();
  ReviewComparison compared{rail, std::move(*base), {}};
  auto refused =
      Error::of(ErrorCode::validation_error,
                "A patch makes the claim violate rules that are strict for this tenant. See details.fields.");
  for (const auto& change : request.changes) {
    auto outcome = outcome_of(context, change.claim, rail);
    if (outcome) {
      compared.changes.push_back({change.index, change.label, std::move(*outcome)});
    } else if (outcome.error().code == ErrorCode::validation_error) {
      for (const auto& fault : outcome.error().fields)
        refused.fields.push_back({change.path + fault.path, fault.problem});
    } else {
      return outcome.error();
    }
  }
  if (!refused.fields.empty()) return refused;
  std::stable_sort(compared.changes.begin(), compared.changes.end(),
                   [](const ChangedOutcome& one, const ChangedOutcome& other) {
                     return one.outcome.review.forecast.expected > other.outcome.review.forecast.expected;
                   });
  return compared;
}

domain::Result<ReviewComparison> CompareReviews::operator()(const RequestContext& context,
                                                            const ComparisonRequest& request) {
  const auto rails = rails_.all();
  const auto* rail = !request.rail.empty() ? rails_.find(request.rail) : rails.empty() ? nullptr : rails.front();
  if (!rail) return unknown_rail(rails_, "funding.rail");
  const auto name = rail->describe().rail;
  for (int round = 0; round < kRounds; ++round) {
    const auto rules = rules_.stamp();
    auto compared = compare(context, request, name);
    // The terms were made between the two looks at the rules.
    if (!compared || (is_consistent(*compared, rules) && rules_.stamp().sha256 == rules.sha256)) return compared;
  }
  return Error::of(ErrorCode::service_unavailable,
                   "The rules or the own record changed while the reviews were compared. Retry after 1 s.")
      .retry_after(1);
}

}  // namespace tideover::usecases
