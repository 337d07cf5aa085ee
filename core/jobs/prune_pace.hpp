// How much may be pruned now: at most a twentieth of what there is in each hour that this process has run. A wall clock that
// is wrong, even from the start on, then cannot make everything look expired and be gone before somebody notices.
#pragma once
#include <algorithm>
#include <chrono>
#include <cstddef>

namespace tideover::jobs {

class PrunePace {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// Rows that may go now, of `rows` that there are.
  std::size_t allowance(Time now, std::size_t rows) {
    if (now >= hour_ends_) {
      hour_ends_ = now + std::chrono::hours(1);
      left_ = std::max<std::size_t>(1, rows / 20);
    }
    return left_;
  }
  void pruned(std::size_t rows) { left_ -= std::min(left_, rows); }

 private:
  Time hour_ends_{};
  std::size_t left_ = 0;
};

}  // namespace tideover::jobs
