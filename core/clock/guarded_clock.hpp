// The wall clock of the system, protected against jumps. Small differences are corrected slowly, as NTP does. After a
// jump (a wrong time server, a manual change, a moved guest) time continues by the monotonic clock until the new time
// has been stable for a while, so that no lease, token, settlement or stored answer ends because of the jump. A clock
// that runs too fast is never followed. A wrong time at start cannot be detected. Thread-safe.
#pragma once
#include <cstdint>
#include <functional>
#include <mutex>

#include "core/ports/clock.hpp"

namespace tideover::clock {

class GuardedClock final : public ports::Clock {
 public:
  /// Microseconds of the monotonic clock, which also counts while the machine sleeps.
  struct Source {
    std::function<std::int64_t()> wall_us, steady_us;
    static Source system();
  };
  enum class Jump { seen, believed };
  /// `by_ms`: how far the system clock is ahead of the returned time. Called on the thread that reads the time; must
  /// not throw and must not read the time.
  using OnJump = std::function<void(Jump jump, std::int64_t by_ms)>;

  explicit GuardedClock(
      OnJump on_jump = [](Jump, std::int64_t) {}, Source source = Source::system());

  domain::Timestamp now() const override;
  /// True when the system clock has been stable since the start for as long as after a jump. The removal of old data
  /// waits for this.
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
  mutable std::int64_t offset_us_;        // returned time minus monotonic clock
  mutable std::int64_t agreed_since_us_;  // on the monotonic clock
  mutable std::int64_t looked_at_us_;     // on the monotonic clock
  mutable bool doubts_ = false;
  mutable Doubt doubt_;
};

}  // namespace tideover::clock
