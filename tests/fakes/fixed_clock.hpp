// A clock that stands still until a test moves it. Thread-safe.
#pragma once
#include <atomic>

#include "core/ports/clock.hpp"

namespace tideover::fakes {

class FixedClock : public ports::Clock {
 public:
  /// Friday 2026-11-20, 15:00 UTC: 10:00 in New York.
  domain::Timestamp now() const override { return domain::Timestamp::from_ms(ms_); }
  void advance_s(std::int64_t seconds) { ms_ += seconds * 1000; }
  void advance_days(int days) { advance_s(days * std::int64_t{86'400}); }

 private:
  std::atomic<std::int64_t> ms_{1'795'186'800'000};
};

}  // namespace tideover::fakes
