// Sends what is due. Each try is claimed in the store before it is sent: the number of attempts rises by one and the
// next try moves behind a lease, by compare-and-set, so no two nodes send the same try. A node that dies after sending
// leaves the claim behind; when the lease is over the event goes out again with the same id and the same bytes. At
// least once, never silently lost (core/docs/reliability.md#webhook-deliveries, F30).
//
// One thread calls the rounds; only wake() may be called from others.
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

  /// Records what came of tries, claims and starts what is due, waits up to `wait` for something to happen.
  void round(std::chrono::milliseconds wait);
  /// The same without starting anything, until nothing is under way or `grace` has passed.
  void finish(std::chrono::milliseconds grace);
  void wake() { sender_.wake(); }

 private:
  /// A due delivery with what sending it needs, as one read saw it.
  struct Candidate {
    ports::Delivery delivery;
    std::shared_ptr<const ports::PublishedEvent> event;       // null: no longer kept
    std::shared_ptr<const domain::WebhookEndpoint> endpoint;  // null: removed
  };
  /// One change of a delivery, made only where nobody else has tried since `expected_attempts`.
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
  /// A try that did not succeed: again later, or dead.
  Change failed(ports::Delivery tried, const std::string& kind, const Sender::Answer& answer);
  bool commit(std::vector<Change>& changes);
  /// Keeps what came of tries for the next record().
  void take(const std::vector<Sender::Answer>& answers);
  /// Writes what came of tries together with `changes`, which tell afterwards whether they are held; false when the
  /// store refused: then nothing is written, and what came of tries is kept for the next time.
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
  std::vector<Change> unrecorded_;  // what came of tries and is not in the store yet
};

}  // namespace tideover::events
