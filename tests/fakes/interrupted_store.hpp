// A store in front of a real one that lets its process "die": after so many commits nothing gets through any more.
// A commit may also lose its answer, or be overtaken. Thread-safe.
#pragma once
#include <atomic>
#include <functional>
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

  /// The n-th commit from now on is kept, and its answer lost.
  void lose_answer_of_commit(int n) { until_lost_answer_ = n; }
  /// The n-th commit from now on is lost, and so is its answer.
  void lose_commit(int n) { until_lost_commit_ = n; }
  /// Runs before the n-th commit from now on: a concurrent change by another writer.
  void before_commit(int n, std::function<void()> meanwhile) {
    meanwhile_ = std::move(meanwhile);
    until_meanwhile_ = n;
  }

  domain::Status read(const std::function<void(const ports::Records&)>& look) override { return real_.read(look); }
  domain::Status commit(const Unit& unit, ports::Priority priority) override {
    if (left_.fetch_sub(1) <= 0)
      return domain::Error::of(domain::ErrorCode::service_unavailable, "The process has died.");
    if (until_collision_.fetch_sub(1) == 1)
      return domain::Error::of(domain::ErrorCode::conflict, "Another writer was first.");
    if (until_meanwhile_.fetch_sub(1) == 1) meanwhile_();
    if (until_lost_commit_.fetch_sub(1) == 1) return no_answer();
    const auto done = real_.commit(unit, priority);
    return until_lost_answer_.fetch_sub(1) == 1 ? domain::Status(no_answer()) : done;
  }

 private:
  static domain::Error no_answer() {
    return domain::Error::of(domain::ErrorCode::service_unavailable, "The database did not answer.")
        .with("outcome", "uncertain");
  }

  static constexpr int kForever = std::numeric_limits<int>::max() / 2;
  ports::Store& real_;
  std::atomic<int> left_{kForever};
  std::atomic<int> until_collision_{0};
  std::atomic<int> until_lost_answer_{0};
  std::atomic<int> until_lost_commit_{0};
  std::atomic<int> until_meanwhile_{0};
  std::function<void()> meanwhile_;
};

}  // namespace tideover::fakes
