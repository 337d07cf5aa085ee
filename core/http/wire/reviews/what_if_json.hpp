// A claim with patches, and the comparison of their reviews (openapi.yaml: ClaimReviewRequest, WhatIf). Pure functions.
#pragma once
#include <string>

#include "core/http/wire/basics/object_reader.hpp"
#include "core/usecases/reviews/compare_reviews.hpp"

namespace tideover::wire {

inline constexpr std::size_t kMostPatches = 20;

/// A fault of the claim is not repeated for its patches.
usecases::ComparisonRequest decode_what_if(const json::Value& body, domain::Date today, Faults& faults);
std::string encode_what_if(const usecases::ReviewComparison& compared);

}  // namespace tideover::wire
