// When a failed delivery is tried again (core/docs/contract.md#webhooks). Pure; the caller brings the randomness.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

namespace tideover::events {

/// `delays_s[n]`, of which there is at least one, is the pause before try n + 1, each spread by +- `jitter_percent` so
/// that receivers which failed together are not tried together again.
struct RetrySchedule {
  std::vector<int> delays_s{0, 5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400};
  int jitter_percent = 10;

  int tries() const { return static_cast<int>(delays_s.size()); }
};

/// Milliseconds until the next try after `tries_made` failed ones, nullopt when there is none left. `chance` is 0..1.
/// `retry_after_s`, what the receiver asked for, can lengthen the pause up to the longest of the schedule (a receiver
/// must not be able to park a delivery for ever), never shorten it.
std::optional<std::int64_t> next_delay_ms(const RetrySchedule& schedule, int tries_made, double chance,
                                          std::int64_t retry_after_s);

}  // namespace tideover::events
