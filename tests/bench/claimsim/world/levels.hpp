// The fifty levels at which a distribution of days is given: .01, .03 … .99.
#pragma once
#include <array>
#include <cstddef>

namespace tideover::claimsim {

inline constexpr std::size_t kLevels = 50;
constexpr double level(std::size_t index) {
  return 0.01 + 0.02 * static_cast<double>(index);
}
/// Days from submission to posting, one for each level.
using QuantileDays = std::array<int, kLevels>;

}  // namespace tideover::claimsim
