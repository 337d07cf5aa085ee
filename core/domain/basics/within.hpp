// A value moved into a range, without a precondition: std::clamp is undefined where the ends are the wrong way round,
// and amounts from outside can make them so. tests/tidy refuses std::clamp in the product.
#pragma once
#include <algorithm>

namespace tideover::domain {

/// `value`, or the end of the range that it lies beyond. Where `high` is below `low`, and for a value that compares
/// with nothing (NaN): `low`.
template <class Value>
constexpr Value within(Value value, Value low, Value high) {
  return std::max(low, std::min(value, high));
}

}  // namespace tideover::domain
