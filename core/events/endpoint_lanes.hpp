// Number of running attempts per endpoint. A full lane postpones further deliveries for about as long as the deliveries
// before them take. A receiver that hangs with thousands of waiting deliveries therefore does not block the shared
// queue. Not thread-safe; used by the deliverer only.
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

  /// Reserves a slot in the endpoint's lane; false when it is full.
  bool begin(const domain::WebhookEndpointId& endpoint, Instant now);
  void end(const domain::WebhookEndpointId& endpoint, std::int64_t took_ms);
  /// Releases an unused slot.
  void cancel(const domain::WebhookEndpointId& endpoint);
  /// How long the delivery at `position` (0, 1, …) behind a full lane is postponed.
  std::int64_t pause_ms(const domain::WebhookEndpointId& endpoint, int position, Instant now) const;

 private:
  struct Lane {
    int under_way = 0;
    Instant last_begun;
    std::int64_t typical_ms = 20;  // moving average of its attempts
  };

  int parallel_;
  std::map<domain::WebhookEndpointId, Lane> lanes_;  // endpoints with running attempts
};

}  // namespace tideover::events
