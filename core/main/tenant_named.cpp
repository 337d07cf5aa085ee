#include "core/main/tenant_named.hpp"

#include "core/main/expect.hpp"

namespace tideover::main {

domain::Tenant tenant_named(const Desk& desk, const std::string& name) {
  std::optional<domain::Tenant> tenant;
  expect(desk.store.read([&](const ports::Records& records) { tenant = records.clients().find_tenant(name); }));
  if (!tenant) throw StartError("There is no tenant " + name + ": name another one with --tenant (`tideover client list` shows them).");
  return std::move(*tenant);
}

}  // namespace tideover::main
