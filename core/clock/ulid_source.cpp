#include "core/clock/ulid_source.hpp"

#include <openssl/rand.h>

#include <cstring>
#include <stdexcept>

namespace tideover::clock {
namespace {

/// How far one id stands behind the one before it within a millisecond: random, so that ids cannot be counted from
/// outside, and small against the 80 bits there are.
constexpr std::uint64_t kStepMask = 0xffffffff;

}  // namespace

domain::Ulid UlidSource::next_ulid() {
  unsigned char random[10];
  if (RAND_bytes(random, sizeof random) != 1) throw std::runtime_error("the system has no random numbers to give");
  std::uint64_t low = 0;
  std::uint16_t high = 0;
  std::memcpy(&low, random, 8);
  std::memcpy(&high, random + 8, 2);

  const auto now = static_cast<std::uint64_t>(clock_.now().ms());
  std::lock_guard held(lock_);
  if (now > last_ms_) {
    last_ms_ = now;
    high_random_ = high & 0x7fff;  // room to grow within the millisecond
    low_random_ = low;
  } else {
    const std::uint64_t before = low_random_;
    low_random_ += (low & kStepMask) + 1;
    if (low_random_ < before && ++high_random_ == 0) ++last_ms_;
  }
  return {(last_ms_ << 16) | high_random_, low_random_};
}

}  // namespace tideover::clock
