// Time-ordered identifiers: milliseconds of the wall clock, then random bits that only grow within a millisecond. When
// the clock steps back, ids continue from the last one. Thread-safe.
#pragma once
#include <array>
#include <cstddef>
#include <mutex>

#include "core/ports/clock.hpp"
#include "core/ports/id_source.hpp"

namespace tideover::clock {

class UlidSource final : public ports::IdSource {
 public:
  explicit UlidSource(const ports::Clock& clock) : clock_(clock) {}
  domain::Ulid next_ulid() override;

 private:
  struct Random {
    std::uint16_t high;
    std::uint64_t low;
  };
  Random next_random();

  const ports::Clock& clock_;
  std::mutex lock_;
  std::uint64_t last_ms_ = 0;
  std::uint16_t high_random_ = 0;
  std::uint64_t low_random_ = 0;
  // Drawn for many ids at once: a call of the generator costs twenty times as much as the rest of an id.
  std::array<unsigned char, std::size_t{128} * 10> pool_{};
  std::size_t pool_used_ = pool_.size();
};

}  // namespace tideover::clock
