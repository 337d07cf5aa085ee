#include "core/store/records/operations/client_store.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/store/encryption/encrypted_tables.hpp"
#include "core/store/records/rows/columns.hpp"
#include "core/store/records/rows/insert_row.hpp"
#include "core/store/records/rows/list_rows.hpp"

namespace tideover::store {
namespace {

#define TENANT_COLUMNS "id, name, profile, post_on"
#define CLIENT_COLUMNS "id, tenant, name, environment, scopes, epoch, enabled, created_at, expires_at, locked, version"
#define SECRET_COLUMNS "number, id, key_id, digest, created_at, expires_at, last_used_at, revoked_at"

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
  client.epoch = in.number();
  client.enabled = in.flag();
  client.created_at = in.timestamp();
  client.expires_at = in.optional_timestamp();
  client.locked = in.flag();
  client.version = in.number();
  return client;
}

domain::ClientSecret read_secret(ColumnReader& in) {
  domain::ClientSecret secret;
  secret.number = in.number();
  secret.id = in.id<domain::ClientSecretId>();
  secret.key_id = in.text();
  secret.digest = in.bytes();
  secret.created_at = in.timestamp();
  secret.expires_at = in.optional_timestamp();
  secret.last_used_at = in.optional_timestamp();
  secret.revoked_at = in.optional_timestamp();
  return secret;
}

domain::ClientSecret read_secret_row(const sql::Row& row) {
  ColumnReader in(row);
  return read_secret(in);
}

sql::BlobView digest_column(const domain::ClientSecret& secret) {
  return {reinterpret_cast<const std::uint8_t*>(secret.digest.data()), secret.digest.size()};
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
  insert_row<"clients", "secret_key_id = '', secret_digest = x'', " CLIENT_COLUMNS>(
      session_, client.id.text(), client.tenant.text(), client.name, kEnvironments.of(client.environment),
      static_cast<std::int64_t>(client.scopes.bits()), client.epoch, client.enabled, client.created_at.ms(),
      ms(client.expires_at), client.locked, client.version);
}

std::optional<domain::Client> ClientStore::find(const domain::ClientId& id) const {
  return session_.first(read_client, "SELECT " CLIENT_COLUMNS " FROM clients WHERE id = ?", id.text());
}

std::vector<domain::Client> ClientStore::list() const {
  return all(session_, read_client, "SELECT " CLIENT_COLUMNS " FROM clients ORDER BY id");
}

#define CLIENTS \
  "SELECT " CLIENT_COLUMNS " FROM clients WHERE tenant = ? AND " IN_PAGE("id", "created_at") " ORDER BY id"

std::vector<domain::Client> ClientStore::list(const domain::TenantId& tenant, const domain::ListPage& page) const {
  const auto in = rows_of<domain::kind::Client>(session_, tenant, page);
  return all(session_, read_client, in_order<CLIENTS>(page.order), tenant.text(), in.above, in.below, in.from,
             in.before, rows(page.limit));
}

bool ClientStore::update(const domain::Client& client) {
  return session_.run(
             "UPDATE clients SET name = ?, scopes = ?, epoch = ?, enabled = ?, locked = ?, expires_at = ?, "
             "version = version + 1 WHERE id = ? AND version = ?",
             client.name, static_cast<std::int64_t>(client.scopes.bits()), client.epoch, client.enabled, client.locked,
             ms(client.expires_at), client.id.text(), client.version) > 0;
}

std::vector<domain::ClientSecret> ClientStore::secrets(const domain::ClientId& client) const {
  return all(session_, read_secret_row,
             "SELECT " SECRET_COLUMNS " FROM client_secrets WHERE client_id = ? ORDER BY number", client.text());
}

std::map<std::string, std::vector<domain::ClientSecret>> ClientStore::secrets(const domain::TenantId& tenant,
                                                                              const domain::ClientId& first,
                                                                              const domain::ClientId& last) const {
  std::map<std::string, std::vector<domain::ClientSecret>> found;
  for (const sql::Row& row : session_.query(
           "SELECT client_id, " SECRET_COLUMNS
           " FROM client_secrets WHERE client_id IN (SELECT c.id FROM clients c WHERE c.tenant = ? AND c.id >= ? AND "
           "c.id <= ?) ORDER BY client_id, number",
           tenant.text(), first.text(), last.text())) {
    ColumnReader in(row);
    auto& secrets = found[in.text()];
    secrets.push_back(read_secret(in));
  }
  return found;
}

void ClientStore::insert_secret(const domain::ClientId& client, const domain::ClientSecret& secret) {
  insert_row<"client_secrets", "client_id, " SECRET_COLUMNS>(
      session_, client.text(), secret.number, secret.id.text(), secret.key_id, digest_column(secret),
      secret.created_at.ms(), ms(secret.expires_at), ms(secret.last_used_at), ms(secret.revoked_at));
}

void ClientStore::update_secret(const domain::ClientId& client, const domain::ClientSecret& secret) {
  // Another transaction may have ended the secret since it was read; that must last.
  session_.run(
      "UPDATE client_secrets SET key_id = ?, digest = ?, expires_at = COALESCE(?, expires_at), "
      "revoked_at = COALESCE(revoked_at, ?) WHERE client_id = ? AND number = ?",
      secret.key_id, digest_column(secret), ms(secret.expires_at), ms(secret.revoked_at), client.text(), secret.number);
}

void ClientStore::secret_used(const domain::ClientId& client, int number, domain::Timestamp at) {
  session_.run("UPDATE client_secrets SET last_used_at = ? WHERE client_id = ? AND number = ?", at.ms(), client.text(),
               number);
}

void ClientStore::remove_ended_secrets(const domain::ClientId& client, domain::Timestamp time) {
  session_.run("DELETE FROM client_secrets WHERE client_id = ? AND COALESCE(revoked_at, expires_at) < ?", client.text(),
               time.ms());
}

bool ClientStore::disable(const domain::ClientId& id) {
  return session_.run(
             "UPDATE clients SET enabled = 0, locked = 1, epoch = epoch + 1, version = version + 1 WHERE id = ?",
             id.text()) > 0;
}

std::map<std::string, std::int64_t> ClientStore::clock_shifts() const {
  std::map<std::string, std::int64_t> shifts;
  for (auto& [tenant, ms] : all(
           session_, [](const sql::Row& row) { return std::pair(row.text(0), row.integer(1)); },
           "SELECT tenant, shift_ms FROM sandbox_clocks"))
    shifts.emplace(std::move(tenant), ms);
  return shifts;
}

std::int64_t ClientStore::clock_shift(const domain::TenantId& tenant) const {
  return session_
      .first([](const sql::Row& row) { return row.integer(0); }, "SELECT shift_ms FROM sandbox_clocks WHERE tenant = ?",
             tenant.text())
      .value_or(0);
}

void ClientStore::set_clock_shift(const domain::TenantId& tenant, std::int64_t ms) {
  constexpr std::int64_t kDay = 86'400'000;
  const std::int64_t days = ms / kDay + (ms % kDay > 0 ? 1 : 0);  // rounded up
  const auto had = shifts_of(session_, tenant);
  session_.run(
      "REPLACE INTO sandbox_clocks (tenant, shift_ms, shift_days, least_shift_ms, most_shift_ms) VALUES (?, ?, ?, ?, "
      "?)",
      tenant.text(), ms, days, std::min(had.least, ms), std::max(had.most, ms));
}

bool ClientStore::has_no_data(const domain::TenantId& tenant) const {
  return !session_
              .first([](const sql::Row& row) { return row.integer(0); },
                     "SELECT 1 FROM tenants t WHERE t.id = ? AND ("
                     "EXISTS (SELECT 1 FROM reviews r WHERE r.tenant = t.id) OR "
                     "EXISTS (SELECT 1 FROM claims c WHERE c.tenant = t.id) OR "
                     "EXISTS (SELECT 1 FROM deposits d WHERE d.tenant = t.id) OR "
                     "EXISTS (SELECT 1 FROM remittances m WHERE m.tenant = t.id) OR "
                     "EXISTS (SELECT 1 FROM import_jobs i WHERE i.tenant = t.id))",
                     tenant.text())
              .has_value();
}

void ClientStore::guard_matching(const domain::TenantId& tenant) {
  if (session_.run("UPDATE tenants SET matching_guard = matching_guard + 1 WHERE id = ?", tenant.text()) == 0) {
    throw std::logic_error("cannot match payments for tenant " + tenant.text() + ": tenant not found");
  }
}

}  // namespace tideover::store
