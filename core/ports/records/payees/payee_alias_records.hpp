// Learned ids of practices.
#pragma once
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "core/domain/basics/list_page.hpp"
#include "core/domain/basics/tenant.hpp"
#include "core/domain/reconciliation/payee_alias.hpp"

namespace tideover::ports {

class PayeeAliasRecords {
 public:
  virtual ~PayeeAliasRecords() = default;
  virtual void insert(const domain::TenantId& tenant, const domain::PayeeAlias& alias) = 0;
  /// Also a removed one.
  virtual std::optional<domain::PayeeAlias> find(const domain::TenantId& tenant,
                                                 const domain::PayeeId& names) const = 0;
  virtual std::optional<domain::PayeeAlias> find(const domain::TenantId& tenant,
                                                 const domain::PayeeAliasId& id) const = 0;
  /// Those that are not removed. The bounds of `page` apply to `learned_at`.
  virtual std::vector<domain::PayeeAlias> list(const domain::TenantId& tenant, const domain::ListPage& page) const = 0;
  virtual void remove(const domain::TenantId& tenant, const domain::PayeeAliasId& id, domain::Timestamp at) = 0;
};

}  // namespace tideover::ports
