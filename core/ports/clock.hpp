// Wall-clock time. Tests and the sandbox move it; timeouts use the monotonic clock.
#pragma once
#include <string>

#include "core/domain/basics/date.hpp"

namespace tideover::ports {

class Clock {
 public:
  virtual ~Clock() = default;
  virtual domain::Timestamp now() const = 0;
};

/// Banking days and cut-offs are in America/New_York; everything stored is UTC.
class BankTime {
 public:
  virtual ~BankTime() = default;
  virtual domain::Date date_at(domain::Timestamp at) const = 0;
  /// Minutes since local midnight, 0..1439.
  virtual int minute_of_day(domain::Timestamp at) const = 0;
  virtual domain::Timestamp instant(domain::Date date, int minute_of_day) const = 0;
  /// Whether the time-zone database knows the name: "America/New_York".
  virtual bool is_time_zone(const std::string& name) const = 0;
};

}  // namespace tideover::ports
