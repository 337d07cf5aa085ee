#include "core/store/records/operations/event_store.hpp"

#include <algorithm>

#include "core/store/encryption/encrypted_tables.hpp"
#include "core/store/records/rows/columns.hpp"
#include "core/store/records/rows/insert_row.hpp"
#include "core/store/records/rows/tenant_time.hpp"

namespace tideover::store {
namespace {

#define DELIVERY_COLUMNS                                                                                        \
  "tenant, event_id, endpoint_id, attempts, state, next_try_at, last_status, last_error, manual, last_try_at, " \
  "in_progress"
#define LISTED_COLUMNS                                                                                               \
  "d.tenant, d.event_id, d.endpoint_id, d.attempts, d.state, d.next_try_at, d.last_status, d.last_error, d.manual, " \
  "d.last_try_at, d.in_progress, e.kind"
#define WITH_EVENTS " JOIN events e ON e.tenant = d.tenant AND e.id = d.event_id "
#define LISTED_CONDITION                                                                     \
  WITH_EVENTS                                                                                \
  "WHERE d.tenant = ? AND d.endpoint_id = ? AND d.event_id < ? AND (? = '' OR d.state = ?) " \
  "AND (? = '' OR e.kind = ?) ORDER BY d.event_id DESC LIMIT ?"

#define EVENT_COLUMNS "id, sequence, kind, body, created_at"

constexpr std::size_t kReplayPage = 500;
constexpr std::string_view kBehindAllEvents = "evt_~";
constexpr std::size_t kGoneAtOnce = 50;
const std::string kDeleteGone = [] {
  std::string sql = "DELETE FROM outbox WHERE id IN (?";
  for (std::size_t i = 1; i < kGoneAtOnce; ++i) sql += ", ?";
  return sql + ")";
}();

using State = ports::Delivery::State;
constexpr StoredNames kStates{std::in_place_type<State>, "waiting", "delivered", "dead"};

ports::OutboxRow read_outbox(const sql::Row& row, const EncryptedCells& cells) {
  ColumnReader in(row);
  ports::OutboxRow waiting;
  waiting.tenant = in.id<domain::TenantId>();
  waiting.id = in.id<domain::EventId>();
  waiting.kind = in.text();
  waiting.data = cells.open(waiting.tenant, encrypted::kOutboxData, waiting.id.text(), in.bytes());
  waiting.created_at = in.timestamp();
  return waiting;
}

ports::PublishedEvent read_event(const sql::Row& row, const domain::TenantId& tenant, const EncryptedCells& cells) {
  ColumnReader in(row);
  ports::PublishedEvent event;
  event.tenant = tenant;
  event.id = in.id<domain::EventId>();
  event.sequence = in.integer();
  event.kind = in.text();
  event.body = cells.open(tenant, encrypted::kEventBody, event.id.text(), in.bytes());
  event.created_at = in.timestamp();
  return event;
}

ports::Delivery read_delivery(ColumnReader& in) {
  ports::Delivery delivery;
  delivery.tenant = in.id<domain::TenantId>();
  delivery.event = in.id<domain::EventId>();
  delivery.endpoint = in.id<domain::WebhookEndpointId>();
  delivery.attempts = in.number();
  delivery.state = in.named(kStates);
  delivery.next_try_at = in.timestamp();
  delivery.last_status = in.number();
  delivery.last_error = in.text();
  delivery.manual = in.flag();
  delivery.last_try_at = in.optional_timestamp();
  delivery.in_progress = in.flag();
  return delivery;
}

ports::ListedDelivery read_listed(const sql::Row& row) {
  ColumnReader in(row);
  auto delivery = read_delivery(in);
  return {std::move(delivery), in.text()};
}

}  // namespace

void EventStore::append(const domain::TenantId& tenant, const domain::Event& event) {
  insert_row<"outbox", "id, tenant, kind, data, created_at">(
      session_, event.id.text(), tenant.text(), domain::kind_of(event.data),
      cells_.seal(tenant, encrypted::kOutboxData, event.id.text(), encoder_.encode_data(event.data)),
      event.created_at.ms());
}

std::vector<ports::OutboxRow> EventStore::unpublished(std::size_t limit) const {
  return cells_.first_that_open(
      session_, [this](const sql::Row& row) { return read_outbox(row, cells_); }, limit,
      "SELECT tenant, id, kind, data, created_at FROM outbox ORDER BY id LIMIT ? OFFSET ?");
}

std::int64_t EventStore::last_sequence(const domain::TenantId& tenant) const {
  return session_
      .first([](const sql::Row& row) { return row.integer(0); },
             "SELECT COALESCE(MAX(sequence), 0) FROM events WHERE tenant = ?", tenant.text())
      .value_or(0);
}

void EventStore::publish(const std::vector<ports::PublishedEvent>& events) {
  std::size_t moved = 0;
  std::vector<sql::Parameter> gone;
  for (const auto& event : events) {
    insert_row<"events", "tenant, sequence, id, kind, body, created_at">(
        session_, event.tenant.text(), event.sequence, event.id.text(), event.kind,
        cells_.seal(event.tenant, encrypted::kEventBody, event.id.text(), event.body), event.created_at.ms());
    gone.emplace_back(event.id.text());
    if (gone.size() < kGoneAtOnce && &event != &events.back()) continue;
    // One statement of fixed size: missing ids at the end are filled with the last id.
    gone.resize(kGoneAtOnce, gone.back());
    moved += static_cast<std::size_t>(session_.run_bound(sql::Sql::composed(kDeleteGone), gone));
    gone.clear();
  }
  // The events may have been read at another database node and not have arrived at this one: publishing them without
  // removing them from the outbox would make them conflict with themselves for ever.
  if (moved != events.size())
    throw sql::SqlError(sql::SqlError::Kind::conflict, 0, "an event is not in the outbox of this database node");
}

void EventStore::insert_delivery(const ports::Delivery& delivery) {
  insert_row<"deliveries", DELIVERY_COLUMNS>(session_, delivery.tenant.text(), delivery.event.text(),
                                             delivery.endpoint.text(), delivery.attempts, kStates.of(delivery.state),
                                             delivery.next_try_at.ms(), delivery.last_status, delivery.last_error,
                                             delivery.manual, ms(delivery.last_try_at), delivery.in_progress);
}

std::vector<ports::Delivery> EventStore::due(domain::Timestamp now, std::size_t limit) const {
  return all(
      session_,
      [](const sql::Row& row) {
        ColumnReader in(row);
        return read_delivery(in);
      },
      "SELECT " DELIVERY_COLUMNS " FROM deliveries WHERE state = 'waiting' AND " TIME_HAS_COME(
          "next_try_at", "deliveries.tenant") " ORDER BY next_try_at, event_id LIMIT ?",
      now.ms(), now.ms(), rows(limit));
}

std::optional<ports::PublishedEvent> EventStore::find(const domain::TenantId& tenant, const domain::EventId& id) const {
  return session_.first([&](const sql::Row& row) { return read_event(row, tenant, cells_); },
                        "SELECT " EVENT_COLUMNS " FROM events WHERE tenant = ? AND id = ?", tenant.text(), id.text());
}

std::vector<ports::PublishedEvent> EventStore::list(const domain::TenantId& tenant, std::string_view kind,
                                                    std::int64_t after_sequence, std::size_t limit) const {
  return cells_.first_that_open(
      session_, [&](const sql::Row& row) { return read_event(row, tenant, cells_); }, limit,
      "SELECT " EVENT_COLUMNS
      " FROM events WHERE tenant = ? AND sequence > ? AND (? = '' OR kind = ?) ORDER BY sequence LIMIT ? OFFSET ?",
      tenant.text(), after_sequence, kind, kind);
}

std::vector<ports::PublishedEvent> EventStore::between(const domain::TenantId& tenant, const domain::EventId& from,
                                                       const domain::EventId& until,
                                                       const std::vector<std::string>& kinds, std::size_t limit) const {
  std::vector<ports::PublishedEvent> found;
  std::string after = from.text();
  for (bool is_first = true, more = true; more && found.size() < limit; is_first = false) {
    const auto page = cells_.first_that_open(
        session_, [&](const sql::Row& row) { return read_event(row, tenant, cells_); }, kReplayPage,
        "SELECT " EVENT_COLUMNS
        " FROM events WHERE tenant = ? AND (id > ? OR (id = ? AND ? = 1)) AND id < ? ORDER BY id LIMIT ? OFFSET ?",
        tenant.text(), after, after, is_first, until.text());
    more = page.size() == kReplayPage;
    for (const auto& event : page) {
      after = event.id.text();
      if ((kinds.empty() || std::find(kinds.begin(), kinds.end(), event.kind) != kinds.end()) && found.size() < limit)
        found.push_back(event);
    }
  }
  return found;
}

bool EventStore::deliver_again(const domain::TenantId& tenant, const domain::EventId& event,
                               const domain::WebhookEndpointId& endpoint, domain::Timestamp now) {
  const bool renewed = session_.run(
                           "UPDATE deliveries SET attempts = 0, state = 'waiting', next_try_at = ?, last_status = 0, "
                           "last_error = '', manual = 1, last_try_at = NULL, in_progress = 0 "
                           "WHERE tenant = ? AND event_id = ? AND endpoint_id = ? "
                           "AND (state <> 'waiting' OR (in_progress = 0 AND next_try_at > ?))",
                           now.ms(), tenant.text(), event.text(), endpoint.text(), now.ms()) > 0;
  if (renewed) return true;
  const auto known =
      session_.first([](const sql::Row& row) { return row.integer(0); },
                     "SELECT attempts FROM deliveries WHERE tenant = ? AND event_id = ? AND endpoint_id = ?",
                     tenant.text(), event.text(), endpoint.text());
  if (known) return false;
  ports::Delivery fresh;
  fresh.tenant = tenant;
  fresh.event = event;
  fresh.endpoint = endpoint;
  fresh.next_try_at = now;
  fresh.manual = true;
  insert_delivery(fresh);
  return true;
}

std::optional<ports::ListedDelivery> EventStore::find_delivery(const domain::TenantId& tenant,
                                                               const domain::EventId& event,
                                                               const domain::WebhookEndpointId& endpoint) const {
  return session_.first(read_listed,
                        "SELECT " LISTED_COLUMNS " FROM deliveries d" WITH_EVENTS
                        "WHERE d.tenant = ? AND d.event_id = ? AND d.endpoint_id = ?",
                        tenant.text(), event.text(), endpoint.text());
}

std::vector<ports::ListedDelivery> EventStore::deliveries(const domain::TenantId& tenant,
                                                          const ports::DeliveryQuery& query) const {
  const std::string_view state = query.state ? kStates.of(*query.state) : "";
  const std::string_view before = query.before.empty() ? kBehindAllEvents : query.before;
  // Without the hint both engines walk through the deliveries of all endpoints: the primary key has the same order.
  return all(session_, read_listed,
             {"SELECT " LISTED_COLUMNS " FROM deliveries d INDEXED BY deliveries_of_endpoint" LISTED_CONDITION,
              "SELECT " LISTED_COLUMNS " FROM deliveries d FORCE INDEX (deliveries_of_endpoint)" LISTED_CONDITION},
             tenant.text(), query.endpoint.text(), before, state, state, query.kind, query.kind, rows(query.limit));
}

bool EventStore::update_delivery(const ports::Delivery& delivery, int expected_attempts) {
  // Only a waiting delivery has an attempt to record: one that ended with its endpoint stays ended.
  return session_.run(
             "UPDATE deliveries SET attempts = ?, state = ?, next_try_at = ?, last_status = ?, last_error = ?, "
             "last_try_at = ?, in_progress = ? "
             "WHERE tenant = ? AND event_id = ? AND endpoint_id = ? AND attempts = ? AND state = 'waiting'",
             delivery.attempts, kStates.of(delivery.state), delivery.next_try_at.ms(), delivery.last_status,
             delivery.last_error, ms(delivery.last_try_at), delivery.in_progress, delivery.tenant.text(),
             delivery.event.text(), delivery.endpoint.text(), expected_attempts) > 0;
}

}  // namespace tideover::store
