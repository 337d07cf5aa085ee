// The tenant of a command.
#pragma once
#include <string>

#include "core/admin/admin_context.hpp"
#include "core/domain/basics/tenant.hpp"

namespace tideover::admin {

/// For an empty name: `default`, else the only tenant. Throws StartError when there is no such tenant, or when there
/// are several.
domain::Tenant tenant_named(const AdminContext& context, const std::string& name);

}  // namespace tideover::admin
