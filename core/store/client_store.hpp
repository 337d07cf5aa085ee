// Tenants and API clients in SQL.
// Bound to one session and its thread.
#pragma once
#include "core/ports/client_records.hpp"
#include "core/store/sql/session.hpp"

namespace tideover::store {

class ClientStore final : public ports::ClientRecords {
 public:
  explicit ClientStore(sql::Session& session) : session_(session) {}

  virtual void insert_tenant(const domain::Tenant& tenant, domain::Timestamp now) override;
  virtual std::optional<domain::Tenant> find_tenant(std::string_view name) const override;
  virtual std::optional<domain::Tenant> tenant(const domain::TenantId& id) const override;
  virtual void insert(const domain::Client& client) override;
  virtual std::optional<domain::Client> find(const domain::ClientId& id) const override;
  virtual std::vector<domain::Client> list() const override;
  virtual bool disable(const domain::ClientId& id) override;
  virtual void guard_matching(const domain::TenantId& tenant) override;

 private:
  sql::Session& session_;
};

}  // namespace tideover::store
