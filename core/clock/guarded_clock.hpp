// The system's wall clock, not believed blindly. Small differences are followed slowly, as NTP makes them. A jump - a
// wrong time server, a hand on the clock, a guest that was moved - is not followed until it has stood for a while:
// until then time goes on by the monotonic clock, so that no lease, token, settlement or stored answer ends by a jump.
// A clock that runs too fast is never believed. What was wrong at the start cannot be known here. Thread-safe.
#pragma once
#include <cstdint>
#include <functional>
#include <mutex>

#include "core/ports/clock.hpp"

namespace tideover::clock {

class GuardedClock final : public ports::Clock {
 public:
  /// Microseconds; of the monotonic clock that also counts while the machine sleeps.
  struct Source {
    std::function<std::int64_t()> wall_us, steady_us;
    static Source system();
  };
  enum class Jump { seen, believed };
  /// `by_ms`: how far the system's clock is ahead of the time that is given out. Called on the thread that asked for
  /// the time; must not throw or ask for the time.
  using OnJump = std::function<void(Jump jump, std::int64_t by_ms)>;

  explicit GuardedClock(
      OnJump on_jump = [](Jump, std::int64_t) {}, Source source = Source::system());

  domain::Timestamp now() const override;
  /// Whether the system's clock has told this time for as long as it takes to believe one, since the start: what is
  /// removed because it is old waits for that.
  bool is_trusted() const;

 private:
  struct Doubt {
    std::int64_t offset_us = 0;
    std::int64_t since_us = 0;
  };
  void follow(std::int64_t steady_us, std::int64_t offset_us) const;

  const Source source_;
  const OnJump on_jump_;
  mutable std::mutex mutex_;
  mutable std::int64_t offset_us_;        // the time given out, minus the monotonic clock
  mutable std::int64_t agreed_since_us_;  // by the monotonic clock
  mutable std::int64_t looked_at_us_;     // by the monotonic clock
  mutable bool doubts_ = false;
  mutable Doubt doubt_;
};

}  // namespace tideover::clock
