// The times of retries of failed deliveries (core/docs/contract.md#webhooks). Pure functions; the caller provides the
// random value.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

namespace tideover::events {

/// `delays_s[n]` (at least one entry) is the pause before attempt n + 1, varied by +- `jitter_percent`, so that
/// receivers that failed together are not retried together.
struct RetrySchedule {
  std::vector<int> delays_s{0, 5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400};
  int jitter_percent = 10;

  int tries() const { return static_cast<int>(delays_s.size()); }
};

/// Milliseconds until the next attempt after `tries_made` failed ones; nullopt if none is left. `chance` is 0..1.
/// `retry_after_s` of the receiver can lengthen the pause up to the longest of the schedule (a receiver must not
/// postpone a delivery without limit), never shorten it.
std::optional<std::int64_t> next_delay_ms(const RetrySchedule& schedule, int tries_made, double chance,
                                          std::int64_t retry_after_s);

}  // namespace tideover::events
