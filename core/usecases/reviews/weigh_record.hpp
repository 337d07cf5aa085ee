// Brings together what published rates and rules say of a claim, and what the tenant's own record says. The record
// counts as its evidence: with n answered claims of the payer against `payer_evidence`, n / (n + payer_evidence) -
// probabilities in log odds, days as distributions - and an amount that somebody was allowed before counts whole. Pure:
// the same input gives the same answer, bit for bit.
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

/// `published`: the forecast without the record. `evidence`: answered claims of the payer, older ones weighing less.
/// The claim is the one that `told` is about.
WeighedForecast weigh_record(const domain::Forecast& published, const domain::PayerRates& rates,
                             const domain::ForecastPolicy& policy, const estimators::Submission& claim,
                             const estimators::Prediction& told, int evidence, int confidence_cap_bps);

}  // namespace tideover::usecases
