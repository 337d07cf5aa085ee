// Sends due deliveries. Each attempt is claimed in the store before it is sent: compare-and-set raises the revision of
// the delivery and moves the next attempt behind a lease, so no two nodes send the same attempt. If a node dies after
// sending, the claim stays; after the lease the event is sent again with the same id and the same bytes. Delivery is at
// least once, never silently lost (core/docs/reliability.md#webhook-deliveries, F30).
//
// One thread calls the rounds; only wake() may be called from other threads.
#pragma once
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "core/crypto/webhook_signature.hpp"
#include "core/events/endpoint_lanes.hpp"
#include "core/events/options.hpp"
#include "core/events/sender.hpp"
#include "core/ports/clock.hpp"
#include "core/ports/id_source.hpp"
#include "core/ports/store.hpp"

namespace tideover::events {

class Deliverer {
 public:
  Deliverer(ports::Store& store, const ports::Clock& clock, ports::IdSource& ids, const DispatcherOptions& options,
            const DispatcherObserver& observer);

  /// Records outcomes, claims and starts due attempts, then waits up to `wait` for an event.
  void round(std::chrono::milliseconds wait);
  /// The same without starting attempts, until none is in progress or `grace` has passed.
  void finish(std::chrono::milliseconds grace);
  void wake() { sender_.wake(); }

 private:
  /// A due delivery with the data for sending it, from one read.
  struct Candidate {
    ports::Delivery delivery;
    std::shared_ptr<const ports::EventToSend> event;          // null: expired
    std::shared_ptr<const domain::WebhookEndpoint> endpoint;  // null: removed
  };
  /// A change of a delivery, made only if its revision is still that of `after`.
  struct Change {
    ports::Delivery after;
    std::optional<domain::AttemptResult> result;  // of an attempt that has ended
    enum class Next { report, send, nothing } next = Next::nothing;
    DeliveryReport report;
    Sender::Message message;
    bool held = false;
  };

  bool start_due();
  domain::Result<std::vector<Candidate>> look(std::size_t limit);
  /// False when another node moved the clock of the tenant and this one has not read it yet: the times that this node
  /// would write are not those of the tenant.
  bool is_due_here(const ports::Delivery& delivery) const;
  Change plan(Candidate&& candidate, std::map<domain::WebhookEndpointId, int>& behind);
  /// Why the delivery ends without another attempt; empty: it does not end.
  std::string end_without_try(const Candidate& candidate) const;
  /// An attempt that is claimed by the lease, or one that waits for a free place of its endpoint.
  Change claim(Candidate&& candidate, std::span<const crypto::WebhookSecret> secrets,
               std::map<domain::WebhookEndpointId, int>& behind);
  Change outcome(const ports::Delivery& tried, const Sender::Answer& answer);
  /// A failed attempt: schedules the next one, or ends the delivery.
  Change failed(ports::Delivery tried, const Sender::Answer& answer);
  bool commit(std::vector<Change>& changes);
  /// Writes what the outcomes show about their endpoints. Disables the endpoints that fail for too long.
  void judge_endpoints(ports::Records& records, std::vector<Change>& changes);
  std::optional<domain::DisabledReason> reason_to_disable(const domain::TenantId& tenant,
                                                          const domain::EndpointHealth& health,
                                                          domain::Timestamp now) const;
  domain::DisablePolicy disable_policy() const;
  /// How long a claim holds when its outcome is not written.
  std::int64_t lease_ms() const;
  /// Keeps outcomes for the next record().
  void take(const std::vector<Sender::Answer>& answers);
  /// Writes the outcomes together with `changes`, which then show whether they were written. False when the store
  /// refused: nothing is written, and the outcomes are kept for the next call.
  bool record(std::vector<Change>& changes);
  void send(Change&& change);

  ports::Store& store_;
  const ports::Clock& clock_;
  ports::IdSource& ids_;
  const DispatcherOptions& options_;
  const DispatcherObserver& observer_;
  Sender sender_;
  EndpointLanes lanes_;
  std::minstd_rand random_;
  std::uint64_t next_ticket_ = 1;
  std::map<std::uint64_t, ports::Delivery> under_way_;
  std::vector<Change> unrecorded_;  // outcomes that are not in the store yet
};

}  // namespace tideover::events
