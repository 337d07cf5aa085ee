// The load generator: one thread, one epoll set, many keep-alive connections. Each connection sends its next request
// when the answer to its last has come, so the rate is what the server makes of it.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace tideover::bench {

struct LoadPlan {
  std::uint16_t port = 0;
  int connections = 64;
  std::chrono::milliseconds warm_up{1000};  // not counted
  std::chrono::milliseconds duration{5000};
  /// Replaces `text` by a whole request.
  std::function<void(std::string& text)> next_request;
  /// Called when the counted time begins and when it ends.
  std::function<void()> on_start = [] {}, on_end = [] {};
};

struct LoadResult {
  std::uint64_t answers = 0;   // in the counted time
  std::uint64_t refusals = 0;  // of them, those with a status other than 2xx
  std::string a_refusal;       // the first of them, as it came
  double seconds = 0;
  double p50_ms = 0, p99_ms = 0;

  double rate() const { return static_cast<double>(answers) / seconds; }
};

/// Throws std::runtime_error when a connection breaks.
LoadResult run_load(const LoadPlan& plan);

}  // namespace tideover::bench
