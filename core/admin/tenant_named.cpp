#include "core/admin/tenant_named.hpp"

#include <fmt/format.h>

#include <set>

#include "core/admin/expect.hpp"
#include "core/ports/store.hpp"

namespace tideover::admin {
namespace {

constexpr std::string_view kDefaultTenant = "default";

/// Each tenant was created together with a client.
std::set<std::string> tenant_names(const ports::Records& records) {
  std::set<std::string> names;
  for (const auto& client : records.clients().list())
    if (const auto tenant = records.clients().tenant(client.tenant)) names.insert(tenant->name);
  return names;
}

}  // namespace

domain::Tenant tenant_named(const AdminContext& context, const std::string& name) {
  std::optional<domain::Tenant> tenant;
  std::set<std::string> names;
  expect(context.store.read([&](const ports::Records& records) {
    tenant = records.clients().find_tenant(name.empty() ? kDefaultTenant : std::string_view(name));
    if (tenant || !name.empty()) return;
    names = tenant_names(records);
    if (names.size() == 1) tenant = records.clients().find_tenant(*names.begin());
  }));
  if (tenant) return std::move(*tenant);
  if (!name.empty())
    throw node::StartError("Tenant " + name +
                           " not found. Give another one with --tenant; `tideover client list` shows them.");
  if (names.empty()) throw node::StartError("No tenants. Create one with `tideover client create`.");
  throw node::StartError(
      fmt::format("There are several tenants ({}). Give one with --tenant.", fmt::join(names, ", ")));
}

}  // namespace tideover::admin
