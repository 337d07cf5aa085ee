// Limits a value to a range, without a precondition. std::clamp is undefined when the ends are reversed, which amounts
// from outside can cause. tests/tidy refuses std::clamp in the product.
#pragma once
#include <algorithm>

namespace tideover::domain {

/// `value`, or the nearest end of the range. When `high` is below `low`, or the value does not compare (NaN): `low`.
template <class Value>
constexpr Value within(Value value, Value low, Value high) {
  return std::max(low, std::min(value, high));
}

}  // namespace tideover::domain
