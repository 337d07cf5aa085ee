// Options of the dispatcher from the settings, and its callbacks for metrics and log.
#pragma once
#include <cstdint>
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
  /// Failures this far apart may be of one outage, also where the pauses of `retries` are shorter.
  std::int64_t least_gap_ms = 0;
  int timeout_ms = 15'000;  // of one attempt
  int parallel = 512;       // attempts at the same time, each with a socket
  int parallel_per_endpoint = 5;
  int poll_ms = 500;                       // interval of checks without a poke()
  int stop_grace_ms = 2'000;               // how long stop() waits for running attempts
  std::int64_t disable_after_s = 432'000;  // an endpoint is disabled after failures for so long without a success
  /// While false, the age of a failure disables no endpoint: the clock may have jumped. Empty: always trusted.
  std::function<bool()> clock_is_trusted;
  EgressPolicy egress;
};

/// One attempt, or a delivery that ended without an attempt.
struct DeliveryReport {
  domain::TenantId tenant;
  domain::EventId event;
  domain::WebhookEndpointId endpoint;
  std::string kind;
  enum class Outcome { delivered, retry_later, dead } outcome = Outcome::delivered;
  int attempt = 0;
  int status = 0;       // HTTP status, 0 = none
  std::string problem;  // empty when delivered; never contains the body of the answer
  std::int64_t took_ms = 0;
  bool endpoint_disabled = false;  // this outcome disabled the endpoint
};

/// Each may be empty. Called on the dispatcher's threads; must not block and must not throw.
struct DispatcherObserver {
  /// Called after each successful read of the outbox, also when it was empty.
  std::function<void(std::size_t events)> published;
  std::function<void(const DeliveryReport&)> tried;
  /// The store refused, or an unexpected error occurred; the dispatcher tries again.
  std::function<void(const domain::Error&)> trouble;
};

}  // namespace tideover::events
