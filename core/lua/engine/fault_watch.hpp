// Detects a rule that fails too often: on more than kMostFaults of its last kCallsWatched calls. Thread-safe.
#pragma once
#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>

namespace tideover::lua {

class FaultWatch {
 public:
  static constexpr std::uint64_t kCallsWatched = 100;
  static constexpr std::uint64_t kMostFaults = 5;

  struct TooMany {
    std::uint64_t faults, calls;
  };

  /// Calls are counted from the first fault on.
  bool is_watching() const { return is_watching_.load(std::memory_order_relaxed); }
  void went_well() { calls_.fetch_add(1, std::memory_order_relaxed); }
  void failed() {
    const std::lock_guard lock(mutex_);
    is_watching_.store(true, std::memory_order_relaxed);
    const auto call = calls_.fetch_add(1, std::memory_order_relaxed) + 1;
    latest_[faults_++ % latest_.size()] = call;
    const auto span = call - latest_[faults_ % latest_.size()] + 1;  // from the oldest of the latest faults to this one
    if (!too_many_ && faults_ >= latest_.size() && span <= kCallsWatched) too_many_ = TooMany{latest_.size(), span};
  }
  /// The state when the limit was exceeded for the first time.
  std::optional<TooMany> too_many() const {
    const std::lock_guard lock(mutex_);
    return too_many_;
  }

 private:
  std::atomic<bool> is_watching_{false};
  std::atomic<std::uint64_t> calls_{0};
  mutable std::mutex mutex_;
  std::array<std::uint64_t, kMostFaults + 1>
      latest_{};  // numbers of the latest failed calls; guarded by mutex_, as the following members
  std::uint64_t faults_ = 0;
  std::optional<TooMany> too_many_;
};

}  // namespace tideover::lua
