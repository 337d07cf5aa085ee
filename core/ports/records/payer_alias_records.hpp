// Learned ids and originators of payers.
#pragma once
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "core/domain/basics/list_page.hpp"
#include "core/domain/basics/tenant.hpp"
#include "core/domain/reconciliation/payer_alias.hpp"

namespace tideover::ports {

class PayerAliasRecords {
 public:
  virtual ~PayerAliasRecords() = default;
  virtual void insert(const domain::TenantId& tenant, const domain::PayerAlias& alias) = 0;
  /// Also a removed one. `form`: alias_form() of the text.
  virtual std::optional<domain::PayerAlias> find(const domain::TenantId& tenant, domain::AliasKind kind,
                                                 std::string_view form) const = 0;
  virtual std::optional<domain::PayerAlias> find(const domain::TenantId& tenant,
                                                 const domain::PayerAliasId& id) const = 0;
  /// Those that are not removed. The bounds of `page` apply to `learned_at`.
  virtual std::vector<domain::PayerAlias> list(const domain::TenantId& tenant, const domain::ListPage& page) const = 0;
  virtual void remove(const domain::TenantId& tenant, const domain::PayerAliasId& id, domain::Timestamp at) = 0;
};

}  // namespace tideover::ports
