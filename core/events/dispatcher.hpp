// The outbox dispatcher: sends committed events as signed webhooks to the receivers (core/docs/contract.md#webhooks).
// One thread publishes, one delivers. The first runs when poked, the second when there are new deliveries, and both
// every poll_ms, so a lost poke or an event of another node is delayed by no more than that. Any number of nodes may
// run a dispatcher on the same store.
#pragma once
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

#include "core/events/deliverer.hpp"
#include "core/events/options.hpp"
#include "core/events/publisher.hpp"

namespace tideover::events {

class Dispatcher {
 public:
  /// `store`, `clock` and `ids` must outlive the dispatcher. Throws std::runtime_error when libcurl cannot start.
  Dispatcher(ports::Store& store, const ports::Clock& clock, ports::IdSource& ids, DispatcherOptions options,
             DispatcherObserver observer = {});
  ~Dispatcher();  // stops
  Dispatcher(const Dispatcher&) = delete;
  Dispatcher& operator=(const Dispatcher&) = delete;

  void start();
  /// Starts no further attempt, waits stop_grace_ms for running attempts and returns; the others are repeated after
  /// their leases. Takes no longer than the grace period and one call of the store.
  void stop();
  /// Reports that an event was committed. Cheap, thread-safe.
  void poke();

 private:
  void publish_until(const std::stop_token& stop);
  void deliver_until(const std::stop_token& stop);
  void publish_all(const std::stop_token& stop);
  void tell_trouble(const domain::Error& error) const;

  const DispatcherOptions options_;
  const DispatcherObserver observer_;
  Publisher publisher_;
  Deliverer deliverer_;

  std::mutex mutex_;
  std::condition_variable_any changed_;
  bool poked_ = false;  // guarded by mutex_
  std::jthread publishing_;
  std::jthread delivering_;
};

}  // namespace tideover::events
