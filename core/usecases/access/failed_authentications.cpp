#include "core/usecases/access/failed_authentications.hpp"

#include <algorithm>
#include <functional>

namespace tideover::usecases {
namespace {

/// Waits double; more steps than these reach every longest wait that can be configured.
constexpr int kMostDoublings = 12;

}  // namespace

int FailedAuthentications::failed(std::string_view client_id, domain::Timestamp now) {
  if (limits_.allowed == 0) return 0;
  const std::int64_t now_ms = now.ms(), longest_ms = limits_.longest_wait_s * std::int64_t{1000};
  const std::lock_guard held(lock_);
  Failures& known = failures_[std::hash<std::string_view>{}(client_id) % kCounts];
  if (now_ms < known.quiet_since_ms)
    return static_cast<int>((std::min(known.quiet_since_ms - now_ms, longest_ms) + 999) / 1000);
  if (now_ms - known.quiet_since_ms > longest_ms) known.count = 0;
  known.quiet_since_ms = now_ms;
  if (++known.count <= limits_.allowed) return 0;
  const int doublings = std::min(known.count - limits_.allowed - 1, kMostDoublings);
  const int wait_s = std::min(1 << doublings, limits_.longest_wait_s);
  known.quiet_since_ms += wait_s * std::int64_t{1000};
  return wait_s;
}

}  // namespace tideover::usecases
