// Epochs: counts lose weight at the start of each new week and never in between, so that a replay decays at the same
// points.
#pragma once
#include <array>
#include <cstdint>

#include "core/domain/basics/date.hpp"

namespace tideover::estimators {

using Week = std::int32_t;

/// Weeks begin on Thursdays (1970-01-01 was one); the weekday does not matter.
inline Week week_of(domain::Date date) {
  const std::int32_t days = date.days();
  return days >= 0 ? days / 7 : -((6 - days) / 7);
}

/// Powers of a weekly factor as 32-bit fractions; 0 from 256 weeks on.
class Decay {
 public:
  constexpr explicit Decay(std::uint32_t per_week_millionths) {
    std::uint64_t power = std::uint64_t{1} << 32;
    for (auto& entry : powers_) {
      entry = power;
      power = power * per_week_millionths / 1'000'000;
    }
  }
  constexpr std::uint32_t of(std::uint32_t amount, Week age) const {
    if (age <= 0) return amount;
    return age >= 256 ? 0
                      : static_cast<std::uint32_t>(
                            (amount * powers_[static_cast<std::size_t>(age)] + (std::uint64_t{1} << 31)) >> 32);
  }

 private:
  std::array<std::uint64_t, 256> powers_{};
};

inline constexpr Decay kSlow{987'000};  // half a year weighs 0.71
inline constexpr Decay kFast{850'000};  // half of it is forgotten in a month

}  // namespace tideover::estimators
