// Terms of an advance: rules propose, the domain limits (core/docs/architecture.md#five-rules-that-shape-the-code). A
// typo in a rule cannot advance more than the configured limits or the expected payment.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/domain/basics/money.hpp"
#include "core/domain/reviews/review.hpp"

namespace tideover::domain {

enum class Decision { approved, declined, manual_review };
std::string_view name_of(Decision decision);
std::optional<Decision> decision_named(std::string_view name);
std::vector<std::string> decision_names();

struct TermsProposal {
  Decision decision = Decision::manual_review;
  int advance_bps = 0;  // of the expected reimbursement
  int fee_bps = 0;      // of the advance
  std::vector<std::string> reasons;
};

/// The configured limits (settings: funding).
struct TermsLimits {
  int max_advance_bps = 9000;
  int max_fee_bps = 1000;
  Money max_advance = Money::cents(100'000'000);
};

/// The fee from a day after the funding on.
struct FeeStep {
  int from_day = 0;
  Money fee;
  friend bool operator==(const FeeStep&, const FeeStep&) = default;
};

struct Terms {
  int advance_bps = 0;
  Money advance_amount;
  int fee_bps = 0;
  Money fee_estimate;                // with fee steps: the fee on the expected payment date
  std::vector<FeeStep> fee_steps{};  // in order, the first from day 0; empty: the fee is `fee_estimate` on every day
  int hold_days = 0;                 // a residual is due so many days after its posting
  int reserve_bps = 0;               // of each residual, held in the practice's reserve
  int reserve_days = 0;              // after which a held part is released
};

/// The fee when the principal is recovered so many days after the funding.
Money fee_after(const Terms& terms, int days);
/// The largest fee of the terms: the bound that the provider accepts.
Money largest_fee(const Terms& terms);

struct BoundedTerms {
  Decision decision = Decision::manual_review;
  Terms terms;
  std::vector<std::string> reasons;  // of the proposal, then of the limits
};

/// Why no payment to the provider can follow such a claim. Nothing is advanced on it then, whatever rules propose. A
/// test claim is refused where money moves.
std::vector<std::string> advance_refusals(const ClaimDetails& claim, Environment environment);

/// Only lowers: percentages and amount are cut to the limits. A proposal outside 0 to 10 000 bps, an advance of nothing
/// or a review with rule faults becomes a manual review. Any refusal declines, and its reason is added if the proposal
/// lacks it.
BoundedTerms bound_terms(const TermsProposal& proposal, const Review& review, const TermsLimits& limits,
                         const std::vector<std::string>& refusals = {});

}  // namespace tideover::domain
