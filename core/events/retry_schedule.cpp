#include "core/events/retry_schedule.hpp"

#include <algorithm>

#include "core/domain/basics/within.hpp"

namespace tideover::events {

std::int64_t RetrySchedule::longest_pause_ms() const {
  const std::int64_t planned_ms = std::int64_t{*std::max_element(delays_s.begin(), delays_s.end())} * 1000;
  return planned_ms + planned_ms * jitter_percent / 100;
}

std::optional<std::int64_t> next_delay_ms(const RetrySchedule& schedule, int tries_made, double chance,
                                          std::int64_t retry_after_s) {
  if (tries_made >= schedule.tries()) return std::nullopt;
  const std::int64_t planned_ms = std::int64_t{schedule.delays_s[static_cast<std::size_t>(tries_made)]} * 1000;
  const double spread = static_cast<double>(planned_ms) * schedule.jitter_percent / 100.0;
  const std::int64_t jittered_ms = planned_ms + static_cast<std::int64_t>(spread * (2 * chance - 1));
  const std::int64_t longest_s = *std::max_element(schedule.delays_s.begin(), schedule.delays_s.end());
  return std::max(jittered_ms, domain::within<std::int64_t>(retry_after_s, 0, longest_s) * 1000);
}

}  // namespace tideover::events
