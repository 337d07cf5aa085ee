// Publishes events of the outbox. Each gets the next number of its tenant's gap-free sequence, its final envelope and
// one delivery per subscribed endpoint, all in one unit of work. Two nodes that publish at the same time conflict on
// the sequence number; the store refuses one unit, and that node tries again. Stateless, thread-safe.
#pragma once
#include "core/events/options.hpp"
#include "core/ports/clock.hpp"
#include "core/ports/store.hpp"

namespace tideover::events {

struct Published {
  std::size_t events = 0;
  std::size_t deliveries = 0;  // deliveries created
};

class Publisher {
 public:
  static constexpr std::size_t kBatch = 200;  // largest number of events per batch

  Publisher(ports::Store& store, const ports::Clock& clock, const DispatcherOptions& options)
      : store_(store), clock_(clock), options_(options) {}

  /// Publishes one batch, oldest first, and returns its size; no events = the outbox is empty. Error `conflict`:
  /// another node was first, call again.
  domain::Result<Published> publish_batch();

 private:
  ports::Store& store_;
  const ports::Clock& clock_;
  const DispatcherOptions& options_;
};

}  // namespace tideover::events
