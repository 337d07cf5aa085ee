#include "core/clock/ulid_source.hpp"

#include <openssl/rand.h>

#include <cstring>
#include <stdexcept>

namespace tideover::clock {
namespace {

/// Distance between two ids of the same millisecond: random, so that ids cannot be counted by clients, and small
/// compared with the 80 random bits.
constexpr std::uint64_t kStepMask = 0xffffffff;

}  // namespace

UlidSource::Random UlidSource::next_random() {
  if (pool_used_ == pool_.size()) {
    if (RAND_bytes(pool_.data(), static_cast<int>(pool_.size())) != 1)
      throw std::runtime_error("the system has no random numbers");
    pool_used_ = 0;
  }
  Random random{};
  std::memcpy(&random.low, pool_.data() + pool_used_, 8);
  std::memcpy(&random.high, pool_.data() + pool_used_ + 8, 2);
  pool_used_ += 10;
  return random;
}

domain::Ulid UlidSource::next_ulid() {
  const auto now = static_cast<std::uint64_t>(clock_.now().ms());
  std::lock_guard held(lock_);
  const auto [high, low] = next_random();
  if (now > last_ms_) {
    last_ms_ = now;
    high_random_ = high & 0x7fff;  // leaves space to grow within the millisecond
    low_random_ = low;
  } else {
    const std::uint64_t before = low_random_;
    low_random_ += (low & kStepMask) + 1;
    if (low_random_ < before && ++high_random_ == 0) ++last_ms_;
  }
  return {(last_ms_ << 16) | high_random_, low_random_};
}

}  // namespace tideover::clock
