// Why a review or an adjudication says what it says: told to whoever asks with ?explain=true, never kept but in the
// answer itself.
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
  std::vector<ports::RuleExplanation> rules;     // every denial rule of the bundle that decided, in its order
  domain::PayerRates rates;                      // that the payer publishes, or the usual ones
  domain::Forecast by_rates;                     // what rules and these rates say alone
  std::optional<estimators::Prediction> record;  // what the tenant's own record says alone, where it counts
};

struct TermsExplanation {
  std::vector<ports::RuleExplanation> rules;  // the rule of terms
  domain::TermsProposal proposed;             // before it was bounded
  domain::TermsLimits limits;
};

}  // namespace tideover::usecases
