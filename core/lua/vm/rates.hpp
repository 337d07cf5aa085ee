// Converts shares and dollars in rules (0.80, 250.00) to integers without rounding.
#pragma once
#include <cmath>
#include <cstdint>
#include <optional>

namespace tideover::lua {

/// value x scale as a whole number, when `value` is one: 0.8 x 10 000 = 8000. nullopt for a value finer than 1/scale,
/// NaN, an infinity or more than 2^53.
inline std::optional<std::int64_t> exact_scaled(double value, double scale) {
  const double scaled = value * scale;
  const double whole = std::nearbyint(scaled);
  // A decimal such as 0.29 is not exact in binary; its error is far below that of a finer share.
  if (!(std::fabs(whole) <= 9007199254740992.0) || std::fabs(scaled - whole) > 1e-6 + std::fabs(whole) * 1e-12)
    return std::nullopt;
  return static_cast<std::int64_t>(whole);
}

}  // namespace tideover::lua
