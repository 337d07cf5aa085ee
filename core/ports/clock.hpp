// Wall-clock time. Tests and the sandbox move it; timeouts use the monotonic clock.
#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "core/domain/basics/date.hpp"
#include "core/domain/basics/id.hpp"

namespace tideover::ports {

class Clock {
 public:
  virtual ~Clock() = default;
  virtual domain::Timestamp now() const = 0;
  /// Milliseconds by which the time of this tenant is ahead of the real time (core/docs/sandbox_clock.md).
  virtual std::int64_t shift_of(const domain::TenantId&) const { return 0; }
};

/// Sets the shift of the current thread during its lifetime. Shifts nest. Units of work run on another thread, so they
/// take the time as a value.
class TimeShift {
 public:
  explicit TimeShift(std::int64_t ms) : before_(current_) { current_ = ms; }
  ~TimeShift() { current_ = before_; }
  TimeShift(const TimeShift&) = delete;
  TimeShift& operator=(const TimeShift&) = delete;
  static std::int64_t current_ms() { return current_; }

 private:
  static inline thread_local std::int64_t current_ = 0;
  const std::int64_t before_;
};

/// The current thread works for this tenant: a clock that follows tenants gives its time.
class InTimeOf : private TimeShift {
 public:
  InTimeOf(const Clock& clock, const domain::TenantId& tenant) : TimeShift(clock.shift_of(tenant)) {}
};

inline domain::Timestamp now_of(const Clock& clock, const domain::TenantId& tenant) {
  const InTimeOf in_time(clock, tenant);
  return clock.now();
}

/// The time that no client moves.
inline domain::Timestamp real_now(const Clock& clock) {
  const TimeShift real(0);
  return clock.now();
}

/// The tenants of which a round ends things by their age. While the system clock is not trusted: those alone whose
/// clock was moved, because a client wants their time to pass.
enum class Tenants { all, moved };
inline bool is_among(Tenants tenants, const Clock& clock, const domain::TenantId& tenant) {
  return tenants == Tenants::all || clock.shift_of(tenant) != 0;
}

/// Banking days and cut-offs are in America/New_York; everything stored is UTC.
class BankTime {
 public:
  virtual ~BankTime() = default;
  virtual domain::Date date_at(domain::Timestamp at) const = 0;
  /// Minutes since local midnight, 0..1439.
  virtual int minute_of_day(domain::Timestamp at) const = 0;
  virtual domain::Timestamp instant(domain::Date date, int minute_of_day) const = 0;
  /// The same for the zone with this name: "America/Chicago". Null if the time-zone database does not know it.
  virtual std::unique_ptr<BankTime> in_zone(const std::string& name) const = 0;
};

}  // namespace tideover::ports
