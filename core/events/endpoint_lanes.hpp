// How many tries each endpoint has under way. A lane that is full sends its further deliveries away for about as long
// as it takes to get through those before them; so a receiver that hangs, with thousands of deliveries waiting for it,
// does not fill the head of the queue that all endpoints share. Not thread-safe; the deliverer's own.
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

  /// Takes a place in the endpoint's lane; false when it is full.
  bool begin(const domain::WebhookEndpointId& endpoint, Instant now);
  void end(const domain::WebhookEndpointId& endpoint, std::int64_t took_ms);
  /// Gives a place back that was not used.
  void cancel(const domain::WebhookEndpointId& endpoint);
  /// How long the delivery at `position` (0, 1, …) behind a full lane should stay away.
  std::int64_t pause_ms(const domain::WebhookEndpointId& endpoint, int position, Instant now) const;

 private:
  struct Lane {
    int under_way = 0;
    Instant last_begun;
    std::int64_t typical_ms = 20;  // a moving average of its tries
  };

  int parallel_;
  std::map<domain::WebhookEndpointId, Lane> lanes_;  // those with tries under way
};

}  // namespace tideover::events
