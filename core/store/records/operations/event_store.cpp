#include "core/store/records/operations/event_store.hpp"

#include <algorithm>
#include <iterator>

#include "core/store/encryption/encrypted_tables.hpp"
#include "core/store/records/rows/columns.hpp"
#include "core/store/records/rows/insert_row.hpp"
#include "core/store/records/rows/tenant_time.hpp"

namespace tideover::store {
namespace {

#define DELIVERY_COLUMNS                                                                                        \
  "tenant, event_id, endpoint_id, attempts, state, next_try_at, last_status, last_error, manual, last_try_at, " \
  "in_progress, kind, revision"
// Without the hint both engines walk through the deliveries of all endpoints: the primary key has the same order.
#define DELIVERIES(HINT, INDEX, KIND, NEXT)                                                              \
  "SELECT " DELIVERY_COLUMNS " FROM deliveries " HINT INDEX " WHERE tenant = ? AND endpoint_id = ?" KIND \
  " AND state = ? AND event_id " NEXT " LIMIT ?"
#define DELIVERIES_BY_STATE(NEXT)                             \
  DELIVERIES("INDEXED BY ", "deliveries_by_state", "", NEXT), \
      DELIVERIES("FORCE INDEX ", "(deliveries_by_state)", "", NEXT)
#define DELIVERIES_BY_KIND(NEXT)                                          \
  DELIVERIES("INDEXED BY ", "deliveries_by_kind", " AND kind = ?", NEXT), \
      DELIVERIES("FORCE INDEX ", "(deliveries_by_kind)", " AND kind = ?", NEXT)
#define NEWEST_FIRST "< ? ORDER BY event_id DESC"
#define OLDEST_FIRST "> ? ORDER BY event_id"

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
  waiting.version = in.integer();
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

ports::Delivery read_delivery(const sql::Row& row) {
  ColumnReader in(row);
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
  delivery.kind = in.text();
  delivery.revision = in.number();
  return delivery;
}

}  // namespace

void EventStore::append(const domain::TenantId& tenant, const domain::Event& event) {
  insert_row<"outbox", "id, tenant, kind, data, created_at, resource_version">(
      session_, event.id.text(), tenant.text(), domain::kind_of(event.data),
      cells_.seal(tenant, encrypted::kOutboxData, event.id.text(), encoder_.encode_data(event.data)),
      event.created_at.ms(), domain::version_of(event.data));
}

std::vector<ports::OutboxRow> EventStore::unpublished(std::size_t limit) const {
  return cells_.first_that_open(
      session_, [this](const sql::Row& row) { return read_outbox(row, cells_); }, limit,
      "SELECT tenant, id, kind, data, created_at, resource_version FROM outbox ORDER BY id LIMIT ? OFFSET ?");
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
  insert_row<"deliveries", DELIVERY_COLUMNS>(
      session_, delivery.tenant.text(), delivery.event.text(), delivery.endpoint.text(), delivery.attempts,
      kStates.of(delivery.state), delivery.next_try_at.ms(), delivery.last_status, delivery.last_error, delivery.manual,
      ms(delivery.last_try_at), delivery.in_progress, delivery.kind, delivery.revision);
}

std::vector<ports::Delivery> EventStore::due(domain::Timestamp now, std::size_t limit) const {
  return all(session_, read_delivery,
             "SELECT " DELIVERY_COLUMNS " FROM deliveries WHERE state = 'waiting' AND " IS_DUE(
                 "next_try_at", "deliveries.tenant") " ORDER BY next_try_at, event_id LIMIT ?",
             now.ms(), now.ms(), rows(limit));
}

std::optional<ports::PublishedEvent> EventStore::find(const domain::TenantId& tenant, const domain::EventId& id) const {
  return session_.first([&](const sql::Row& row) { return read_event(row, tenant, cells_); },
                        "SELECT " EVENT_COLUMNS " FROM events WHERE tenant = ? AND id = ?", tenant.text(), id.text());
}

std::optional<ports::EventToSend> EventStore::find_to_send(const domain::TenantId& tenant,
                                                           const domain::EventId& id) const {
  return session_.first(
      [&](const sql::Row& row) {
        ports::EventToSend found;
        try {
          found.event = read_event(row, tenant, cells_);
        } catch (const sql::SqlError& error) {  // must not hide the other deliveries of a page
          found.fault = fault_of(error);
          if (!found.fault) throw;
          cells_.tell(error.what());
        }
        return found;
      },
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

std::vector<ports::PublishedEvent> EventStore::between(const domain::TenantId& tenant, domain::Timestamp from,
                                                       domain::Timestamp until, const std::vector<std::string>& kinds,
                                                       std::size_t limit) const {
  // Not by id: the ids of a sandbox tenant have the real time.
  std::vector<ports::PublishedEvent> found;
  std::string after;
  for (bool more = true; more && found.size() < limit;) {
    const auto page = cells_.first_that_open(
        session_, [&](const sql::Row& row) { return read_event(row, tenant, cells_); }, kReplayPage,
        "SELECT " EVENT_COLUMNS
        " FROM events WHERE tenant = ? AND created_at >= ? AND created_at < ? AND (created_at > ? OR id > ?) "
        "ORDER BY created_at, id LIMIT ? OFFSET ?",
        tenant.text(), from.ms(), until.ms(), from.ms(), after);
    more = page.size() == kReplayPage;
    for (const auto& event : page) {
      from = event.created_at;
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
                           "last_error = '', manual = 1, last_try_at = NULL, in_progress = 0, "
                           "revision = revision + 1 "
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
  fresh.kind = session_
                   .first([](const sql::Row& row) { return row.text(0); },
                          "SELECT kind FROM events WHERE tenant = ? AND id = ?", tenant.text(), event.text())
                   .value_or("");
  insert_delivery(fresh);
  return true;
}

std::optional<ports::Delivery> EventStore::find_delivery(const domain::TenantId& tenant, const domain::EventId& event,
                                                         const domain::WebhookEndpointId& endpoint) const {
  return session_.first(read_delivery,
                        "SELECT " DELIVERY_COLUMNS
                        " FROM deliveries WHERE tenant = ? AND event_id = ? AND endpoint_id = ?",
                        tenant.text(), event.text(), endpoint.text());
}

std::vector<ports::Delivery> EventStore::deliveries(const domain::TenantId& tenant,
                                                    const ports::DeliveryQuery& query) const {
  const bool is_newest_first = query.order == domain::ListOrder::newest_first;
  const std::string_view after = query.after.empty() && is_newest_first ? kBehindAllEvents : query.after;
  std::vector<ports::Delivery> found;
  // Each state is read by an index that has the order of the list, so a page costs its rows and not the whole history.
  for (const auto state : {State::waiting, State::delivered, State::dead}) {
    if (query.state && *query.state != state) continue;
    auto page = deliveries_in(tenant, query, state, after);
    std::move(page.begin(), page.end(), std::back_inserter(found));
  }
  std::sort(found.begin(), found.end(),
            [&](const auto& a, const auto& b) { return is_newest_first ? b.event < a.event : a.event < b.event; });
  if (found.size() > query.limit) found.resize(query.limit);
  return found;
}

std::vector<ports::Delivery> EventStore::deliveries_in(const domain::TenantId& tenant,
                                                       const ports::DeliveryQuery& query, State state,
                                                       std::string_view after) const {
  const auto read = [&](sql::Sql newest_first, sql::Sql oldest_first, const auto&... kind) {
    return all(session_, read_delivery, query.order == domain::ListOrder::newest_first ? newest_first : oldest_first,
               tenant.text(), query.endpoint.text(), kind..., kStates.of(state), after, rows(query.limit));
  };
  return query.kind.empty() ? read({DELIVERIES_BY_STATE(NEWEST_FIRST)}, {DELIVERIES_BY_STATE(OLDEST_FIRST)})
                            : read({DELIVERIES_BY_KIND(NEWEST_FIRST)}, {DELIVERIES_BY_KIND(OLDEST_FIRST)}, query.kind);
}

bool EventStore::update_delivery(const ports::Delivery& delivery) {
  // Only a waiting delivery has an attempt to record: one that ended with its endpoint stays ended. The revision is
  // that of the claim: numbers of attempts repeat after a retry.
  return session_.run(
             "UPDATE deliveries SET attempts = ?, state = ?, next_try_at = ?, last_status = ?, last_error = ?, "
             "last_try_at = ?, in_progress = ?, revision = revision + 1 "
             "WHERE tenant = ? AND event_id = ? AND endpoint_id = ? AND revision = ? AND state = 'waiting'",
             delivery.attempts, kStates.of(delivery.state), delivery.next_try_at.ms(), delivery.last_status,
             delivery.last_error, ms(delivery.last_try_at), delivery.in_progress, delivery.tenant.text(),
             delivery.event.text(), delivery.endpoint.text(), delivery.revision) > 0;
}

}  // namespace tideover::store
