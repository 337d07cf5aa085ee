// The client that a command works on: its option client_id.
#pragma once
#include "core/admin/admin_context.hpp"
#include "core/domain/basics/tenant.hpp"

namespace tideover::admin {

/// Throws StartError when there is no such client.
domain::Client client_named(const AdminContext& context, const AdminRequest& request);

}  // namespace tideover::admin
