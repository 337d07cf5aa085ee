// Allows a number of lines per period, and counts those beyond. Thread-safe.
#pragma once
#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>

namespace tideover::plugin_host {

class RateLimit {
 public:
  using Clock = std::chrono::steady_clock;
  RateLimit(int most, std::chrono::seconds span) : most_(most), span_(span) {}

  /// The number of lines omitted since the last allowed one; nullopt = omit this one too.
  std::optional<std::uint64_t> take(Clock::time_point now = Clock::now()) {
    const std::lock_guard<std::mutex> guard(mutex_);
    if (now - began_ >= span_) {
      began_ = now;
      taken_ = 0;
    }
    if (taken_ == most_) {
      ++left_out_;
      return std::nullopt;
    }
    ++taken_;
    const auto left_out = left_out_;
    left_out_ = 0;
    return left_out;
  }

 private:
  const int most_;
  const std::chrono::seconds span_;
  std::mutex mutex_;
  Clock::time_point began_{};  // guarded by mutex_, as the following members
  int taken_ = 0;
  std::uint64_t left_out_ = 0;
};

}  // namespace tideover::plugin_host
