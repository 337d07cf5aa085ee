// Publishes events from the outbox: each gets the next number in the gap-free sequence of its tenant, its final
// envelope and one delivery per subscribed endpoint, all in one unit. Two nodes that publish at once collide on the
// sequence number; the store refuses one of them completely, and it retries. Stateless, thread-safe.
#pragma once
#include "core/events/options.hpp"
#include "core/ports/clock.hpp"
#include "core/ports/store.hpp"

namespace tideover::events {

struct Published {
  std::size_t events = 0;
  std::size_t deliveries = 0;  // created for these events
};

class Publisher {
 public:
  static constexpr std::size_t kBatch = 200;  // maximum number of events at once

  Publisher(ports::Store& store, const ports::Clock& clock, const DispatcherOptions& options)
      : store_(store), clock_(clock), options_(options) {}

  /// Publishes one batch, oldest first, and returns its counts; no events means that the outbox is empty. `conflict`:
  /// another node was first, call again.
  domain::Result<Published> publish_batch();

 private:
  ports::Store& store_;
  const ports::Clock& clock_;
  const DispatcherOptions& options_;
};

}  // namespace tideover::events
