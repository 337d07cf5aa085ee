// A store in front of a real one that lets its process "die": after so many commits nothing gets through any more.
// Also counts commits. Thread-safe.
#pragma once
#include <atomic>
#include <limits>

#include "core/ports/store.hpp"

namespace tideover::fakes {

class InterruptedStore final : public ports::Store {
 public:
  explicit InterruptedStore(ports::Store& real) : real_(real) {}

  void die_after(int commits) { left_ = commits; }
  void revive() { left_ = kForever; }
  /// The n-th commit from now on (from 1) is undone by another writer's.
  void collide_at_commit(int n) { until_collision_ = n; }

  domain::Status read(const std::function<void(const ports::Records&)>& look) override { return real_.read(look); }
  domain::Status commit(const Unit& unit, ports::Priority priority) override {
    if (left_.fetch_sub(1) <= 0) return domain::Error::of(domain::ErrorCode::service_unavailable, "The process has died.");
    if (until_collision_.fetch_sub(1) == 1) return domain::Error::of(domain::ErrorCode::conflict, "Another writer was first.");
    return real_.commit(unit, priority);
  }

 private:
  static constexpr int kForever = std::numeric_limits<int>::max() / 2;
  ports::Store& real_;
  std::atomic<int> left_{kForever};
  std::atomic<int> until_collision_{0};
};

}  // namespace tideover::fakes
