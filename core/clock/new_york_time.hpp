// Banking time: America/New_York, from the system's time-zone database. Thread-safe.
#pragma once
#include "core/ports/clock.hpp"

namespace tideover::clock {

class NewYorkTime final : public ports::BankTime {
 public:
  /// Throws std::runtime_error, with instructions, when the time-zone database is not installed.
  NewYorkTime();
  domain::Date date_at(domain::Timestamp at) const override;
  int minute_of_day(domain::Timestamp at) const override;
  /// For a minute that a clock change skips or repeats: its first instant.
  domain::Timestamp instant(domain::Date date, int minute_of_day) const override;
  bool is_time_zone(const std::string& name) const override;

 private:
  const void* zone_;  // date::time_zone, which is valid until the process ends
};

}  // namespace tideover::clock
