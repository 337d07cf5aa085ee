// Time-ordered identifiers: milliseconds of the wall clock, then random bits that only grow within a millisecond. A clock
// that steps back does not make them fall: they go on from the last one. Thread-safe.
#pragma once
#include <mutex>

#include "core/ports/clock.hpp"
#include "core/ports/id_source.hpp"

namespace tideover::clock {

class UlidSource final : public ports::IdSource {
 public:
  explicit UlidSource(const ports::Clock& clock) : clock_(clock) {}
  domain::Ulid next_ulid() override;

 private:
  const ports::Clock& clock_;
  std::mutex lock_;
  std::uint64_t last_ms_ = 0;
  std::uint16_t high_random_ = 0;
  std::uint64_t low_random_ = 0;
};

}  // namespace tideover::clock
