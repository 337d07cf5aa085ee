// `rules` and `inputs` of a response to ?explain=true (core/docs/contract.md#explanations-and-quality). Pure
// functions.
#pragma once
#include <vector>

#include "core/domain/reviews/review.hpp"
#include "core/http/wire/json/writer.hpp"
#include "core/usecases/request/explanation.hpp"

namespace tideover::wire {

/// The verdict of a rule: `fail` if it returned a finding, `pass` if it returned none, `error` if it could not run.
void put_explanation(json::Writer& out, const domain::Review& review, const usecases::ReviewExplanation& explanation);
void put_explanation(json::Writer& out, const usecases::TermsExplanation& explanation);

}  // namespace tideover::wire
