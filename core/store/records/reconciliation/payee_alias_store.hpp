// PayeeAliasRecords over one session.
#pragma once
#include "core/ports/records/payees/payee_alias_records.hpp"
#include "core/store/encryption/encrypted_cells.hpp"

namespace tideover::store {

class PayeeAliasStore final : public ports::PayeeAliasRecords {
 public:
  PayeeAliasStore(sql::Session& session, const EncryptedCells& cells) : session_(session), cells_(cells) {}

  void insert(const domain::TenantId& tenant, const domain::PayeeAlias& alias) override;
  std::optional<domain::PayeeAlias> find(const domain::TenantId& tenant, const domain::PayeeId& names) const override;
  std::optional<domain::PayeeAlias> find(const domain::TenantId& tenant, const domain::PayeeAliasId& id) const override;
  std::vector<domain::PayeeAlias> list(const domain::TenantId& tenant, const domain::ListPage& page) const override;
  void remove(const domain::TenantId& tenant, const domain::PayeeAliasId& id, domain::Timestamp at) override;

 private:
  domain::PayeeAlias read(const sql::Row& row, const domain::TenantId& tenant) const;
  ports::BlindIndex lookup(const domain::TenantId& tenant, const domain::PayeeId& names) const;

  sql::Session& session_;
  const EncryptedCells& cells_;
};

}  // namespace tideover::store
