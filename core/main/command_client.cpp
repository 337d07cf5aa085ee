// tideover client create|list|disable: the API clients of the store that the configuration names.
#include <fmt/core.h>

#include "core/main/commands.hpp"
#include "core/main/start.hpp"

namespace tideover::main {
namespace {

using domain::Client;
using domain::ScopeSet;
using domain::Tenant;
using domain::ValidationProfile;

struct ClientOptions {
  std::string config_file;
  std::string tenant = "default";
  std::string profile;
  std::string name = "client";
  std::string role = "integrator";
  std::string scopes;
  std::string id;
};

/// What a client command works on.
struct Desk {
  explicit Desk(const std::string& config_file)
      : settings(load_settings(config_file.empty() ? std::nullopt : std::optional<std::filesystem::path>(config_file))),
        keys(open_key_ring(settings)), credentials(keys), store(open_store(settings, event_json)) {}
  settings::Settings settings;
  crypto::KeyRing keys;
  crypto::RingCredentials credentials;
  wire::EventJson event_json;
  std::unique_ptr<store::SqlStore> store;
  clock::SystemClock clock;
  clock::UlidSource ids{clock};
};

void expect(const domain::Status& done) {
  if (!done) throw StartError(done.error().message);
}

ScopeSet scopes_of(const ClientOptions& options) {
  if (!options.scopes.empty()) {
    const auto scopes = ScopeSet::parse(options.scopes);
    if (!scopes || scopes->empty()) throw StartError("--scopes names a scope that does not exist; they are: " + ScopeSet::all().text());
    return *scopes;
  }
  const auto role = ScopeSet::role(options.role);
  if (role) return *role;
  std::string names;
  for (const auto& name : domain::role_names()) names += (names.empty() ? "" : ", ") + name;
  throw StartError("--role must be one of " + names);
}

ValidationProfile profile_of(const ClientOptions& options, domain::Environment environment) {
  for (const auto profile : {ValidationProfile::lenient, ValidationProfile::standard, ValidationProfile::strict})
    if (name_of(profile) == options.profile) return profile;
  if (!options.profile.empty()) throw StartError("--profile must be lenient, standard or strict");
  return environment == domain::Environment::sandbox ? ValidationProfile::lenient : ValidationProfile::standard;
}

int create(const ClientOptions& options) {
  const ScopeSet scopes = scopes_of(options);
  Desk desk(options.config_file);
  const auto profile = profile_of(options, desk.settings.environment);
  Client client;
  client.id = desk.ids.next<domain::ClientId>();
  client.name = options.name;
  client.environment = desk.settings.environment;
  client.scopes = scopes;
  client.created_at = desk.clock.now();
  const std::string secret = desk.credentials.new_client_secret(client.environment);
  desk.credentials.keep_secret(client, secret);
  expect(desk.store->commit([&](ports::Records& records) -> domain::Status {
    auto tenant = records.clients().find_tenant(options.tenant);
    if (tenant && !options.profile.empty() && tenant->profile != profile)
      return domain::Error::of(domain::ErrorCode::validation_error,
                               "The tenant " + options.tenant + " exists with the profile " + std::string(name_of(tenant->profile)) + "; leave --profile out.");
    if (!tenant) {
      tenant = Tenant{desk.ids.next<domain::TenantId>(), options.tenant, profile};
      records.clients().insert_tenant(*tenant, client.created_at);
    }
    client.tenant = tenant->id;
    records.clients().insert(client);
    return {};
  }));
  fmt::print("client_id={}\nclient_secret={}\n", client.id.text(), secret);
  fmt::print(stderr, "Keep the secret now: it is not shown again.\n");
  return 0;
}

int list(const ClientOptions& options) {
  Desk desk(options.config_file);
  std::vector<Client> clients;
  std::vector<std::string> tenants;
  expect(desk.store->read([&](const ports::Records& records) {
    clients = records.clients().list();
    for (const auto& client : clients) {
      const auto tenant = records.clients().tenant(client.tenant);
      tenants.push_back(tenant ? tenant->name : "?");
    }
  }));
  for (std::size_t i = 0; i < clients.size(); ++i)
    fmt::print("{}  {:<8}  {:<10}  tenant={}  name={}  created={}  scopes={}\n", clients[i].id.text(), clients[i].enabled ? "enabled" : "disabled",
               name_of(clients[i].environment), tenants[i], clients[i].name, format_timestamp(clients[i].created_at), clients[i].scopes.text());
  if (clients.empty()) fmt::print("There are no clients; `tideover client create` makes one.\n");
  return 0;
}

int disable(const ClientOptions& options) {
  const auto id = domain::ClientId::parse(options.id);
  if (!id) throw StartError("That is not a client id; they look like cli_ and 26 characters.");
  Desk desk(options.config_file);
  bool found = false;
  expect(desk.store->commit([&](ports::Records& records) -> domain::Status {
    found = records.clients().disable(*id);
    return {};
  }));
  if (!found) throw StartError("There is no client " + options.id + ".");
  fmt::print("{} is disabled; its tokens end within 5 seconds.\n", options.id);
  return 0;
}

}  // namespace

void add_client(CLI::App& app, Run& run) {
  auto options = std::make_shared<ClientOptions>();
  auto* command = app.add_subcommand("client", "Create, list and disable API clients (the embedded store: while the service is stopped)");
  command->require_subcommand(1);

  auto* creating = command->add_subcommand("create", "Create a client; prints its id and, once, its secret");
  add_config_option(*creating, options->config_file);
  creating->add_option("--tenant", options->tenant, "Tenant by name, created when it is new")->capture_default_str();
  creating->add_option("--profile", options->profile, "Validation of a new tenant: lenient, standard or strict (default by environment)");
  creating->add_option("--name", options->name, "What this client is called")->capture_default_str();
  creating->add_option("--role", options->role, "integrator, submitter, funder, reviewer, reconciler, auditor or admin (every scope)")->capture_default_str();
  creating->add_option("--scopes", options->scopes, "Blank-separated scopes instead of a role");
  creating->callback([options, &run] { run = [options] { return create(*options); }; });

  auto* listing = command->add_subcommand("list", "List all clients");
  add_config_option(*listing, options->config_file);
  listing->callback([options, &run] { run = [options] { return list(*options); }; });

  auto* disabling = command->add_subcommand("disable", "Disable a client and end its tokens");
  add_config_option(*disabling, options->config_file);
  disabling->add_option("client_id", options->id, "Which client")->required();
  disabling->callback([options, &run] { run = [options] { return disable(*options); }; });
}

}  // namespace tideover::main
