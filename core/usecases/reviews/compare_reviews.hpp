// What a review of a claim and its terms would be, and what changes of the claim would make of them (openapi.yaml:
// POST /v1/claims/reviews with what_if=true). Stores nothing.
//
// Threads: thread-safe.
#pragma once
#include <string>
#include <vector>

#include "core/ports/plugins/funding_rail.hpp"
#include "core/usecases/funding/create_adjudication.hpp"
#include "core/usecases/reviews/review_claim.hpp"

namespace tideover::usecases {

/// The claim with one change.
struct ChangedClaim {
  std::size_t index = 0;  // of the change in the request
  std::string label;      // as sent; empty: none
  std::string path;       // of the change, for faults
  domain::ClaimDraft claim;
};

struct ComparisonRequest {
  domain::ClaimDraft claim;
  std::vector<ChangedClaim> changes;
  std::string rail;  // empty: the first configured one
};

struct ReviewOutcome {
  domain::Review review;  // its ids stand for nothing
  domain::BoundedTerms terms;
};

struct ChangedOutcome {
  std::size_t index = 0;
  std::string label;
  ReviewOutcome outcome;
};

struct ReviewComparison {
  std::string rail;
  ReviewOutcome base;
  std::vector<ChangedOutcome> changes;  // the greatest expected payment first, then as sent
};

class CompareReviews {
 public:
  CompareReviews(ReviewClaim& review_claim, CreateAdjudication& adjudication, ports::RulePolicy& rules,
                 ports::FundingRails& rails)
      : review_claim_(review_claim), adjudication_(adjudication), rules_(rules), rails_(rails) {}

  /// One rule bundle decides all of it. Error validation_error with the faults of all changes that strict rules refuse;
  /// service_unavailable when the rules change meanwhile.
  domain::Result<ReviewComparison> operator()(const RequestContext& context, const ComparisonRequest& request);

 private:
  domain::Result<ReviewComparison> compare(const RequestContext& context, const ComparisonRequest& request,
                                           const std::string& rail);
  domain::Result<ReviewOutcome> outcome_of(const RequestContext& context, const domain::ClaimDraft& claim,
                                           const std::string& rail);

  ReviewClaim& review_claim_;
  CreateAdjudication& adjudication_;
  ports::RulePolicy& rules_;
  ports::FundingRails& rails_;
};

}  // namespace tideover::usecases
