#include "core/admin/client_named.hpp"

#include "core/admin/expect.hpp"
#include "core/ports/store.hpp"

namespace tideover::admin {

domain::Client client_named(const AdminContext& context, const AdminRequest& request) {
  const auto named = request.option("client_id");
  const auto id = domain::ClientId::parse(named);
  if (!id) throw node::StartError("The client id is not valid. It is cli_ and 26 characters.");
  auto client =
      expect(fetch(context.store, [&](const ports::Records& records) { return records.clients().find(*id); }));
  if (!client) throw node::StartError("Client " + named + " not found. `tideover client list` shows all clients.");
  return *client;
}

}  // namespace tideover::admin
