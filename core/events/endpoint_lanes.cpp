#include "core/events/endpoint_lanes.hpp"

#include <algorithm>

#include "core/domain/basics/within.hpp"

namespace tideover::events {

bool EndpointLanes::begin(const domain::WebhookEndpointId& endpoint, Instant now) {
  Lane& lane = lanes_[endpoint];
  if (lane.under_way >= parallel_) return false;
  ++lane.under_way;
  lane.last_begun = now;
  return true;
}

void EndpointLanes::end(const domain::WebhookEndpointId& endpoint, std::int64_t took_ms) {
  const auto lane = lanes_.find(endpoint);
  if (lane == lanes_.end()) return;
  lane->second.typical_ms = (3 * lane->second.typical_ms + took_ms) / 4;
  cancel(endpoint);
}

void EndpointLanes::cancel(const domain::WebhookEndpointId& endpoint) {
  const auto lane = lanes_.find(endpoint);
  if (lane != lanes_.end() && --lane->second.under_way == 0) lanes_.erase(lane);
}

std::int64_t EndpointLanes::pause_ms(const domain::WebhookEndpointId& endpoint, int position, Instant now) const {
  constexpr std::int64_t kShortestMs = 20;
  constexpr std::int64_t kLongestMs = 60'000;
  const auto lane = lanes_.find(endpoint);
  if (lane == lanes_.end()) return kShortestMs;
  // A lane without progress counts as slow as the time of its standstill, although none of its attempts has ended.
  const auto silent_ms = std::chrono::duration_cast<std::chrono::milliseconds>(now - lane->second.last_begun).count();
  const std::int64_t each_ms = std::max<std::int64_t>(lane->second.typical_ms, silent_ms);
  return domain::within(each_ms * (position / parallel_ + 1), kShortestMs, kLongestMs);
}

}  // namespace tideover::events
