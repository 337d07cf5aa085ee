// Number of concurrent attempts per endpoint. A full lane postpones further deliveries by about the time that the
// earlier ones need. So a receiver that hangs, with thousands of waiting deliveries, does not fill the head of the
// common queue. Not synchronized; used by the deliverer only.
#pragma once
#include <chrono>
#include <cstdint>
#include <map>

#include "core/domain/basics/id.hpp"

namespace tideover::events {

class EndpointLanes {
 public:
  using Instant = std::chrono::steady_clock::time_point;

  explicit EndpointLanes(int parallel_per_endpoint) : parallel_(parallel_per_endpoint) {}

  /// Reserves a slot in the lane of the endpoint; false if the lane is full.
  bool begin(const domain::WebhookEndpointId& endpoint, Instant now);
  void end(const domain::WebhookEndpointId& endpoint, std::int64_t took_ms);
  /// Returns an unused slot.
  void cancel(const domain::WebhookEndpointId& endpoint);
  /// How long to postpone the delivery at `position` (0, 1, …) in the queue of a full lane.
  std::int64_t pause_ms(const domain::WebhookEndpointId& endpoint, int position, Instant now) const;

 private:
  struct Lane {
    int under_way = 0;
    Instant last_begun;
    std::int64_t typical_ms = 20;  // moving average of the attempts' durations
  };

  int parallel_;
  std::map<domain::WebhookEndpointId, Lane> lanes_;  // those with running attempts
};

}  // namespace tideover::events
