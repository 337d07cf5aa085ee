#include "core/store/records/reconciliation/payer_alias_store.hpp"

#include "core/store/records/rows/columns.hpp"
#include "core/store/records/rows/insert_row.hpp"
#include "core/store/records/rows/list_rows.hpp"

namespace tideover::store {
namespace {

#define ALIAS_COLUMNS "id, kind, alias, payer_id, remittance_id, learned_at, removed_at"

domain::PayerAlias read_alias(const sql::Row& row) {
  ColumnReader in(row);
  domain::PayerAlias alias;
  alias.id = in.id<domain::PayerAliasId>();
  alias.kind = in.named(domain::alias_kind_named);
  alias.alias = in.text();
  alias.payer_id = in.text();
  alias.remittance = in.id<domain::RemittanceId>();
  alias.learned_at = in.timestamp();
  alias.removed_at = in.optional_timestamp();
  return alias;
}

}  // namespace

void PayerAliasStore::insert(const domain::TenantId& tenant, const domain::PayerAlias& alias) {
  insert_row<"payer_aliases", "tenant, " ALIAS_COLUMNS>(
      session_, tenant.text(), alias.id.text(), domain::name_of(alias.kind), alias.alias, alias.payer_id,
      alias.remittance.text(), alias.learned_at.ms(), ms(alias.removed_at));
}

std::optional<domain::PayerAlias> PayerAliasStore::find(const domain::TenantId& tenant, domain::AliasKind kind,
                                                        std::string_view form) const {
  return session_.first(read_alias,
                        "SELECT " ALIAS_COLUMNS " FROM payer_aliases WHERE tenant = ? AND kind = ? AND alias = ?",
                        tenant.text(), domain::name_of(kind), form);
}

std::optional<domain::PayerAlias> PayerAliasStore::find(const domain::TenantId& tenant,
                                                        const domain::PayerAliasId& id) const {
  return session_.first(read_alias, "SELECT " ALIAS_COLUMNS " FROM payer_aliases WHERE tenant = ? AND id = ?",
                        tenant.text(), id.text());
}

#define ALIASES           \
  "SELECT " ALIAS_COLUMNS \
  " FROM payer_aliases WHERE tenant = ? AND " IN_PAGE("id", "learned_at") " AND removed_at IS NULL ORDER BY id"

std::vector<domain::PayerAlias> PayerAliasStore::list(const domain::TenantId& tenant,
                                                      const domain::ListPage& page) const {
  const auto in = rows_of<domain::kind::PayerAlias>(session_, tenant, page);
  return all(session_, read_alias, in_order<ALIASES>(page.order), tenant.text(), in.above, in.below, in.from, in.before,
             rows(page.limit));
}

void PayerAliasStore::remove(const domain::TenantId& tenant, const domain::PayerAliasId& id, domain::Timestamp at) {
  session_.run("UPDATE payer_aliases SET removed_at = ? WHERE tenant = ? AND id = ?", at.ms(), tenant.text(),
               id.text());
}

}  // namespace tideover::store
