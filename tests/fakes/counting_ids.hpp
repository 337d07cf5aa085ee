// Identifiers that count up from one, and bear the time of a clock where a test gives one. Thread-safe.
#pragma once
#include <atomic>

#include "core/ports/clock.hpp"
#include "core/ports/id_source.hpp"

namespace tideover::fakes {

class CountingIds final : public ports::IdSource {
 public:
  domain::Ulid next_ulid() override {
    return {clock_ ? static_cast<std::uint64_t>(clock_->now().ms()) << 16 : 0, ++last_};
  }
  /// Call before the first id is made.
  void bear_time_of(const ports::Clock& clock) { clock_ = &clock; }
  /// From now on as a node does whose clock reads otherwise.
  void count_on_from(std::uint64_t last) { last_ = last; }

 private:
  std::atomic<std::uint64_t> last_{0};
  const ports::Clock* clock_ = nullptr;
};

}  // namespace tideover::fakes
