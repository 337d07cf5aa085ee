// Whom a command works for.
#pragma once
#include <string>

#include "core/admin/admin_context.hpp"
#include "core/domain/basics/tenant.hpp"

namespace tideover::main {

/// Of an empty name: `default`, else the only tenant there is. Throws StartError where there is none of this name, or
/// several.
domain::Tenant tenant_named(const AdminContext& context, const std::string& name);

}  // namespace tideover::main
