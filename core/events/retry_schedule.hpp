// When a failed delivery is repeated (core/docs/contract.md#webhooks). Pure; the caller supplies the random number.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

namespace tideover::events {

/// `delays_s[n]` (at least one) is the pause before attempt n + 1, varied by +- `jitter_percent`, so that receivers
/// that failed together are not called together again.
struct RetrySchedule {
  std::vector<int> delays_s{0, 5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400};
  int jitter_percent = 10;

  int tries() const { return static_cast<int>(delays_s.size()); }
  std::int64_t longest_pause_ms() const;
  /// The pause between the first two attempts; 0 when there is one attempt only.
  std::int64_t first_pause_ms() const { return delays_s.size() > 1 ? std::int64_t{delays_s[1]} * 1000 : 0; }
};

/// Milliseconds until the next attempt after `tries_made` failed ones; nullopt when none is left. `chance` is 0..1.
/// `retry_after_s`, sent by the receiver, can extend the pause up to the longest of the schedule, so that a receiver
/// cannot postpone a delivery for ever. It never shortens the pause.
std::optional<std::int64_t> next_delay_ms(const RetrySchedule& schedule, int tries_made, double chance,
                                          std::int64_t retry_after_s);

}  // namespace tideover::events
