#include "core/plugin_host/plugin_host.hpp"

#include "core/plugin_host/deposit_format_adapter.hpp"
#include "core/plugin_host/funding_rail_adapter.hpp"
#include "core/plugin_host/handshake.hpp"
#include "core/plugin_host/import_format_adapter.hpp"
#include "core/plugin_host/lent.hpp"
#include "core/plugin_host/library.hpp"
#include "core/plugin_host/payer_directory_adapter.hpp"
#include "core/plugin_host/plugin_call.hpp"
#include "core/plugin_host/remittance_format_adapter.hpp"

namespace tideover::plugin_host {
namespace {

using domain::Error;
using domain::ErrorCode;
using domain::Result;
using domain::Status;

Result<std::shared_ptr<const Plugin>> create(const Library& library, const PluginSpec& spec, const HostServices& services,
                                             std::chrono::milliseconds budget) {
  const auto& descriptor = *library.descriptor;
  auto plugin = std::make_shared<Plugin>(services, std::string(kind_name(descriptor.kind)), running_id(descriptor, spec));
  plugin->path = spec.path;
  plugin->sha256 = library.sha256;
  plugin->descriptor = &descriptor;
  std::vector<tideover_pair> settings;
  for (const auto& [key, value] : spec.config) settings.push_back({lend(key), lend(value)});
  const tideover_config config{sizeof config, 0, {settings.data(), settings.size()}};
  PluginCall call(*plugin, "create", budget);
  const auto status = call.run([&](const tideover_call* lent) {
    const auto answer = descriptor.create(plugin->host.table(), &config, lent, &plugin->instance);
    if (answer == TIDEOVER_OK && !plugin->instance) call.nonsense("created nothing");
    if (answer == TIDEOVER_NOT_FOUND || answer == TIDEOVER_END) call.nonsense("returned a status without meaning here");
    return answer;
  });
  if (status != TIDEOVER_OK)
    return Error::of(ErrorCode::validation_error,
                     "plugin " + spec.path + " (" + plugin->label() + ") could not start: " + call.reason());
  return std::shared_ptr<const Plugin>(std::move(plugin));
}

std::vector<std::string_view> calls_of(std::string_view kind) {
  if (kind == "payer_directory") return {"systems", "get", "search"};
  if (kind == "funding_rail") return {"describe", "plan", "submit", "query", "statement"};
  if (kind == "import_format") return {"open", "next"};
  return {"parse"};
}

}  // namespace

struct PluginHost::Registry {
  Registry(HostServices given, CallBudgets given_budgets, FileLimits given_limits)
      : services(std::move(given)), budgets(given_budgets), limits(given_limits), payers(given_budgets.payer_lookup) {}

  std::optional<std::string> path_of(const std::string& kind, const std::string& id) const {
    for (const auto& plugin : plugins)
      if (plugin->kind == kind && plugin->id == id) return plugin->path;
    return std::nullopt;
  }

  Status load(const PluginSpec& spec) {
    auto library = load_library(spec.path);
    if (!library) return library.error();
    const auto& descriptor = *library->descriptor;
    if (auto fine = check_shape(descriptor, spec); !fine) return fine.error();
    const auto taken_by = path_of(std::string(kind_name(descriptor.kind)), running_id(descriptor, spec));
    if (auto fine = check_fit(descriptor, spec, taken_by); !fine) return fine.error();
    auto plugin = create(*library, spec, services, budgets.create);
    if (!plugin) return plugin.error();
    if (auto adapted = adapt(*plugin); !adapted) {
      adapted.error().message = "plugin " + spec.path + " could not start: " + adapted.error().message;
      return adapted.error();
    }
    plugins.push_back(std::move(*plugin));
    return {};
  }

  Status adapt(const std::shared_ptr<const Plugin>& plugin) {
    switch (plugin->descriptor->kind) {
      case TIDEOVER_KIND_PAYER_DIRECTORY:
        return payers.add(plugin);
      case TIDEOVER_KIND_FUNDING_RAIL: {
        auto rail = FundingRailAdapter::make(plugin, budgets);
        if (!rail) return rail.error();
        return rails.add(std::move(*rail));
      }
      case TIDEOVER_KIND_IMPORT_FORMAT:
        imports.add(std::make_unique<ImportFormatAdapter>(plugin, budgets.import_record));
        return {};
      case TIDEOVER_KIND_DEPOSIT_FORMAT:
        deposits.add(std::make_unique<DepositFormatAdapter>(plugin, payers, budgets.deposit_file));
        return {};
      default:
        remittances.add(std::make_unique<RemittanceFormatAdapter>(plugin, payers, budgets.remittance_file, limits));
        return {};
    }
  }

  const HostServices services;
  const CallBudgets budgets;
  const FileLimits limits;
  std::vector<std::shared_ptr<const Plugin>> plugins;
  PayerDirectoryAdapter payers;
  FundingRailsAdapter rails;
  ImportFormatsAdapter imports;
  RemittanceFormatsAdapter remittances;
  DepositFormatsAdapter deposits;
};

Result<std::unique_ptr<PluginHost>> PluginHost::load(const std::vector<PluginSpec>& specs, HostServices services,
                                                     CallBudgets budgets, FileLimits limits) {
  auto registry = std::make_unique<Registry>(std::move(services), budgets, limits);
  std::vector<Error> refusals;
  for (const auto& spec : specs)
    if (auto loaded = registry->load(spec); !loaded) refusals.push_back(loaded.error());
  if (refusals.size() == 1) return refusals.front();
  if (!refusals.empty()) {
    std::string all = std::to_string(refusals.size()) + " plugins cannot be loaded:";
    for (const auto& refusal : refusals) all += "\n  " + refusal.message;
    return Error::of(refusals.front().code, std::move(all));
  }
  return std::unique_ptr<PluginHost>(new PluginHost(std::move(registry)));
}

PluginHost::PluginHost(std::unique_ptr<Registry> registry) : registry_(std::move(registry)) {}
PluginHost::~PluginHost() = default;

ports::PayerDirectory& PluginHost::payers() { return registry_->payers; }
ports::FundingRails& PluginHost::rails() { return registry_->rails; }
ports::ImportFormats& PluginHost::imports() { return registry_->imports; }
ports::RemittanceFormats& PluginHost::remittances() { return registry_->remittances; }
ports::DepositFormats& PluginHost::deposits() { return registry_->deposits; }

std::vector<PluginListing> PluginHost::list() const {
  std::vector<PluginListing> listings;
  for (const auto& plugin : registry_->plugins) {
    const auto& descriptor = *plugin->descriptor;
    PluginListing listing{plugin->id,
                          plugin->kind,
                          take_text(descriptor.name).value_or(""),
                          take_text(descriptor.version).value_or(""),
                          std::to_string(descriptor.abi_major) + "." + std::to_string(descriptor.abi_minor),
                          plugin->path,
                          plugin->sha256,
                          {},
                          calls_of(plugin->kind)};
    for (std::size_t i = 0; i < descriptor.config_key_count; ++i)
      listing.config_keys.push_back(take_text(descriptor.config_keys[i].name).value_or(""));
    listings.push_back(std::move(listing));
  }
  return listings;
}

}  // namespace tideover::plugin_host
