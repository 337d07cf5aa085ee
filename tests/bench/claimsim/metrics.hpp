// The measures by which predictions are compared with what happened. Pure functions of parallel vectors; an empty or
// one-sided input gives NaN.
#pragma once
#include <cstdint>
#include <vector>

#include "tests/bench/claimsim/world/levels.hpp"

namespace tideover::claimsim {

using Scores = std::vector<double>;
using Labels = std::vector<std::uint8_t>;  // 0 | 1

/// P(a positive scores above a negative), ties one half (Mann–Whitney).
double auroc(const Scores& scores, const Labels& labels);
/// Average precision: sum over distinct scores, highest first, of recall gained × precision reached. Equal scores are
/// taken together.
double auprc(const Scores& scores, const Labels& labels);

/// Expected calibration error over 15 bins of equal mass: Σ (n_b / n) · |mean score − mean label|. Equal scores share a
/// bin.
double calibration_error(const Scores& scores, const Labels& labels);
/// What perfectly calibrated scores would show by chance alone: Σ (n_b / n) · E|mean score − mean label|, normal
/// approximation.
double calibration_error_by_chance(const Scores& scores);

/// Continuous ranked probability score in days by the fifty quantiles: twice the mean pinball loss.
double crps(const QuantileDays& days, int happened);

}  // namespace tideover::claimsim
