// The explanation of a review or an adjudication (?explain=true). It is part of the response and stored nowhere else.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/domain/claims/payer.hpp"
#include "core/domain/funding/terms.hpp"
#include "core/estimators/prediction.hpp"
#include "core/ports/rules/rule_explanation.hpp"

namespace tideover::usecases {

struct ReviewExplanation {
  std::vector<ports::RuleExplanation> rules;     // all denial rules of the deciding bundle, in order
  domain::PayerRates rates;                      // published by the payer, or the usual rates
  domain::Forecast by_rates;                     // from rules and these rates only
  std::optional<estimators::Prediction> record;  // from the tenant's own record only, when it counts
};

struct TermsExplanation {
  std::vector<ports::RuleExplanation> rules;  // the terms rules
  domain::TermsProposal proposed;             // before the limits were applied
  domain::TermsLimits limits;
};

}  // namespace tideover::usecases
