// The arithmetic of one token bucket: `capacity` tokens, refilled evenly. Pure: the caller gives the time, which must
// not go back. Not thread-safe.
#pragma once
#include <algorithm>
#include <chrono>

namespace tideover::http {

/// 0 per second: no limit. Burst 0: the tokens of one second.
struct Rate {
  int per_second = 0;
  int burst = 0;

  bool limits() const { return per_second > 0; }
  int capacity() const { return burst > 0 ? burst : per_second; }
  std::chrono::nanoseconds interval() const { return std::chrono::nanoseconds(1'000'000'000 / per_second); }
};

class TokenBucket {
 public:
  using Time = std::chrono::steady_clock::time_point;
  struct Taken {
    bool allowed = false;
    int remaining = 0;                 // whole tokens
    std::chrono::nanoseconds wait{0};  // until the next token; 0 when allowed
    std::chrono::nanoseconds until_full{0};
  };

  /// Takes one token; changes nothing when there is none. `rate` must limit.
  Taken take(const Rate& rate, Time now) {
    const auto interval = rate.interval();
    const auto depth = interval * rate.capacity();
    const Time start = std::max(full_at_, now);
    const auto until_full = start + interval - now;
    if (until_full > depth) return {false, 0, until_full - depth, start - now};
    full_at_ = start + interval;
    return {true, static_cast<int>((depth - until_full) / interval), std::chrono::nanoseconds(0), until_full};
  }
  /// Undoes one take.
  void give_back(const Rate& rate) { full_at_ -= rate.interval(); }
  /// A full bucket equals a new one.
  bool is_full(Time now) const { return full_at_ <= now; }

 private:
  Time full_at_{};
};

}  // namespace tideover::http
