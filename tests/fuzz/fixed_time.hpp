// The clock and the bank's time of the plugin host.
#pragma once
#include "core/ports/clock.hpp"

namespace tideover::fuzz {

/// Stands still, so that the same bytes are read the same way in every run.
class FixedTime final : public ports::Clock, public ports::BankTime {
 public:
  domain::Timestamp now() const override { return domain::Timestamp::from_ms(1'763'640'000'000); }
  domain::Date date_at(domain::Timestamp at) const override { return at.utc_date(); }
  int minute_of_day(domain::Timestamp at) const override { return static_cast<int>(at.ms() % 86'400'000 / 60'000); }
  domain::Timestamp instant(domain::Date date, int minute) const override {
    return domain::Timestamp::from_ms(date.days() * std::int64_t{86'400'000} + minute * std::int64_t{60'000});
  }
  std::unique_ptr<ports::BankTime> in_zone(const std::string&) const override { return std::make_unique<FixedTime>(); }
};

}  // namespace tideover::fuzz
