#include "core/clock/guarded_clock.hpp"

#include <chrono>
#include <cstdlib>
#include <ctime>

#include "core/domain/basics/within.hpp"

namespace tideover::clock {
namespace {

constexpr std::int64_t kSecond = 1'000'000;
/// A larger difference is a jump. NTP also steps for more than 128 ms, but rarely beyond this limit.
constexpr std::int64_t kJump = kSecond;
/// How long the time after a jump must stay stable before it is used.
constexpr std::int64_t kHold = 600 * kSecond;
/// Smaller differences are corrected at 5 ms per second: ten times the rate of NTP.
constexpr std::int64_t kSlewPerMille = 5;
constexpr std::int64_t kLookEvery = 1000;

}  // namespace

GuardedClock::Source GuardedClock::Source::system() {
  return {[] {
            return std::chrono::duration_cast<std::chrono::microseconds>(
                       std::chrono::system_clock::now().time_since_epoch())
                .count();
          },
          [] {
            timespec now{};
            ::clock_gettime(CLOCK_BOOTTIME, &now);
            return now.tv_sec * kSecond + now.tv_nsec / 1000;
          }};
}

GuardedClock::GuardedClock(OnJump on_jump, Source source) : source_(std::move(source)), on_jump_(std::move(on_jump)) {
  looked_at_us_ = source_.steady_us();
  agreed_since_us_ = looked_at_us_;
  offset_us_ = source_.wall_us() - looked_at_us_;
}

domain::Timestamp GuardedClock::now() const {
  const std::lock_guard held(mutex_);
  const auto steady = source_.steady_us();
  if (steady - looked_at_us_ >= kLookEvery) follow(steady, source_.wall_us() - steady);
  return domain::Timestamp::from_ms((steady + offset_us_) / 1000);
}

bool GuardedClock::is_trusted() const {
  now();
  const std::lock_guard held(mutex_);
  return !doubts_ && looked_at_us_ - agreed_since_us_ >= kHold;
}

void GuardedClock::follow(std::int64_t steady_us, std::int64_t offset_us) const {
  const auto most = (steady_us - looked_at_us_) * kSlewPerMille / 1000;
  looked_at_us_ = steady_us;
  const auto ahead = offset_us - offset_us_;
  if (std::abs(ahead) <= kJump) {
    if (doubts_) agreed_since_us_ = steady_us;
    doubts_ = false;
    offset_us_ += domain::within(ahead, -most, most);
    return;
  }
  if (!doubts_ || std::abs(offset_us - doubt_.offset_us) > kJump) {
    if (!doubts_) on_jump_(Jump::seen, ahead / 1000);
    doubts_ = true;
    doubt_ = {offset_us, steady_us};
    return;
  }
  if (steady_us - doubt_.since_us < kHold) return;
  on_jump_(Jump::believed, ahead / 1000);
  doubts_ = false;
  agreed_since_us_ = steady_us;
  offset_us_ = offset_us;
}

}  // namespace tideover::clock
