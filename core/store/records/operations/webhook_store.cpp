#include "core/store/records/operations/webhook_store.hpp"

#include <algorithm>
#include <utility>

#include "core/store/encryption/encrypted_tables.hpp"
#include "core/store/records/rows/columns.hpp"
#include "core/store/records/rows/insert_row.hpp"
#include "core/store/records/rows/list_rows.hpp"
#include "core/store/records/rows/record_text.hpp"
#include "core/store/records/rows/tenant_time.hpp"

namespace tideover::store {
namespace {

#define HEALTH_COLUMNS "failing_since, gone_answers, gone_since, last_failure_at"
#define HAS_HEALTH                                                                                  \
  " AND COALESCE(failing_since, -1) = ? AND gone_answers = ? AND COALESCE(gone_since, -1) = ? AND " \
  "COALESCE(last_failure_at, -1) = ?"
#define ENDPOINT_COLUMNS                                                                                           \
  "id, url, event_kinds, description, secret, previous_secrets, enabled, disabled_reason, disabled_at, revision, " \
  "created_at, " HEALTH_COLUMNS

std::string kinds_column(const std::vector<std::string>& kinds) {
  RecordWriter out;
  for (const auto& kind : kinds) out.text(kind).end_record();
  return out.take();
}

std::vector<std::string> kinds_of(const std::string& column) {
  std::vector<std::string> kinds;
  for (RecordReader in(column); in.next();) kinds.push_back(in.text());
  return kinds;
}

std::string secrets_column(const std::vector<domain::PreviousSecret>& secrets) {
  RecordWriter out;
  for (const auto& previous : secrets) out.text(previous.secret.reveal()).integer(previous.until.ms()).end_record();
  return out.take();
}

std::vector<domain::PreviousSecret> secrets_of(const std::string& column) {
  std::vector<domain::PreviousSecret> secrets;
  for (RecordReader in(column); in.next();) {
    domain::Sensitive<std::string> secret(in.text());
    secrets.push_back({std::move(secret), domain::Timestamp::from_ms(in.integer())});
  }
  return secrets;
}

std::optional<std::string> reason_column(const std::optional<domain::DisabledReason>& reason) {
  return reason ? std::optional(std::string(name_of(*reason))) : std::nullopt;
}

/// For HAS_HEALTH, which compares an absent time as this value: NULL equals nothing.
std::int64_t ms_or_none(const std::optional<domain::Timestamp>& at) {
  return at ? at->ms() : -1;
}

/// When the first of these secrets ends.
std::optional<std::int64_t> first_end(const std::vector<domain::PreviousSecret>& secrets) {
  std::optional<std::int64_t> first;
  for (const auto& previous : secrets) first = std::min(first.value_or(previous.until.ms()), previous.until.ms());
  return first;
}

domain::EndpointHealth read_health(ColumnReader& in) {
  domain::EndpointHealth health;
  health.failing_since = in.optional_timestamp();
  health.gone_answers = in.number();
  health.gone_since = in.optional_timestamp();
  health.last_failure_at = in.optional_timestamp();
  return health;
}

/// Only deliveries need the secrets: an endpoint whose secrets cannot be decrypted is shown, changed and rotated.
void open_secrets(domain::WebhookEndpoint& endpoint, const EncryptedCells& cells, const domain::TenantId& tenant,
                  std::string_view secret, std::string_view previous) {
  try {
    const auto& row = endpoint.id.text();
    auto current = domain::Sensitive<std::string>(cells.open(tenant, encrypted::kWebhookSecret, row, secret));
    endpoint.previous_secrets = secrets_of(cells.open(tenant, encrypted::kWebhookPreviousSecrets, row, previous));
    endpoint.secret = std::move(current);
  } catch (const sql::SqlError& error) {
    endpoint.secret_fault = fault_of(error);
    if (!endpoint.secret_fault) throw;
    cells.tell(error.what());
  }
}

domain::WebhookEndpoint read_endpoint(const sql::Row& row, const EncryptedCells& cells,
                                      const domain::TenantId& tenant) {
  ColumnReader in(row);
  domain::WebhookEndpoint endpoint;
  endpoint.id = in.id<domain::WebhookEndpointId>();
  endpoint.url = in.text();
  endpoint.events = kinds_of(in.text());
  endpoint.description = in.text();
  const auto secret = in.bytes();
  const auto previous = in.bytes();
  open_secrets(endpoint, cells, tenant, secret, previous);
  endpoint.enabled = in.flag();
  if (const auto reason = in.optional_text()) endpoint.disabled_reason = domain::disabled_reason_named(*reason);
  endpoint.disabled_at = in.optional_timestamp();
  endpoint.revision = in.number();
  endpoint.created_at = in.timestamp();
  endpoint.health = read_health(in);
  return endpoint;
}

}  // namespace

void WebhookStore::insert(const domain::TenantId& tenant, const domain::WebhookEndpoint& endpoint) {
  insert_row<"webhook_endpoints", "tenant, " ENDPOINT_COLUMNS ", previous_end_at">(
      session_, tenant.text(), endpoint.id.text(), endpoint.url, kinds_column(endpoint.events), endpoint.description,
      cells_.seal(tenant, encrypted::kWebhookSecret, endpoint.id.text(), endpoint.secret.reveal()),
      cells_.seal(tenant, encrypted::kWebhookPreviousSecrets, endpoint.id.text(),
                  secrets_column(endpoint.previous_secrets)),
      endpoint.enabled, reason_column(endpoint.disabled_reason), ms(endpoint.disabled_at), endpoint.revision,
      endpoint.created_at.ms(), ms(endpoint.health.failing_since), endpoint.health.gone_answers,
      ms(endpoint.health.gone_since), ms(endpoint.health.last_failure_at), first_end(endpoint.previous_secrets));
}

std::optional<domain::WebhookEndpoint> WebhookStore::find(const domain::TenantId& tenant,
                                                          const domain::WebhookEndpointId& id) const {
  return session_.first([&](const sql::Row& row) { return read_endpoint(row, cells_, tenant); },
                        "SELECT " ENDPOINT_COLUMNS " FROM webhook_endpoints WHERE tenant = ? AND id = ?", tenant.text(),
                        id.text());
}

#define ENDPOINTS \
  "SELECT " ENDPOINT_COLUMNS " FROM webhook_endpoints WHERE tenant = ? AND " IN_PAGE("id", "created_at") " ORDER BY " \
                                                                                                         "id"

std::vector<domain::WebhookEndpoint> WebhookStore::list(const domain::TenantId& tenant,
                                                        const domain::ListPage& page) const {
  const auto in = rows_of<domain::kind::WebhookEndpoint>(session_, tenant, page);
  return cells_.first_that_open(
      session_, [&](const sql::Row& row) { return read_endpoint(row, cells_, tenant); }, page.limit,
      in_order<ENDPOINTS, kOpenRows>(page.order), tenant.text(), in.above, in.below, in.from, in.before);
}

std::size_t WebhookStore::count(const domain::TenantId& tenant) const {
  return static_cast<std::size_t>(session_
                                      .first([](const sql::Row& row) { return row.integer(0); },
                                             "SELECT COUNT(*) FROM webhook_endpoints WHERE tenant = ?", tenant.text())
                                      .value_or(0));
}

bool WebhookStore::remove(const domain::TenantId& tenant, const domain::WebhookEndpointId& id) {
  if (session_.run("DELETE FROM webhook_endpoints WHERE tenant = ? AND id = ?", tenant.text(), id.text()) == 0) {
    return false;
  }
  session_.run(
      "UPDATE deliveries SET state = 'dead', last_error = 'the endpoint was removed' "
      "WHERE tenant = ? AND endpoint_id = ? AND state = 'waiting'",
      tenant.text(), id.text());
  return true;
}

bool WebhookStore::update(const domain::TenantId& tenant, const domain::WebhookEndpoint& endpoint) {
  const bool written =
      session_.run(
          "UPDATE webhook_endpoints SET url = ?, event_kinds = ?, description = ?, enabled = ?, disabled_reason = ?, "
          "disabled_at = ?, revision = revision + 1 WHERE tenant = ? AND id = ? AND revision = ?",
          endpoint.url, kinds_column(endpoint.events), endpoint.description, endpoint.enabled,
          reason_column(endpoint.disabled_reason), ms(endpoint.disabled_at), tenant.text(), endpoint.id.text(),
          endpoint.revision) > 0;
  if (written && !endpoint.secret_fault) write_secrets(tenant, endpoint, endpoint.revision + 1);
  return written;
}

bool WebhookStore::write_secrets(const domain::TenantId& tenant, const domain::WebhookEndpoint& endpoint,
                                 int revision) {
  return session_.run(
             "UPDATE webhook_endpoints SET secret = ?, previous_secrets = ?, previous_end_at = ? "
             "WHERE tenant = ? AND id = ? AND revision = ?",
             cells_.seal(tenant, encrypted::kWebhookSecret, endpoint.id.text(), endpoint.secret.reveal()),
             cells_.seal(tenant, encrypted::kWebhookPreviousSecrets, endpoint.id.text(),
                         secrets_column(endpoint.previous_secrets)),
             first_end(endpoint.previous_secrets), tenant.text(), endpoint.id.text(), revision) > 0;
}

std::size_t WebhookStore::drop_expired_secrets(domain::Timestamp now, std::size_t limit) {
  struct Ended {
    domain::TenantId tenant;
    domain::WebhookEndpointId endpoint;
    domain::Timestamp now;  // of the tenant
  };
  const auto ended = all(
      session_,
      [&](const sql::Row& row) {
        ColumnReader in(row);
        auto tenant = in.id<domain::TenantId>();
        auto endpoint = in.id<domain::WebhookEndpointId>();
        return Ended{std::move(tenant), std::move(endpoint), now.plus_ms(in.integer())};
      },
      "SELECT tenant, id, " SHIFT_OF("ms", "webhook_endpoints.tenant") " FROM webhook_endpoints WHERE " TIME_HAS_COME(
          "previous_end_at", "webhook_endpoints.tenant") " ORDER BY previous_end_at LIMIT ?",
      now.ms(), now.ms(), rows(limit));
  std::size_t changed = 0;
  for (const auto& [tenant, id, now_of_tenant] : ended) {
    auto endpoint = find(tenant, id);
    // Secrets under a key that this node lacks wait for it; the rotation removes damaged ones.
    if (!endpoint || endpoint->secret_fault) continue;
    domain::drop_expired_secrets(*endpoint, now_of_tenant);
    changed += write_secrets(tenant, *endpoint, endpoint->revision) ? 1 : 0;
  }
  return changed;
}

bool WebhookStore::disable(const domain::TenantId& tenant, const domain::WebhookEndpointId& id,
                           const domain::EndpointHealth& judged, domain::DisabledReason reason, domain::Timestamp now) {
  return session_.run(
             "UPDATE webhook_endpoints SET enabled = 0, disabled_reason = ?, disabled_at = ?, revision = revision + 1 "
             "WHERE tenant = ? AND id = ? AND enabled = 1" HAS_HEALTH,
             name_of(reason), now.ms(), tenant.text(), id.text(), ms_or_none(judged.failing_since), judged.gone_answers,
             ms_or_none(judged.gone_since), ms_or_none(judged.last_failure_at)) > 0;
}

std::optional<domain::EndpointHealth> WebhookStore::health(const domain::TenantId& tenant,
                                                           const domain::WebhookEndpointId& id) const {
  return session_.first(
      [](const sql::Row& row) {
        ColumnReader in(row);
        return read_health(in);
      },
      "SELECT " HEALTH_COLUMNS " FROM webhook_endpoints WHERE tenant = ? AND id = ?", tenant.text(), id.text());
}

bool WebhookStore::set_health(const domain::TenantId& tenant, const domain::WebhookEndpointId& id,
                              const domain::EndpointHealth& before, const domain::EndpointHealth& after) {
  return session_.run(
             "UPDATE webhook_endpoints SET failing_since = ?, gone_answers = ?, gone_since = ?, last_failure_at = ? "
             "WHERE tenant = ? AND id = ?" HAS_HEALTH,
             ms(after.failing_since), after.gone_answers, ms(after.gone_since), ms(after.last_failure_at),
             tenant.text(), id.text(), ms_or_none(before.failing_since), before.gone_answers,
             ms_or_none(before.gone_since), ms_or_none(before.last_failure_at)) > 0;
}

void WebhookStore::reset_health(const domain::TenantId& tenant, const domain::WebhookEndpointId& id) {
  session_.run(
      "UPDATE webhook_endpoints SET failing_since = NULL, gone_answers = 0, gone_since = NULL, last_failure_at = NULL "
      "WHERE tenant = ? AND id = ?",
      tenant.text(), id.text());
}

}  // namespace tideover::store
