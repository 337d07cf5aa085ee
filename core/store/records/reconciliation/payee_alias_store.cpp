#include "core/store/records/reconciliation/payee_alias_store.hpp"

#include "core/store/encryption/encrypted_tables.hpp"
#include "core/store/records/rows/columns.hpp"
#include "core/store/records/rows/insert_row.hpp"
#include "core/store/records/rows/list_rows.hpp"

namespace tideover::store {

#define PAYEE_ALIAS_COLUMNS "id, kind, alias, payer_id, payee_npi, remittance_id, learned_at, removed_at"

domain::PayeeAlias PayeeAliasStore::read(const sql::Row& row, const domain::TenantId& tenant) const {
  ColumnReader in(row);
  domain::PayeeAlias alias;
  alias.id = in.id<domain::PayeeAliasId>();
  alias.names.kind = in.named(domain::payee_id_kind_named);
  alias.names.form = cells_.open(tenant, encrypted::kPayeeAlias, alias.id.text(), in.bytes());
  alias.names.payer_id = in.text();
  alias.payee_npi = in.text();
  alias.remittance = in.id<domain::RemittanceId>();
  alias.learned_at = in.timestamp();
  alias.removed_at = in.optional_timestamp();
  return alias;
}

ports::BlindIndex PayeeAliasStore::lookup(const domain::TenantId& tenant, const domain::PayeeId& names) const {
  std::string text(domain::name_of(names.kind));
  text += '\n' + names.payer_id + '\n' + names.form;
  return cells_.cipher().blind_index(tenant.text(), "payee-alias-v1", text);
}

void PayeeAliasStore::insert(const domain::TenantId& tenant, const domain::PayeeAlias& alias) {
  insert_row<"payee_aliases", "tenant, alias_lookup, " PAYEE_ALIAS_COLUMNS>(
      session_, tenant.text(), lookup(tenant, alias.names), alias.id.text(), domain::name_of(alias.names.kind),
      cells_.seal(tenant, encrypted::kPayeeAlias, alias.id.text(), alias.names.form), alias.names.payer_id,
      alias.payee_npi, alias.remittance.text(), alias.learned_at.ms(), ms(alias.removed_at));
}

std::optional<domain::PayeeAlias> PayeeAliasStore::find(const domain::TenantId& tenant,
                                                        const domain::PayeeId& names) const {
  return session_.first([&](const sql::Row& row) { return read(row, tenant); },
                        "SELECT " PAYEE_ALIAS_COLUMNS " FROM payee_aliases WHERE alias_lookup = ? AND tenant = ?",
                        lookup(tenant, names), tenant.text());
}

std::optional<domain::PayeeAlias> PayeeAliasStore::find(const domain::TenantId& tenant,
                                                        const domain::PayeeAliasId& id) const {
  return session_.first([&](const sql::Row& row) { return read(row, tenant); },
                        "SELECT " PAYEE_ALIAS_COLUMNS " FROM payee_aliases WHERE tenant = ? AND id = ?", tenant.text(),
                        id.text());
}

#define ALIASES                 \
  "SELECT " PAYEE_ALIAS_COLUMNS \
  " FROM payee_aliases WHERE tenant = ? AND " IN_PAGE("id", "learned_at") " AND removed_at IS NULL ORDER BY id"

std::vector<domain::PayeeAlias> PayeeAliasStore::list(const domain::TenantId& tenant,
                                                      const domain::ListPage& page) const {
  const auto in = rows_of<domain::kind::PayeeAlias>(session_, tenant, page);
  return cells_.first_that_open(
      session_, [&](const sql::Row& row) { return read(row, tenant); }, page.limit,
      in_order<ALIASES, kOpenRows>(page.order), tenant.text(), in.above, in.below, in.from, in.before);
}

void PayeeAliasStore::remove(const domain::TenantId& tenant, const domain::PayeeAliasId& id, domain::Timestamp at) {
  session_.run("UPDATE payee_aliases SET removed_at = ? WHERE tenant = ? AND id = ?", at.ms(), tenant.text(),
               id.text());
}

}  // namespace tideover::store
