// tideover client create|list|disable: the API clients of the store that the configuration names.
#include <fmt/core.h>

#include "core/crypto/ring_credentials.hpp"
#include "core/main/admin_verbs.hpp"
#include "core/main/expect.hpp"
#include "core/main/start.hpp"

namespace tideover::main {
namespace {

using domain::Client;
using domain::ScopeSet;
using domain::Tenant;
using domain::ValidationProfile;

ScopeSet scopes_of(const AdminRequest& request) {
  if (const auto named = request.option("scopes"); !named.empty()) {
    const auto scopes = ScopeSet::parse(named);
    if (!scopes || scopes->empty()) throw StartError("--scopes names a scope that does not exist; they are: " + ScopeSet::all().text());
    return *scopes;
  }
  const auto role = ScopeSet::role(request.option("role"));
  if (role) return *role;
  std::string names;
  for (const auto& name : domain::role_names()) names += (names.empty() ? "" : ", ") + name;
  throw StartError("--role must be one of " + names);
}

ValidationProfile profile_of(const std::string& named, domain::Environment environment) {
  for (const auto profile : {ValidationProfile::lenient, ValidationProfile::standard, ValidationProfile::strict})
    if (name_of(profile) == named) return profile;
  if (!named.empty()) throw StartError("--profile must be lenient, standard or strict");
  return environment == domain::Environment::sandbox ? ValidationProfile::lenient : ValidationProfile::standard;
}

domain::PostOn post_on_of(const std::string& named) {
  for (const auto post_on : {domain::PostOn::deposit, domain::PostOn::remittance})
    if (name_of(post_on) == named || (named.empty() && post_on == domain::PostOn::deposit)) return post_on;
  throw StartError("--post-on must be deposit or remittance");
}

/// What a tenant is made with stays: what is asked for it later must agree.
domain::Status agrees(const Tenant& tenant, std::string_view option, std::string_view asked, std::string_view has) {
  if (asked.empty() || asked == has) return {};
  return domain::Error::of(domain::ErrorCode::validation_error,
                           fmt::format("The tenant {} exists with --{} {}; leave --{} out.", tenant.name, option, has, option));
}

AdminReply create(Desk& desk, const AdminRequest& request) {
  const auto profile = profile_of(request.option("profile"), desk.settings.environment);
  const auto post_on = post_on_of(request.option("post-on"));
  const auto tenant_name = request.option("tenant");
  const crypto::RingCredentials credentials(desk.keys);
  Client client;
  client.id = desk.ids.next<domain::ClientId>();
  client.name = request.option("name");
  client.environment = desk.settings.environment;
  client.scopes = scopes_of(request);
  client.created_at = desk.clock.now();
  const std::string secret = credentials.new_client_secret(client.environment);
  credentials.keep_secret(client, secret);
  expect(desk.store.commit([&](ports::Records& records) -> domain::Status {
    auto tenant = records.clients().find_tenant(tenant_name);
    if (tenant) {
      if (auto status = agrees(*tenant, "profile", request.option("profile"), name_of(tenant->profile)); !status) return status;
      if (auto status = agrees(*tenant, "post-on", request.option("post-on"), name_of(tenant->post_on)); !status) return status;
    } else {
      tenant = Tenant{desk.ids.next<domain::TenantId>(), tenant_name, profile, post_on};
      records.clients().insert_tenant(*tenant, client.created_at);
    }
    client.tenant = tenant->id;
    records.clients().insert(client);
    return {};
  }));
  return {0, fmt::format("client_id={}\nclient_secret={}\n", client.id.text(), secret), "Keep the secret now: it is not shown again.\n"};
}

AdminReply list(Desk& desk, const AdminRequest&) {
  std::string out;
  expect(desk.store.read([&](const ports::Records& records) {
    for (const auto& client : records.clients().list()) {
      const auto tenant = records.clients().tenant(client.tenant);
      out += fmt::format("{}  {:<8}  {:<10}  tenant={}  post_on={}  name={}  created={}  scopes={}\n", client.id.text(), client.enabled ? "enabled" : "disabled",
                         name_of(client.environment), tenant ? tenant->name : "?", tenant ? name_of(tenant->post_on) : "?", client.name, format_timestamp(client.created_at), client.scopes.text());
    }
  }));
  return {0, out.empty() ? "There are no clients; `tideover client create` makes one.\n" : out, ""};
}

AdminReply disable(Desk& desk, const AdminRequest& request) {
  const auto named = request.option("client_id");
  const auto id = domain::ClientId::parse(named);
  if (!id) throw StartError("That is not a client id; they look like cli_ and 26 characters.");
  bool found = false;
  expect(desk.store.commit([&](ports::Records& records) -> domain::Status {
    found = records.clients().disable(*id);
    return {};
  }));
  if (!found) throw StartError("There is no client " + named + ".");
  return {0, named + " is disabled; its tokens end within 5 seconds.\n", ""};
}

}  // namespace

std::vector<AdminVerb> client_verbs() {
  return {{"create",
           "Create a client; prints its id and, once, its secret",
           {{"--tenant", "Tenant by name, created when it is new", "default"},
            {"--profile", "Validation of a new tenant: lenient, standard or strict (default by environment)"},
            {"--post-on", "What posts a payment for a new tenant: deposit, or remittance where no bank feed exists (default deposit)"},
            {"--name", "What this client is called", "client"},
            {"--role", "integrator, submitter, funder, reviewer, reconciler, auditor or admin (every scope)", "integrator"},
            {"--scopes", "Blank-separated scopes instead of a role"}},
           create,
           nullptr,
           /*makes_store=*/true},
          {"list", "List all clients", {}, list},
          {"disable", "Disable a client and end its tokens", {{"client_id", "Which client"}}, disable}};
}

}  // namespace tideover::main
