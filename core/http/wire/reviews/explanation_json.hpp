// `rules` and `inputs` of an answer that was asked for with ?explain=true
// (core/docs/contract.md#explanations-and-quality).
#pragma once
#include <vector>

#include "core/domain/reviews/review.hpp"
#include "core/http/wire/json/writer.hpp"
#include "core/usecases/request/explanation.hpp"

namespace tideover::wire {

/// A rule that found something is `fail`: the claim failed it. One that found nothing is `pass`, one that could not be
/// run `error`.
void put_explanation(json::Writer& out, const domain::Review& review, const usecases::ReviewExplanation& explanation);
void put_explanation(json::Writer& out, const usecases::TermsExplanation& explanation);

}  // namespace tideover::wire
