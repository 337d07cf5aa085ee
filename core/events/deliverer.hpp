// Sends due deliveries. Each attempt is claimed in the store before it is sent: the number of attempts increases by
// one and the next attempt is set after a lease, by compare-and-set, so no two nodes send the same attempt. If a node
// dies after sending, its claim stays; after the lease the event is sent again with the same id and bytes. Deliveries
// are made at least once (core/docs/reliability.md#webhook-deliveries, F30).
// Call the rounds from one thread; wake() from any thread.
#pragma once
#include <chrono>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "core/events/endpoint_lanes.hpp"
#include "core/events/options.hpp"
#include "core/events/sender.hpp"
#include "core/ports/clock.hpp"
#include "core/ports/store.hpp"

namespace tideover::events {

class Deliverer {
 public:
  Deliverer(ports::Store& store, const ports::Clock& clock, const DispatcherOptions& options,
            const DispatcherObserver& observer);

  /// Records results, claims and starts due deliveries, and waits up to `wait` for a result.
  void round(std::chrono::milliseconds wait);
  /// As above, without starting deliveries, until none is in progress or `grace` has passed.
  void finish(std::chrono::milliseconds grace);
  void wake() { sender_.wake(); }

 private:
  /// A due delivery and everything needed to send it, from one read.
  struct Candidate {
    ports::Delivery delivery;
    std::shared_ptr<const ports::PublishedEvent> event;       // null: no longer stored
    std::shared_ptr<const domain::WebhookEndpoint> endpoint;  // null: removed
  };
  /// One change of a delivery. It has an effect only if no attempt was made since `expected_attempts`.
  struct Change {
    ports::Delivery after;
    int expected_attempts = 0;
    bool disables_endpoint = false;
    enum class Next { report, send, nothing } next = Next::nothing;
    DeliveryReport report;
    Sender::Message message;
    bool held = false;
  };
  struct UnderWay {
    ports::Delivery delivery;
    std::string kind;
  };

  bool start_due();
  domain::Result<std::vector<Candidate>> look(std::size_t limit);
  Change plan(Candidate&& candidate, std::map<domain::WebhookEndpointId, int>& behind);
  Change outcome(const UnderWay& tried, const Sender::Answer& answer);
  /// An attempt without success: retry later, or dead.
  Change failed(ports::Delivery tried, const std::string& kind, const Sender::Answer& answer);
  bool commit(std::vector<Change>& changes);
  /// Keeps results for the next record().
  void take(const std::vector<Sender::Answer>& answers);
  /// Writes the results together with `changes`, whose state is returned in them. False if the store refused: then
  /// nothing is written, and the results are kept for the next call.
  bool record(std::vector<Change>& changes);
  void send(Change&& change);

  ports::Store& store_;
  const ports::Clock& clock_;
  const DispatcherOptions& options_;
  const DispatcherObserver& observer_;
  Sender sender_;
  EndpointLanes lanes_;
  std::minstd_rand random_;
  std::uint64_t next_ticket_ = 1;
  std::map<std::uint64_t, UnderWay> under_way_;
  std::vector<Change> unrecorded_;  // results that are not in the store yet
};

}  // namespace tideover::events
