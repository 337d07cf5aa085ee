// Moves of the clock of a sandbox tenant (core/docs/sandbox_clock.md). Pure.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/domain/basics/date.hpp"
#include "core/domain/basics/result.hpp"

namespace tideover::domain {

/// The time of a tenant stays within these days of the real time.
inline constexpr int kMostShiftDays = 3650;

/// Exactly one member is set.
struct ClockMove {
  std::optional<std::int64_t> advance_ms;
  std::optional<Timestamp> set;
};

/// The clock of a tenant. `now` is its time.
struct TenantTime {
  Timestamp now;
  std::int64_t shift_ms = 0;  // its time minus the real time
};

/// Milliseconds of an ISO 8601 duration of whole weeks, or of whole days, hours, minutes and seconds: P2W, P3D, PT36H,
/// P1DT12H. nullopt for another text, for a duration of 0 and for one of more than 100 years.
std::optional<std::int64_t> parse_duration(std::string_view text);

/// The time after the move. Errors: validation_error beyond kMostShiftDays; invalid_state when the move goes back and
/// the tenant has data.
Result<TenantTime> moved(const ClockMove& move, Timestamp real_now, std::int64_t shift_ms, bool has_data);

}  // namespace tideover::domain
