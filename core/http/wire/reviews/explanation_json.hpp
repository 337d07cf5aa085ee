// `rules` and `inputs` of an answer to ?explain=true (core/docs/contract.md#explanations-and-quality).
#pragma once
#include <vector>

#include "core/domain/reviews/review.hpp"
#include "core/http/wire/json/writer.hpp"
#include "core/usecases/request/explanation.hpp"

namespace tideover::wire {

/// The result of a rule: `fail` when it has a finding (the claim failed the rule), `pass` when it has none, `error`
/// when it could not run.
void put_explanation(json::Writer& out, const domain::Review& review, const usecases::ReviewExplanation& explanation);
void put_explanation(json::Writer& out, const usecases::TermsExplanation& explanation);

}  // namespace tideover::wire
