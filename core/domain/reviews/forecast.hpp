// From findings and a payer's rates to a forecast. Pure: the same input gives the same answer, bit for bit.
// Combination of rules: noisy-or over families, the strongest finding of a family counting once (see core/README.md).
#pragma once
#include <vector>

#include "core/domain/claims/payer.hpp"
#include "core/domain/reviews/review.hpp"

namespace tideover::domain {

/// The knobs that rules own (rules/params.lua).
struct ForecastPolicy {
  int denial_threshold_bps = 5000;  // denial_predicted at or above
  int date_quantile_bps = 8000;     // the payment date keeps at least this probability, given payment
  int recovery_bps = 4000;          // P(paid in the end | denied at first response)
  int learn_from_answers = 200;     // what was learned counts from so many answered claims of the tenant on
  int payer_evidence = 20;          // published rates weigh as much as so many answered claims of the payer
};

/// P(days from submission to payment <= days) for a payer that pays half of its claims by the median and 80 % by the
/// p80 day: a log-normal through both points. In basis points, rounded down.
int paid_by_bps(const PayerRates& rates, int days);

/// P(not paid in the end) of a claim that is denied at first response with this probability.
int final_nonpayment_bps(int denial_bps, const ForecastPolicy& policy);

/// What the claim's payer allows by contracts, and for lines without one by its usual share; nullopt where no line has
/// one, or the lines do not say what the claim asks.
std::optional<Money> contracted_amount(const ClaimDraft& claim, const std::vector<ListedFee>& listed,
                                       const PayerRates& rates);

/// `counted_from` is the submission date, or today when none is given; the date is a banking day, never before `today`.
/// `contracted`: what is allowed, where contracts say; else the payer's usual share.
Forecast make_forecast(Money submitted, const std::vector<Finding>& reasons, const PayerRates& rates,
                       const ForecastPolicy& policy, Date counted_from, Date today, int confidence_cap_bps,
                       const std::optional<Money>& contracted = std::nullopt);

/// What others have paid lowers the allowed amount, and all else in proportion; what the patient has paid beyond its
/// share lowers the payment that is expected. `nonpayment_bps`: P(the payer pays nothing in the end). Leaves a forecast
/// as it is where nothing of it was told.
void leave_remainder(Forecast& forecast, LearnedForecast* learned, const ClaimDetails& claim, int nonpayment_bps);

}  // namespace tideover::domain
