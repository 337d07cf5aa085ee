// Computes a forecast from findings and a payer's rates. Pure: the same input gives the same result, bit for bit. Rules
// are combined by noisy-or over families, in each of which the strongest finding counts (see core/README.md).
#pragma once
#include <vector>

#include "core/domain/claims/payer.hpp"
#include "core/domain/reviews/review.hpp"

namespace tideover::domain {

/// Parameters that rules set (rules/params.lua).
struct ForecastPolicy {
  int denial_threshold_bps = 5000;  // denial_predicted at or above
  int date_quantile_bps = 8000;     // P(paid by the payment date | paid), at least
  int recovery_bps = 4000;          // P(paid in the end | denied at first response)
  int learn_from_answers = 200;     // the record counts from this many answered claims of the tenant
  int payer_evidence = 20;          // weight of the published rates, in answered claims of the payer
};

/// P(days from submission to payment <= days) for a payer that pays half of its claims by the median and 80 % by the
/// p80 day: a log-normal through both points. In basis points, rounded down.
int paid_by_bps(const PayerRates& rates, int days);

/// P(not paid in the end) of a claim with this probability of a denial at first response.
int final_nonpayment_bps(int denial_bps, const ForecastPolicy& policy);

/// The allowed amount by the payer's contracts, and by its usual share for lines without one. nullopt when no line has
/// a contract, or the lines do not add up to the claim.
std::optional<Money> contracted_amount(const ClaimDraft& claim, const std::vector<ListedFee>& listed,
                                       const PayerRates& rates);

/// `counted_from` is the submission date, or today without one. The result is a banking day, never before `today`.
/// `contracted`: the allowed amount by contracts; otherwise the payer's usual share.
Forecast make_forecast(Money submitted, const std::vector<Finding>& reasons, const PayerRates& rates,
                       const ForecastPolicy& policy, Date counted_from, Date today, int confidence_cap_bps,
                       const std::optional<Money>& contracted = std::nullopt);

/// Payments of other payers lower the allowed amount, and everything else in proportion. Payments of the patient above
/// its share lower the expected payment. `nonpayment_bps`: P(the payer pays nothing in the end). Changes nothing when
/// none of it is given.
void leave_remainder(Forecast& forecast, LearnedForecast* learned, const ClaimDetails& claim, int nonpayment_bps);

}  // namespace tideover::domain
