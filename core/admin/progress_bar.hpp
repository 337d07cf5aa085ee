// Progress of a command in its file.
#pragma once
#include <chrono>
#include <cstdint>
#include <string>

namespace tideover::admin {

/// A line with the done part of the file, the rate and the remaining time at that rate (minutes:seconds). It starts
/// with a carriage return, so that it replaces the previous line.
std::string progress_line(std::int64_t done_bytes, std::int64_t all_bytes, double seconds, const std::string& counts);

/// Formats a progress line at intervals.
class ProgressBar {
 public:
  explicit ProgressBar(std::int64_t all_bytes) : all_bytes_(all_bytes) {}
  /// Empty when the last line is recent.
  std::string line(std::int64_t done_bytes, const std::string& counts);

 private:
  using Clock = std::chrono::steady_clock;
  const std::int64_t all_bytes_;
  const Clock::time_point started_ = Clock::now();
  Clock::time_point shown_at_ = started_;
};

}  // namespace tideover::admin
