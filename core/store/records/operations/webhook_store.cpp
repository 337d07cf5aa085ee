#include "core/store/records/operations/webhook_store.hpp"

#include "core/store/encryption/encrypted_tables.hpp"
#include "core/store/records/rows/columns.hpp"
#include "core/store/records/rows/insert_row.hpp"
#include "core/store/records/rows/list_rows.hpp"
#include "core/store/records/rows/record_text.hpp"

namespace tideover::store {
namespace {

#define HEALTH_COLUMNS "failing_since, gone_answers, gone_since"
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

domain::EndpointHealth read_health(ColumnReader& in) {
  domain::EndpointHealth health;
  health.failing_since = in.optional_timestamp();
  health.gone_answers = in.number();
  health.gone_since = in.optional_timestamp();
  return health;
}

domain::WebhookEndpoint read_endpoint(const sql::Row& row, const EncryptedCells& cells,
                                      const domain::TenantId& tenant) {
  ColumnReader in(row);
  domain::WebhookEndpoint endpoint;
  endpoint.id = in.id<domain::WebhookEndpointId>();
  endpoint.url = in.text();
  endpoint.events = kinds_of(in.text());
  endpoint.description = in.text();
  endpoint.secret =
      domain::Sensitive<std::string>(cells.open(tenant, encrypted::kWebhookSecret, endpoint.id.text(), in.bytes()));
  endpoint.previous_secrets =
      secrets_of(cells.open(tenant, encrypted::kWebhookPreviousSecrets, endpoint.id.text(), in.bytes()));
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
  insert_row<"webhook_endpoints", "tenant, " ENDPOINT_COLUMNS>(
      session_, tenant.text(), endpoint.id.text(), endpoint.url, kinds_column(endpoint.events), endpoint.description,
      cells_.seal(tenant, encrypted::kWebhookSecret, endpoint.id.text(), endpoint.secret.reveal()),
      cells_.seal(tenant, encrypted::kWebhookPreviousSecrets, endpoint.id.text(),
                  secrets_column(endpoint.previous_secrets)),
      endpoint.enabled, reason_column(endpoint.disabled_reason), ms(endpoint.disabled_at), endpoint.revision,
      endpoint.created_at.ms(), ms(endpoint.health.failing_since), endpoint.health.gone_answers,
      ms(endpoint.health.gone_since));
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
  const auto in = rows_of<domain::kind::WebhookEndpoint>(page);
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
  return session_.run(
             "UPDATE webhook_endpoints SET url = ?, event_kinds = ?, description = ?, secret = ?, previous_secrets = "
             "?, "
             "enabled = ?, disabled_reason = ?, disabled_at = ?, revision = revision + 1 "
             "WHERE tenant = ? AND id = ? AND revision = ?",
             endpoint.url, kinds_column(endpoint.events), endpoint.description,
             cells_.seal(tenant, encrypted::kWebhookSecret, endpoint.id.text(), endpoint.secret.reveal()),
             cells_.seal(tenant, encrypted::kWebhookPreviousSecrets, endpoint.id.text(),
                         secrets_column(endpoint.previous_secrets)),
             endpoint.enabled, reason_column(endpoint.disabled_reason), ms(endpoint.disabled_at), tenant.text(),
             endpoint.id.text(), endpoint.revision) > 0;
}

bool WebhookStore::disable(const domain::TenantId& tenant, const domain::WebhookEndpointId& id,
                           domain::DisabledReason reason, domain::Timestamp now) {
  return session_.run(
             "UPDATE webhook_endpoints SET enabled = 0, disabled_reason = ?, disabled_at = ?, revision = revision + 1 "
             "WHERE tenant = ? AND id = ? AND enabled = 1",
             name_of(reason), now.ms(), tenant.text(), id.text()) > 0;
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

void WebhookStore::set_health(const domain::TenantId& tenant, const domain::WebhookEndpointId& id,
                              const domain::EndpointHealth& health) {
  session_.run(
      "UPDATE webhook_endpoints SET failing_since = ?, gone_answers = ?, gone_since = ? WHERE tenant = ? AND id = ?",
      ms(health.failing_since), health.gone_answers, ms(health.gone_since), tenant.text(), id.text());
}

}  // namespace tideover::store
