#include "core/store/records/operations/client_store.hpp"

#include <stdexcept>

#include "core/store/encryption/encrypted_tables.hpp"
#include "core/store/records/rows/columns.hpp"
#include "core/store/records/rows/insert_row.hpp"

namespace tideover::store {
namespace {

#define TENANT_COLUMNS "id, name, profile, post_on"
#define CLIENT_COLUMNS "id, tenant, name, environment, scopes, secret_key_id, secret_digest, epoch, enabled, created_at"

using domain::Environment;
using domain::ValidationProfile;
constexpr StoredNames kEnvironments{std::in_place_type<Environment>, "sandbox", "production"};
constexpr StoredNames kPostOn{std::in_place_type<domain::PostOn>, "deposit", "remittance"};
constexpr StoredNames kProfiles{std::in_place_type<ValidationProfile>, "lenient", "standard", "strict"};

domain::Tenant read_tenant(const sql::Row& row) {
  ColumnReader in(row);
  domain::Tenant tenant;
  tenant.id = in.id<domain::TenantId>();
  tenant.name = in.text();
  tenant.profile = in.named(kProfiles);
  tenant.post_on = in.named(kPostOn);
  return tenant;
}

domain::Client read_client(const sql::Row& row) {
  ColumnReader in(row);
  domain::Client client;
  client.id = in.id<domain::ClientId>();
  client.tenant = in.id<domain::TenantId>();
  client.name = in.text();
  client.environment = in.named(kEnvironments);
  client.scopes = domain::ScopeSet::from_bits(static_cast<std::uint64_t>(in.integer()));
  client.secret_key_id = in.text();
  client.secret_digest = in.bytes();
  client.epoch = in.number();
  client.enabled = in.flag();
  client.created_at = in.timestamp();
  return client;
}

sql::BlobView digest_column(const domain::Client& client) {
  return {reinterpret_cast<const std::uint8_t*>(client.secret_digest.data()), client.secret_digest.size()};
}

}  // namespace

void ClientStore::insert_tenant(const domain::Tenant& tenant, domain::Timestamp now) {
  insert_row<"tenants", TENANT_COLUMNS ", matching_guard = 0, created_at">(
      session_, tenant.id.text(), tenant.name, kProfiles.of(tenant.profile), kPostOn.of(tenant.post_on), now.ms());
}

std::optional<domain::Tenant> ClientStore::find_tenant(std::string_view name) const {
  return session_.first(read_tenant, "SELECT " TENANT_COLUMNS " FROM tenants WHERE name = ?", name);
}

std::optional<domain::Tenant> ClientStore::tenant(const domain::TenantId& id) const {
  return session_.first(read_tenant, "SELECT " TENANT_COLUMNS " FROM tenants WHERE id = ?", id.text());
}

domain::Sensitive<std::string> ClientStore::payout_account(const domain::TenantId& tenant) const {
  const auto sealed =
      session_.first([](const sql::Row& row) { return ColumnReader(row).bytes(); },
                     "SELECT payout_account_token FROM payout_accounts WHERE tenant = ?", tenant.text());
  return domain::Sensitive(sealed ? cells_.open(tenant, encrypted::kDefaultPayoutToken, tenant.text(), *sealed)
                                  : std::string());
}

void ClientStore::set_payout_account(const domain::TenantId& tenant, const domain::Sensitive<std::string>& token) {
  session_.run("REPLACE INTO payout_accounts (tenant, payout_account_token) VALUES (?, ?)", tenant.text(),
               cells_.seal(tenant, encrypted::kDefaultPayoutToken, tenant.text(), token.reveal()));
}

void ClientStore::insert(const domain::Client& client) {
  insert_row<"clients", CLIENT_COLUMNS>(session_, client.id.text(), client.tenant.text(), client.name,
                                        kEnvironments.of(client.environment),
                                        static_cast<std::int64_t>(client.scopes.bits()), client.secret_key_id,
                                        digest_column(client), client.epoch, client.enabled, client.created_at.ms());
}

std::optional<domain::Client> ClientStore::find(const domain::ClientId& id) const {
  return session_.first(read_client, "SELECT " CLIENT_COLUMNS " FROM clients WHERE id = ?", id.text());
}

std::vector<domain::Client> ClientStore::list() const {
  return all(session_, read_client, "SELECT " CLIENT_COLUMNS " FROM clients ORDER BY id");
}

void ClientStore::update_secret(const domain::Client& client) {
  session_.run("UPDATE clients SET secret_key_id = ?, secret_digest = ? WHERE id = ?", client.secret_key_id,
               digest_column(client), client.id.text());
}

bool ClientStore::disable(const domain::ClientId& id) {
  return session_.run("UPDATE clients SET enabled = 0, epoch = epoch + 1 WHERE id = ?", id.text()) > 0;
}

void ClientStore::guard_matching(const domain::TenantId& tenant) {
  if (session_.run("UPDATE tenants SET matching_guard = matching_guard + 1 WHERE id = ?", tenant.text()) == 0) {
    throw std::logic_error("cannot match payments for tenant " + tenant.text() + ": tenant not found");
  }
}

}  // namespace tideover::store
