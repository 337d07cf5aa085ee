// Limits how much may be pruned: at most a twentieth of the rows in each hour that this process has run. A wrong wall
// clock, even at start, therefore cannot make all rows look expired and remove them before an operator sees it.
#pragma once
#include <algorithm>
#include <chrono>
#include <cstddef>

namespace tideover::jobs {

class PrunePace {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// True when the caller must set the number of rows.
  bool hour_is_over(Time now) const { return now >= hour_ends_; }
  void begin_hour(Time now, std::size_t rows) {
    hour_ends_ = now + std::chrono::hours(1);
    left_ = std::max<std::size_t>(1, rows / 20);
  }
  /// Rows that may be removed in the rest of this hour.
  std::size_t left() const { return left_; }
  void pruned(std::size_t rows) { left_ -= std::min(left_, rows); }

 private:
  Time hour_ends_{};
  std::size_t left_ = 0;
};

}  // namespace tideover::jobs
