// What the dispatcher is told by the settings, and what it tells to metrics and the log.
#pragma once
#include <functional>
#include <string>

#include "core/domain/basics/tenant.hpp"
#include "core/domain/operations/event.hpp"
#include "core/events/address_guard.hpp"
#include "core/events/retry_schedule.hpp"

namespace tideover::events {

struct DispatcherOptions {
  domain::Environment environment = domain::Environment::production;
  RetrySchedule retries;
  int timeout_ms = 15'000;  // of one try
  int parallel = 512;       // tries under way at once, each a socket
  int parallel_per_endpoint = 5;
  int poll_ms = 500;          // how often to look without a poke()
  int stop_grace_ms = 2'000;  // how long stop() lets tries under way finish
  EgressPolicy egress;
};

/// One try, or a delivery that ended without one.
struct DeliveryReport {
  domain::TenantId tenant;
  domain::EventId event;
  domain::WebhookEndpointId endpoint;
  std::string kind;
  enum class Outcome { delivered, retry_later, dead } outcome = Outcome::delivered;
  int attempt = 0;
  int status = 0;       // HTTP status, 0 = none
  std::string problem;  // empty when delivered; never anything of the answer's body
  std::int64_t took_ms = 0;
  bool endpoint_disabled = false;  // the receiver said 410
};

/// Each may be left empty. Called on the dispatcher's threads: they must not block and must not throw.
struct DispatcherObserver {
  /// Behind every look at the outbox that the store let succeed, also when there was nothing to publish.
  std::function<void(std::size_t events)> published;
  std::function<void(const DeliveryReport&)> tried;
  /// The store refused, or something unforeseen; the dispatcher goes on and tries again.
  std::function<void(const domain::Error&)> trouble;
};

}  // namespace tideover::events
