// PayerAliasRecords over one session.
#pragma once
#include "core/ports/records/payer_alias_records.hpp"
#include "core/store/sql/session.hpp"

namespace tideover::store {

class PayerAliasStore final : public ports::PayerAliasRecords {
 public:
  explicit PayerAliasStore(sql::Session& session) : session_(session) {}

  void insert(const domain::TenantId& tenant, const domain::PayerAlias& alias) override;
  std::optional<domain::PayerAlias> find(const domain::TenantId& tenant, domain::AliasKind kind,
                                         std::string_view form) const override;
  std::optional<domain::PayerAlias> find(const domain::TenantId& tenant, const domain::PayerAliasId& id) const override;
  std::vector<domain::PayerAlias> list(const domain::TenantId& tenant, const domain::ListPage& page) const override;
  void remove(const domain::TenantId& tenant, const domain::PayerAliasId& id, domain::Timestamp at) override;

 private:
  sql::Session& session_;
};

}  // namespace tideover::store
