// Banking time: America/New_York, and the local time of other zones, from the system's time-zone database. Thread-safe.
#pragma once
#include "core/ports/clock.hpp"

namespace tideover::clock {

class ZonedTime : public ports::BankTime {
 public:
  /// A date::time_zone.
  explicit ZonedTime(const void* zone) : zone_(zone) {}
  domain::Date date_at(domain::Timestamp at) const override;
  int minute_of_day(domain::Timestamp at) const override;
  /// For a minute that a clock change skips or repeats: its first instant.
  domain::Timestamp instant(domain::Date date, int minute_of_day) const override;
  std::unique_ptr<ports::BankTime> in_zone(const std::string& name) const override;

 private:
  const void* const zone_;  // valid until the process ends
};

class NewYorkTime final : public ZonedTime {
 public:
  /// Throws std::runtime_error, with instructions, when the time-zone database is not installed.
  NewYorkTime();
};

}  // namespace tideover::clock
