// Shares and dollars as rules write them (0.80, 250.00), turned into integers without losing or inventing anything.
#pragma once
#include <cmath>
#include <cstdint>
#include <optional>

namespace tideover::lua {

/// value x scale as a whole number, when that is what `value` means: 0.8 x 10 000 = 8000. A value finer than 1/scale,
/// NaN, an infinity or more than 2^53 gives nullopt.
inline std::optional<std::int64_t> exact_scaled(double value, double scale) {
  const double scaled = value * scale;
  const double whole = std::nearbyint(scaled);
  // A decimal such as 0.29 is not exact in binary; its error is far below what a finer share would make.
  if (!(std::fabs(whole) <= 9007199254740992.0) || std::fabs(scaled - whole) > 1e-6 + std::fabs(whole) * 1e-12)
    return std::nullopt;
  return static_cast<std::int64_t>(whole);
}

}  // namespace tideover::lua
