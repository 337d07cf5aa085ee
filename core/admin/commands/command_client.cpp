// tideover client create|list|payout-account|disable|enable|set-expiry: API clients and their tenants.
#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

#include "core/admin/admin_verbs.hpp"
#include "core/admin/client_named.hpp"
#include "core/admin/expect.hpp"
#include "core/admin/tenant_named.hpp"
#include "core/crypto/ring_credentials.hpp"
#include "core/domain/basics/text.hpp"
#include "core/ports/clock.hpp"
#include "core/ports/id_source.hpp"
#include "core/ports/store.hpp"
#include "core/settings/settings.hpp"
#include "core/usecases/access/client_secrets.hpp"

namespace tideover::admin {
namespace {

using domain::Client;
using domain::ScopeSet;
using domain::Tenant;
using domain::ValidationProfile;

/// Empty: none.
std::optional<domain::Timestamp> expiry_of(const std::string& named, domain::Timestamp now) {
  if (named.empty()) return std::nullopt;
  const auto at = domain::parse_timestamp(named);
  if (!at || *at <= now) throw node::StartError("The expiry must be a later time, such as 2027-01-31T00:00:00Z.");
  return at;
}

ScopeSet scopes_of(const AdminRequest& request, const domain::Roles& roles) {
  if (const auto named = request.option("scopes"); !named.empty()) {
    const auto scopes = ScopeSet::parse(named);
    if (!scopes || scopes->empty())
      throw node::StartError("--scopes has an unknown scope. The scopes are: " + ScopeSet::all().text());
    return *scopes;
  }
  const auto role = roles.find(request.option("role"));
  if (role) return *role;
  throw node::StartError("--role must be one of " + roles.names());
}

ValidationProfile profile_of(const std::string& named, domain::Environment environment) {
  for (const auto profile : {ValidationProfile::lenient, ValidationProfile::standard, ValidationProfile::strict})
    if (name_of(profile) == named) return profile;
  if (!named.empty()) throw node::StartError("--profile must be lenient, standard or strict");
  return environment == domain::Environment::sandbox ? ValidationProfile::lenient : ValidationProfile::standard;
}

domain::PostOn post_on_of(const std::string& named) {
  for (const auto post_on : {domain::PostOn::deposit, domain::PostOn::remittance})
    if (name_of(post_on) == named || (named.empty() && post_on == domain::PostOn::deposit)) return post_on;
  throw node::StartError("--post-on must be deposit or remittance");
}

/// A token with the limits of a request (POST /v1/claims/adjudications).
domain::Sensitive<std::string> payout_account_of(const std::string& given) {
  if (!domain::is_printable(given) || domain::count_characters(given) > 255)
    throw node::StartError("The payout account token is not valid. Use at most 255 printable characters.");
  return domain::Sensitive(given);
}

/// The settings of a tenant are fixed at its creation: later options must agree with them.
domain::Status agrees(const Tenant& tenant, std::string_view option, std::string_view asked, std::string_view has) {
  if (asked.empty() || asked == has) return {};
  return domain::Error::of(
      domain::ErrorCode::validation_error,
      fmt::format("Tenant {} already exists with --{} {}. Remove --{}.", tenant.name, option, has, option));
}

AdminReply create(AdminContext& context, const AdminRequest& request) {
  const auto profile = profile_of(request.option("profile"), context.settings.environment);
  const auto post_on = post_on_of(request.option("post-on"));
  const auto tenant_name = request.option("tenant");
  const auto account = payout_account_of(request.option("payout-account"));
  const crypto::RingCredentials credentials(context.keys);
  Client client;
  client.id = context.ids.next<domain::ClientId>();
  client.name = request.option("name");
  client.environment = context.settings.environment;
  client.scopes = scopes_of(request, domain::Roles(context.settings.roles));
  client.created_at = context.clock.now();
  client.expires_at = expiry_of(request.option("expires-at"), client.created_at);
  const auto secret = usecases::make_secret(credentials, context.ids, client.environment, client.created_at);
  expect(context.store.commit([&](ports::Records& records) -> domain::Status {
    auto tenant = records.clients().find_tenant(tenant_name);
    if (tenant) {
      if (auto status = agrees(*tenant, "profile", request.option("profile"), name_of(tenant->profile)); !status)
        return status;
      if (auto status = agrees(*tenant, "post-on", request.option("post-on"), name_of(tenant->post_on)); !status)
        return status;
      if (!account.reveal().empty() && records.clients().payout_account(tenant->id) != account)
        return domain::Error::of(domain::ErrorCode::validation_error,
                                 "Tenant " + tenant_name +
                                     " already exists with a different default payout account. "
                                     "Change it with `tideover client payout-account`.");
    } else {
      tenant = Tenant{context.ids.next<domain::TenantId>(), tenant_name, profile, post_on};
      records.clients().insert_tenant(*tenant, client.created_at);
      if (!account.reveal().empty()) records.clients().set_payout_account(tenant->id, account);
    }
    client.tenant = tenant->id;
    records.clients().insert(client);
    records.clients().insert_secret(client.id, secret.stored);
    return {};
  }));
  return {0, fmt::format("client_id={}\nclient_secret={}\n", client.id.text(), secret.plain),
          "Store the secret now. It is not shown again.\n"};
}

std::string state_of(const Client& client, domain::Timestamp now) {
  return !client.enabled ? "disabled" : client.may_act(now) ? "enabled" : "expired";
}

std::string last_use_of(const std::vector<domain::ClientSecret>& secrets) {
  std::optional<domain::Timestamp> last;
  for (const auto& secret : secrets) last = std::max(last, secret.last_used_at);
  return last ? format_timestamp(*last) : "never";
}

AdminReply list(AdminContext& context, const AdminRequest&) {
  const auto out = expect(fetch(context.store, [now = context.clock.now()](const ports::Records& records) {
    std::string lines;
    for (const auto& client : records.clients().list()) {
      const auto tenant = records.clients().tenant(client.tenant);
      const bool has_account = !records.clients().payout_account(client.tenant).reveal().empty();
      lines += fmt::format(
          "{}  {:<8}  {:<10}  tenant={}  post_on={}  payout_account={}  name={}  created={}  expires={}  "
          "last_used={}  scopes={}\n",
          client.id.text(), state_of(client, now), name_of(client.environment), tenant ? tenant->name : "?",
          tenant ? name_of(tenant->post_on) : "?", has_account ? "set" : "none", client.name,
          format_timestamp(client.created_at), client.expires_at ? format_timestamp(*client.expires_at) : "never",
          last_use_of(records.clients().secrets(client.id)), client.scopes.text());
    }
    return lines;
  }));
  return {0, out.empty() ? "No clients. Create one with `tideover client create`.\n" : out, ""};
}

AdminReply set_payout_account(AdminContext& context, const AdminRequest& request) {
  const auto account = payout_account_of(request.option("token"));
  if (account.reveal().empty()) throw node::StartError("The payout account token is empty.");
  const auto tenant = tenant_named(context, request.option("tenant"));
  expect(context.store.commit([&](ports::Records& records) -> domain::Status {
    records.clients().set_payout_account(tenant.id, account);
    return {};
  }));
  return {0,
          "New advances of " + tenant.name +
              " without an account are paid to this account. Existing terms keep their account.\n",
          ""};
}

/// Changes a client whatever it was before; a change at the same time is a conflict.
void change(AdminContext& context, const domain::ClientId& id, const std::function<void(Client&)>& apply) {
  expect(context.store.commit([&](ports::Records& records) -> domain::Status {
    auto client = records.clients().find(id);
    if (!client) return {};
    apply(*client);
    if (!records.clients().update(*client))
      return domain::Error::of(domain::ErrorCode::conflict, "The client was changed meanwhile. Repeat the command.");
    return {};
  }));
}

AdminReply set_expiry(AdminContext& context, const AdminRequest& request) {
  const auto id = client_named(context, request).id;
  const auto named = request.option("expires_at");
  const auto expiry = named == "never" ? std::nullopt : expiry_of(named, context.clock.now());
  change(context, id, [&](Client& client) { client.expires_at = expiry; });
  return {0, id.text() + (expiry ? " expires at " + format_timestamp(*expiry) : " does not expire") + ".\n", ""};
}

AdminReply disable(AdminContext& context, const AdminRequest& request) {
  const auto id = client_named(context, request).id;
  expect(context.store.commit([&](ports::Records& records) -> domain::Status {
    records.clients().disable(id);
    return {};
  }));
  return {0, id.text() + " is disabled. Its tokens become invalid within 5 seconds.\n", ""};
}

AdminReply enable(AdminContext& context, const AdminRequest& request) {
  const auto id = client_named(context, request).id;
  change(context, id, [](Client& client) {
    client.enabled = true;
    client.locked = false;
  });
  return {0, id.text() + " is enabled. It obtains new tokens with its secrets.\n", ""};
}

}  // namespace

std::vector<AdminVerb> client_verbs() {
  return {{"create",
           "Create a client and print its id and its secret, which is shown only once",
           {{"--tenant", "Tenant by name; created if it does not exist", "default"},
            {"--profile", "Profile of a new tenant: lenient, standard or strict (default: by environment)"},
            {"--post-on",
             "What posts payments of a new tenant: deposit, or remittance if there is no bank feed (default: deposit)"},
            {"--payout-account", "Default payout account token of a new tenant, for requests without one", "",
             AdminOption::Kind::secret},
            {"--name", "Name of the client", "client"},
            {"--role",
             "integrator, submitter, funder, reviewer, reconciler, auditor, admin, or a role of the setting roles",
             "integrator"},
            {"--scopes", "Blank-separated scopes instead of a role"},
            {"--expires-at", "End of the client's access, as 2027-01-31T00:00:00Z (default: never)"}},
           create,
           nullptr,
           /*makes_store=*/true},
          {"list", "List all clients", {}, list},
          {"payout-account",
           "Set the default payout account of a tenant, for requests without one",
           {{"token", "Payout account token", "", AdminOption::Kind::secret},
            {"--tenant", "Tenant by name (default: `default`, else the only tenant)"}},
           set_payout_account},
          {"disable",
           "Disable a client and invalidate its tokens; the API cannot enable it",
           {{"client_id", "Id of the client"}},
           disable},
          {"enable", "Enable a client that was disabled", {{"client_id", "Id of the client"}}, enable},
          {"set-expiry",
           "Set the end of a client's access",
           {{"client_id", "Id of the client"}, {"expires_at", "Time, as 2027-01-31T00:00:00Z, or never"}},
           set_expiry}};
}

}  // namespace tideover::admin
