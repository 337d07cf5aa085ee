// How much may be pruned now: at most a twentieth of what there is in each hour that this process has run. A wall clock
// that is wrong, even from the start on, then cannot make everything look expired and be gone before somebody notices.
#pragma once
#include <algorithm>
#include <chrono>
#include <cstddef>

namespace tideover::jobs {

class PrunePace {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// Then somebody has to say how many rows there are.
  bool hour_is_over(Time now) const { return now >= hour_ends_; }
  void begin_hour(Time now, std::size_t rows) {
    hour_ends_ = now + std::chrono::hours(1);
    left_ = std::max<std::size_t>(1, rows / 20);
  }
  /// Rows that may go in what is left of the hour.
  std::size_t left() const { return left_; }
  void pruned(std::size_t rows) { left_ -= std::min(left_, rows); }

 private:
  Time hour_ends_{};
  std::size_t left_ = 0;
};

}  // namespace tideover::jobs
