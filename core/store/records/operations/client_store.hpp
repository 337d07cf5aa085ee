// Tenants and API clients in SQL. Bound to one session and its thread.
#pragma once
#include "core/ports/records/client_records.hpp"
#include "core/store/encryption/encrypted_cells.hpp"

namespace tideover::store {

class ClientStore final : public ports::ClientRecords {
 public:
  ClientStore(sql::Session& session, const EncryptedCells& cells) : session_(session), cells_(cells) {}

  void insert_tenant(const domain::Tenant& tenant, domain::Timestamp now) override;
  std::optional<domain::Tenant> find_tenant(std::string_view name) const override;
  std::optional<domain::Tenant> tenant(const domain::TenantId& id) const override;
  domain::Sensitive<std::string> payout_account(const domain::TenantId& tenant) const override;
  void set_payout_account(const domain::TenantId& tenant, const domain::Sensitive<std::string>& token) override;
  void insert(const domain::Client& client) override;
  std::optional<domain::Client> find(const domain::ClientId& id) const override;
  std::vector<domain::Client> list() const override;
  std::vector<domain::Client> list(const domain::TenantId& tenant, const domain::ListPage& page) const override;
  bool update(const domain::Client& client) override;
  std::vector<domain::ClientSecret> secrets(const domain::ClientId& client) const override;
  std::map<std::string, std::vector<domain::ClientSecret>> secrets(const domain::TenantId& tenant,
                                                                   const domain::ClientId& first,
                                                                   const domain::ClientId& last) const override;
  void insert_secret(const domain::ClientId& client, const domain::ClientSecret& secret) override;
  void update_secret(const domain::ClientId& client, const domain::ClientSecret& secret) override;
  void secret_used(const domain::ClientId& client, int number, domain::Timestamp at) override;
  void remove_ended_secrets(const domain::ClientId& client, domain::Timestamp time) override;
  bool disable(const domain::ClientId& id) override;
  std::map<std::string, std::int64_t> clock_shifts() const override;
  std::int64_t clock_shift(const domain::TenantId& tenant) const override;
  void set_clock_shift(const domain::TenantId& tenant, std::int64_t ms) override;
  bool has_no_data(const domain::TenantId& tenant) const override;
  void guard_matching(const domain::TenantId& tenant) override;

 private:
  sql::Session& session_;
  const EncryptedCells& cells_;
};

}  // namespace tideover::store
