// Combines the forecast from published rates and rules with the prediction from the tenant's own record. The record's
// weight depends on its evidence: n / (n + payer_evidence) for n answered claims of the payer. Probabilities are
// combined in log odds, days as distributions. An amount that was allowed before counts fully. Pure: the same input
// gives the same result, bit for bit.
#pragma once
#include <vector>

#include "core/domain/reviews/forecast.hpp"
#include "core/estimators/basics/submission.hpp"
#include "core/estimators/prediction.hpp"

namespace tideover::usecases {

struct WeighedForecast {
  domain::Forecast forecast;
  domain::LearnedForecast learned;
  domain::CashOdds cash;
};

/// `published`: the forecast without the record. `evidence`: answered claims of the payer, older ones weigh less.
/// `predicted` is about the same claim.
WeighedForecast weigh_record(const domain::Forecast& published, const domain::PayerRates& rates,
                             const domain::ForecastPolicy& policy, const estimators::Submission& claim,
                             const estimators::Prediction& predicted, int evidence, int confidence_cap_bps);

}  // namespace tideover::usecases
