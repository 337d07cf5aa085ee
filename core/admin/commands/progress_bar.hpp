// How far a command is with its file.
#pragma once
#include <chrono>
#include <cstdint>
#include <string>

namespace tideover::main {

/// How much of the file is done, at which rate, and how long the rest takes at that rate (minutes:seconds). Begins with
/// a carriage return, so that it takes the place of the last one.
std::string progress_line(std::int64_t done_bytes, std::int64_t all_bytes, double seconds, const std::string& counts);

/// Tells it now and then.
class ProgressBar {
 public:
  explicit ProgressBar(std::int64_t all_bytes) : all_bytes_(all_bytes) {}
  /// Empty when the last line is still fresh.
  std::string line(std::int64_t done_bytes, const std::string& counts);

 private:
  using Clock = std::chrono::steady_clock;
  const std::int64_t all_bytes_;
  const Clock::time_point started_ = Clock::now();
  Clock::time_point told_ = started_;
};

}  // namespace tideover::main
