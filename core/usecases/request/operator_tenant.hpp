// Rules are the same for all tenants. Only clients of the operator's own tenant release rules and see their effect on
// the claims of all tenants.
#pragma once
#include <string>

#include "core/ports/store.hpp"

namespace tideover::usecases {

/// Whether this tenant has the name `rules.operator_tenant`; always false when the name is empty.
inline bool is_operator(const ports::Records& records, const domain::TenantId& id, const std::string& operator_tenant) {
  if (operator_tenant.empty()) return false;
  const auto tenant = records.clients().tenant(id);
  return tenant && tenant->name == operator_tenant;
}

}  // namespace tideover::usecases
