// Rules are the same for all tenants: who releases them, and who sees what they did to everybody's claims, is of the
// operator's own.
#pragma once
#include <string>

#include "core/ports/store.hpp"

namespace tideover::usecases {

/// Whether this tenant is the one of that name (rules.operator_tenant); empty: none is.
inline bool is_operator(const ports::Records& records, const domain::TenantId& id, const std::string& operator_tenant) {
  if (operator_tenant.empty()) return false;
  const auto tenant = records.clients().tenant(id);
  return tenant && tenant->name == operator_tenant;
}

}  // namespace tideover::usecases
