#include "core/domain/reviews/medicare_fee.hpp"

#include <algorithm>

#include "core/domain/basics/rounding.hpp"

namespace tideover::domain {
namespace {

// No fee schedule has larger values; with them every product fits 128 bits.
constexpr std::int64_t kLargestValue = 1'000'000 * kOneInMillionths, kLargestIndex = 100 * kOneInMillionths,
                       kLargestFactor = 10'000 * kOneInMillionths;

std::int64_t bounded(std::int64_t value, std::int64_t largest) {
  return std::max(-largest, std::min(value, largest));
}

}  // namespace

Money medicare_fee(const RelativeValues& values, const PriceIndices& indices, std::int64_t conversion_factor) {
  const auto part = [](std::int64_t value, std::int64_t index) {
    return Wide{bounded(value, kLargestValue)} * bounded(index, kLargestIndex);
  };
  const Wide priced = part(values.work, indices.work) + part(values.practice, indices.practice) +
                      part(values.malpractice, indices.malpractice);
  constexpr Wide kPerCent = Wide{kOneInMillionths} * kOneInMillionths * (kOneInMillionths / 100);
  return price_of(priced * bounded(conversion_factor, kLargestFactor), kPerCent);
}

}  // namespace tideover::domain
