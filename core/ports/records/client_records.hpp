// Tenants and their API clients.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/basics/list_page.hpp"
#include "core/domain/basics/sensitive.hpp"
#include "core/domain/basics/tenant.hpp"

namespace tideover::ports {

class ClientRecords {
 public:
  virtual ~ClientRecords() = default;
  virtual void insert_tenant(const domain::Tenant& tenant, domain::Timestamp now) = 0;
  virtual std::optional<domain::Tenant> find_tenant(std::string_view name) const = 0;
  virtual std::optional<domain::Tenant> tenant(const domain::TenantId& id) const = 0;
  /// The payout account for requests that name none; empty: none.
  virtual domain::Sensitive<std::string> payout_account(const domain::TenantId& tenant) const = 0;
  virtual void set_payout_account(const domain::TenantId& tenant, const domain::Sensitive<std::string>& token) = 0;
  virtual void insert(const domain::Client& client) = 0;
  virtual std::optional<domain::Client> find(const domain::ClientId& id) const = 0;
  virtual std::vector<domain::Client> list() const = 0;
  /// Of one tenant.
  virtual std::vector<domain::Client> list(const domain::TenantId& tenant, const domain::ListPage& page) const = 0;
  /// Stores name, scopes, epoch, `enabled`, `locked` and expiry, and raises the version. False when the client no
  /// longer has `client.version`: another transaction changed it.
  virtual bool update(const domain::Client& client) = 0;
  /// All secrets of a client, by number.
  virtual std::vector<domain::ClientSecret> secrets(const domain::ClientId& client) const = 0;
  /// The same for the clients of a tenant from `first` to `last`, by the id of the client.
  virtual std::map<std::string, std::vector<domain::ClientSecret>> secrets(const domain::TenantId& tenant,
                                                                           const domain::ClientId& first,
                                                                           const domain::ClientId& last) const = 0;
  /// Two transactions that add a secret to one client at the same time conflict on its number.
  virtual void insert_secret(const domain::ClientId& client, const domain::ClientSecret& secret) = 0;
  /// Stores all fields of an existing secret except last_used_at. Removes no expiry and no revocation.
  virtual void update_secret(const domain::ClientId& client, const domain::ClientSecret& secret) = 0;
  virtual void secret_used(const domain::ClientId& client, int number, domain::Timestamp at) = 0;
  /// Removes the secrets that were revoked or expired before `time`.
  virtual void remove_ended_secrets(const domain::ClientId& client, domain::Timestamp time) = 0;
  /// Disables and locks the client and, by raising its epoch, ends all its tokens. False when there is no such client.
  virtual bool disable(const domain::ClientId& id) = 0;
  /// Of the sandbox: the tenants whose time is not the real time, and by how many milliseconds it is ahead.
  virtual std::map<std::string, std::int64_t> clock_shifts() const = 0;
  virtual std::int64_t clock_shift(const domain::TenantId& tenant) const = 0;
  virtual void set_clock_shift(const domain::TenantId& tenant, std::int64_t ms) = 0;
  /// True when it has no reviews, claims, deposits, remittances and imports.
  virtual bool has_no_data(const domain::TenantId& tenant) const = 0;
  /// Raises the tenant's matching guard: two transactions that match payments of one tenant never overlap.
  virtual void guard_matching(const domain::TenantId& tenant) = 0;
};

}  // namespace tideover::ports
