#include "core/usecases/access/failed_authentications.hpp"

#include <algorithm>

namespace tideover::usecases {
namespace {

/// Waits double; more steps than these reach every longest wait that can be configured.
constexpr int kMostDoublings = 12;

}  // namespace

int FailedAuthentications::failed(const std::optional<domain::ClientId>& client, domain::Timestamp now) {
  if (limits_.allowed == 0) return 0;
  const std::int64_t now_ms = now.ms(), longest_ms = limits_.longest_wait_s * std::int64_t{1000};
  const std::lock_guard held(lock_);
  if (failures_.size() >= kMostClients) evict(now_ms);
  Failures& known = failures_[client ? client->text() : std::string()];
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

std::size_t FailedAuthentications::size() const {
  const std::lock_guard held(lock_);
  return failures_.size();
}

/// Entries are of known clients, so more than these have failures at one time only in an attack with many known ids.
void FailedAuthentications::evict(std::int64_t now_ms) {
  std::erase_if(failures_, [&](const auto& entry) {
    return now_ms - entry.second.quiet_since_ms > limits_.longest_wait_s * std::int64_t{1000};
  });
  if (failures_.size() >= kMostClients) failures_.clear();
}

}  // namespace tideover::usecases
