// Rounding of amounts: half-even, once, of a 128-bit quotient.
#pragma once
#include <algorithm>

#include "core/domain/basics/money.hpp"

namespace tideover::domain {

__extension__ using Wide = __int128;

constexpr Wide divide_half_even(Wide numerator, Wide denominator) {
  const Wide quotient = numerator / denominator, remainder = numerator % denominator;
  const Wide twice = (remainder < 0 ? -remainder : remainder) * 2;
  const bool away = twice > denominator || (twice == denominator && (quotient & 1) != 0);
  return away ? quotient + (numerator < 0 ? -1 : 1) : quotient;
}

/// A price in cents, from 0 to the largest charge of a claim.
constexpr Money price_of(Wide numerator, Wide denominator) {
  const Wide cents = std::min(divide_half_even(numerator, denominator), Wide{kLargestAmount.cents()});
  return Money::cents(static_cast<std::int64_t>(std::max(cents, Wide{0})));
}

}  // namespace tideover::domain
