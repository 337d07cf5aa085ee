// Events and their deliveries. Append puts an event into the outbox, inside the transaction of its cause. Publishing
// gives it its number in the tenant's gap-free sequence and one delivery per subscribed endpoint.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/basics/decryption_fault.hpp"
#include "core/domain/basics/list_page.hpp"
#include "core/domain/operations/event.hpp"

namespace tideover::ports {

struct OutboxRow {
  domain::TenantId tenant;
  domain::EventId id;
  std::string kind;
  std::string data;  // JSON object text
  domain::Timestamp created_at;
  std::int64_t version = 0;  // of its object; 0: the event was appended by a program that did not store it
};

struct PublishedEvent {
  domain::TenantId tenant;
  domain::EventId id;
  std::string kind;
  std::int64_t sequence = 0;
  std::string body;  // the final envelope: the same bytes on every try
  domain::Timestamp created_at;
};

/// An event for its deliveries. With a fault the event is empty, because its body cannot be decrypted.
struct EventToSend {
  PublishedEvent event;
  std::optional<domain::DecryptionFault> fault;
};

struct Delivery {
  domain::TenantId tenant;
  domain::EventId event;
  domain::WebhookEndpointId endpoint;
  int attempts = 0;
  enum class State { waiting, delivered, dead } state = State::waiting;
  domain::Timestamp next_try_at;  // of the tenant; real time while `in_progress`
  int last_status = 0;            // HTTP status, 0 = none
  std::string last_error;
  bool manual = false;  // a client requested it again
  std::optional<domain::Timestamp> last_try_at;
  bool in_progress = false;  // an attempt is under way until its outcome is written or next_try_at has passed
  std::string kind;          // of its event
  int revision = 0;          // changes with each write
};

struct DeliveryQuery {
  domain::WebhookEndpointId endpoint;
  std::optional<Delivery::State> state;
  std::string kind;   // empty: all
  std::string after;  // the last event of the page before, in this order; empty: the first page
  std::size_t limit = 25;
  domain::ListOrder order = domain::ListOrder::newest_first;
};

class EventRecords {
 public:
  virtual ~EventRecords() = default;
  virtual void append(const domain::TenantId& tenant, const domain::Event& event) = 0;
  /// Oldest first, all tenants.
  virtual std::vector<OutboxRow> unpublished(std::size_t limit) const = 0;
  /// The last sequence number of this tenant; 0: none.
  virtual std::int64_t last_sequence(const domain::TenantId& tenant) const = 0;
  /// Moves events from the outbox into the log. A repeated number is a unique violation, an event that does not wait
  /// there a conflict.
  virtual void publish(const std::vector<PublishedEvent>& events) = 0;
  virtual void insert_delivery(const Delivery& delivery) = 0;
  /// Waiting deliveries that are due, oldest first.
  virtual std::vector<Delivery> due(domain::Timestamp now, std::size_t limit) const = 0;
  virtual std::optional<PublishedEvent> find(const domain::TenantId& tenant, const domain::EventId& id) const = 0;
  virtual std::optional<EventToSend> find_to_send(const domain::TenantId& tenant, const domain::EventId& id) const = 0;
  /// Ordered by sequence; empty kind: all.
  virtual std::vector<PublishedEvent> list(const domain::TenantId& tenant, std::string_view kind,
                                           std::int64_t after_sequence, std::size_t limit) const = 0;
  /// Created from `from` to before `until`, ordered by that time. No kinds: all.
  virtual std::vector<PublishedEvent> between(const domain::TenantId& tenant, domain::Timestamp from,
                                              domain::Timestamp until, const std::vector<std::string>& kinds,
                                              std::size_t limit) const = 0;
  /// Delivers the event again, starting with the first try, at once; a retry that waits for later is brought forward.
  /// False when the delivery is due anyway, or an attempt is in progress.
  virtual bool deliver_again(const domain::TenantId& tenant, const domain::EventId& event,
                             const domain::WebhookEndpointId& endpoint, domain::Timestamp now) = 0;
  virtual std::optional<Delivery> find_delivery(const domain::TenantId& tenant, const domain::EventId& event,
                                                const domain::WebhookEndpointId& endpoint) const = 0;
  /// Newest event first.
  virtual std::vector<Delivery> deliveries(const domain::TenantId& tenant, const DeliveryQuery& query) const = 0;
  /// Writes the state of a waiting delivery that still has this revision, which is one higher then. False: another
  /// worker tried, it was started again, or it has ended.
  virtual bool update_delivery(const Delivery& delivery) = 0;
};

}  // namespace tideover::ports
