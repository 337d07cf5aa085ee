// The outbox dispatcher: from committed events to signed webhooks at the receivers (core/docs/contract.md#webhooks).
// One thread publishes, one delivers; the first looks when poked, the second when the first made something to deliver,
// and both every poll_ms, so a lost poke or another node's event costs no more than that. Any number of nodes may run
// one over the same store.
#pragma once
#include <condition_variable>
#include <mutex>
#include <thread>

#include "core/events/deliverer.hpp"
#include "core/events/options.hpp"
#include "core/events/publisher.hpp"

namespace tideover::events {

class Dispatcher {
 public:
  /// `store` and `clock` outlive the dispatcher. Throws std::runtime_error when libcurl cannot start.
  Dispatcher(ports::Store& store, const ports::Clock& clock, DispatcherOptions options,
             DispatcherObserver observer = {});
  ~Dispatcher();  // stops
  Dispatcher(const Dispatcher&) = delete;
  Dispatcher& operator=(const Dispatcher&) = delete;

  void start();
  /// Starts no further try, lets those under way finish for stop_grace_ms and returns; the others are tried again by
  /// their leases. Takes no longer than the grace and one call into the store.
  void stop();
  /// "An event was committed": look now. Cheap, thread-safe.
  void poke();

 private:
  void publish_until_stopped();
  void deliver_until_stopped();
  void publish_all();
  void tell_trouble(const domain::Error& error) const;

  const DispatcherOptions options_;
  const DispatcherObserver observer_;
  Publisher publisher_;
  Deliverer deliverer_;

  std::mutex mutex_;
  std::condition_variable changed_;
  bool poked_ = false;     // under mutex_
  bool stopping_ = false;  // under mutex_
  std::thread publishing_;
  std::thread delivering_;
};

}  // namespace tideover::events
