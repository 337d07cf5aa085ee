#include "core/estimators/grade.hpp"

#include <algorithm>

namespace tideover::estimators {

void Reliability::add(double predicted, bool came_true) {
  auto& bin = bins_[static_cast<std::size_t>(std::clamp(static_cast<int>(predicted * kReliabilityBins), 0, kReliabilityBins - 1))];
  ++bin.claims;
  bin.came_true += came_true;
  bin.predicted_millionths += static_cast<std::int64_t>(predicted * 1e6 + 0.5);
}

std::int64_t Reliability::claims() const {
  std::int64_t sum = 0;
  for (const auto& bin : bins_) sum += bin.claims;
  return sum;
}

double Reliability::calibration_error() const {
  double sum = 0;
  for (const auto& bin : bins_) sum += static_cast<double>(bin.claims) * std::max(bin.predicted() - bin.observed(), bin.observed() - bin.predicted());
  return claims() ? sum / static_cast<double>(claims()) : 0;
}

}  // namespace tideover::estimators
