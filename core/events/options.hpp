// Settings of the dispatcher, and its reports to metrics and log. Values.
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
  int timeout_ms = 15'000;  // of one attempt
  int parallel = 512;       // concurrent attempts, one socket each
  int parallel_per_endpoint = 5;
  int poll_ms = 500;          // polling period without poke()
  int stop_grace_ms = 2'000;  // how long stop() lets running attempts finish
  EgressPolicy egress;
};

/// One attempt, or a delivery that ended without one.
struct DeliveryReport {
  domain::TenantId tenant;
  domain::EventId event;
  domain::WebhookEndpointId endpoint;
  std::string kind;
  enum class Outcome { delivered, retry_later, dead } outcome = Outcome::delivered;
  int attempt = 0;
  int status = 0;       // HTTP status, 0 = none
  std::string problem;  // empty if delivered; never part of the response body
  std::int64_t took_ms = 0;
  bool endpoint_disabled = false;  // the receiver answered 410
};

/// Each may be empty. Called on the threads of the dispatcher: they must not block and must not throw.
struct DispatcherObserver {
  /// After every successful read of the outbox, also if there was nothing to publish.
  std::function<void(std::size_t events)> published;
  std::function<void(const DeliveryReport&)> tried;
  /// The store refused, or an unexpected error; the dispatcher continues and retries.
  std::function<void(const domain::Error&)> trouble;
};

}  // namespace tideover::events
