#include "core/admin/progress_bar.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>

namespace tideover::admin {

std::string ProgressBar::line(std::int64_t done_bytes, const std::string& counts) {
  constexpr auto kEvery = std::chrono::milliseconds(300);
  const auto now = Clock::now();
  if (now - shown_at_ < kEvery) return {};
  shown_at_ = now;
  return progress_line(done_bytes, all_bytes_, std::chrono::duration<double>(now - started_).count(), counts);
}

std::string progress_line(std::int64_t done_bytes, std::int64_t all_bytes, double seconds, const std::string& counts) {
  constexpr std::size_t kWidth = 30;
  const double part =
      all_bytes > 0 ? std::min(1.0, static_cast<double>(done_bytes) / static_cast<double>(all_bytes)) : 1.0;
  const auto left = part > 0 ? static_cast<std::int64_t>(seconds / part - seconds) : 0;
  const std::string filled(static_cast<std::size_t>(part * kWidth), '#');
  return fmt::format("\r[{:<{}}] {:>3.0f}%  {:.1f} MB/s  {}:{:02} left  {}", filled, kWidth, part * 100,
                     static_cast<double>(done_bytes) / 1e6 / std::max(seconds, 0.001), left / 60, left % 60, counts);
}

}  // namespace tideover::admin
