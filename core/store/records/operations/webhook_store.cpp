#include "core/store/records/operations/webhook_store.hpp"

#include "core/store/encryption/encrypted_tables.hpp"
#include "core/store/records/rows/columns.hpp"
#include "core/store/records/rows/insert_row.hpp"
#include "core/store/records/rows/record_text.hpp"

namespace tideover::store {
namespace {

#define ENDPOINT_COLUMNS "id, url, event_kinds, description, secret, enabled, created_at"

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
  endpoint.enabled = in.flag();
  endpoint.created_at = in.timestamp();
  return endpoint;
}

}  // namespace

void WebhookStore::insert(const domain::TenantId& tenant, const domain::WebhookEndpoint& endpoint) {
  insert_row<"webhook_endpoints", "tenant, " ENDPOINT_COLUMNS>(
      session_, tenant.text(), endpoint.id.text(), endpoint.url, kinds_column(endpoint.events), endpoint.description,
      cells_.seal(tenant, encrypted::kWebhookSecret, endpoint.id.text(), endpoint.secret.reveal()), endpoint.enabled,
      endpoint.created_at.ms());
}

std::optional<domain::WebhookEndpoint> WebhookStore::find(const domain::TenantId& tenant,
                                                          const domain::WebhookEndpointId& id) const {
  return session_.first([&](const sql::Row& row) { return read_endpoint(row, cells_, tenant); },
                        "SELECT " ENDPOINT_COLUMNS " FROM webhook_endpoints WHERE tenant = ? AND id = ?", tenant.text(),
                        id.text());
}

std::vector<domain::WebhookEndpoint> WebhookStore::list(const domain::TenantId& tenant, std::string_view after,
                                                        std::size_t limit) const {
  return cells_.first_that_open(
      session_, [&](const sql::Row& row) { return read_endpoint(row, cells_, tenant); }, limit,
      "SELECT " ENDPOINT_COLUMNS " FROM webhook_endpoints WHERE tenant = ? AND id > ? ORDER BY id LIMIT ? OFFSET ?",
      tenant.text(), after);
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

void WebhookStore::disable(const domain::TenantId& tenant, const domain::WebhookEndpointId& id) {
  session_.run("UPDATE webhook_endpoints SET enabled = 0 WHERE tenant = ? AND id = ?", tenant.text(), id.text());
}

}  // namespace tideover::store
