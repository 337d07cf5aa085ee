#include "core/plugin_host/plugin_host.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <optional>
#include <thread>
#include <utility>

#include "core/plugin_host/adapters/deposit_format_adapter.hpp"
#include "core/plugin_host/adapters/funding_rail_adapter.hpp"
#include "core/plugin_host/adapters/import_format_adapter.hpp"
#include "core/plugin_host/adapters/payer_directory_adapter.hpp"
#include "core/plugin_host/adapters/remittance_format_adapter.hpp"
#include "core/plugin_host/calls/call_threads.hpp"
#include "core/plugin_host/calls/crash_note.hpp"
#include "core/plugin_host/calls/handshake.hpp"
#include "core/plugin_host/calls/lent.hpp"
#include "core/plugin_host/calls/library.hpp"
#include "core/plugin_host/calls/plugin_call.hpp"

namespace tideover::plugin_host {
namespace {

using domain::Error;
using domain::ErrorCode;
using domain::Result;
using domain::Status;

constexpr CallTerms kCreate{"create",
                            false,
                            false,
                            ErrorCode::validation_error,
                            {{{TIDEOVER_FAULT_INVALID_CONFIG, ErrorCode::validation_error},
                              {TIDEOVER_FAULT_INVALID_INPUT, ErrorCode::validation_error}}}};
/// How long close() waits for calls in progress.
constexpr std::chrono::seconds kLastCalls{2};

Error too_late(const std::string& path, const std::string& what, std::chrono::milliseconds budget) {
  return Error::of(ErrorCode::validation_error, "plugin " + path + " " + what + " within " +
                                                    std::to_string(budget.count()) +
                                                    " ms; remove it from the configuration, or replace it");
}

Result<Library> load_within(const std::string& path, std::chrono::milliseconds budget) {
  const auto loaded = std::make_shared<std::optional<Result<Library>>>();
  const auto load = [loaded, path] {
    try {
      loaded->emplace(load_library(path));
    } catch (const std::exception& error) {
      loaded->emplace(Error::of(ErrorCode::validation_error, "plugin " + path + " cannot be loaded: " + error.what()));
    }
  };
  if (!CallThreads::shared().run_within(budget, path, "the load of its library", load))
    return too_late(path, "did not load (a static constructor does not return)", budget);
  return std::move(**loaded);
}

Result<std::shared_ptr<const Plugin>> create(const Library& library, const PluginSpec& spec,
                                             const HostServices& services, std::chrono::milliseconds budget) {
  const auto& descriptor = *library.descriptor;
  auto plugin =
      std::make_shared<Plugin>(services, spec, std::string(kind_name(descriptor.kind)), running_id(descriptor, spec));
  plugin->sha256 = library.sha256;
  plugin->descriptor = &descriptor;
  struct Settings {
    std::vector<std::pair<std::string, std::string>> texts;
    std::vector<tideover_pair> pairs;
    tideover_config config;
  };
  const auto settings = std::make_shared<Settings>(Settings{spec.config, {}, {}});
  for (const auto& [key, value] : settings->texts) settings->pairs.push_back({lend(key), lend(value)});
  settings->config = {sizeof(tideover_config), 0, {settings->pairs.data(), settings->pairs.size()}};
  const auto call = std::make_shared<PluginCall>(plugin, kCreate, budget);
  const auto status = call->run(
      [plugin, settings](const tideover_call* lent) {
        return plugin->descriptor->create(plugin->host.table(), &settings->config, lent, &plugin->instance);
      },
      [&](tideover_status answer) {
        if (answer == TIDEOVER_OK && !plugin->instance) call->nonsense("created no instance");
      });
  if (status != TIDEOVER_OK)
    return Error::of(ErrorCode::validation_error,
                     "plugin " + spec.path + " (" + plugin->label() + ") could not start: " + call->reason());
  return std::shared_ptr<const Plugin>(std::move(plugin));
}

// The forced unwinding of the library has no object: see PluginCall::work.
__attribute__((no_sanitize("null"))) void destroy(const Plugin& plugin) {
  try {
    plugin.descriptor->destroy(plugin.instance);
  } catch (abi::__forced_unwind&) {
    throw;  // the plugin ended this thread, which cannot be kept
  } catch (const std::exception& error) {
    plugin.count("destroy", "threw", plugin.label() + ", destroy: threw an exception: " + error.what());
  } catch (...) {
    plugin.count("destroy", "threw", plugin.label() + ", destroy: threw an exception");
  }
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
      : services(std::move(given)),
        budgets(given_budgets),
        limits(given_limits),
        payers(given_budgets.payer_lookup, given_budgets.payer_fresh) {}
  ~Registry() { close(); }

  std::optional<std::string> path_of(const std::string& kind, const std::string& id) const {
    for (const auto& plugin : plugins)
      if (plugin->kind == kind && plugin->id == id) return plugin->path;
    return std::nullopt;
  }

  Status load(const PluginSpec& spec) {
    auto library = load_within(spec.path, budgets.create);
    if (!library) return library.error();
    const auto& descriptor = *library->descriptor;
    if (auto fine = check(descriptor, spec); !fine) return fine.error();
    auto plugin = create(*library, spec, services, budgets.create);
    if (!plugin) return plugin.error();
    plugins.push_back(*plugin);
    if (auto adapted = adapt(*plugin); !adapted) {
      adapted.error().message = "plugin " + spec.path + " could not start: " + adapted.error().message;
      return adapted.error();
    }
    return {};
  }

  Status check(const tideover_plugin_descriptor& descriptor, const PluginSpec& spec) {
    const CrashNote note(spec.path.c_str(), "the check of its descriptor");
    if (auto fine = check_shape(descriptor, spec); !fine) return fine.error();
    return check_fit(descriptor, spec, path_of(std::string(kind_name(descriptor.kind)), running_id(descriptor, spec)));
  }

  Status adapt(const std::shared_ptr<const Plugin>& plugin) {
    switch (plugin->descriptor->kind) {
      case TIDEOVER_KIND_PAYER_DIRECTORY:
        return payers.add(plugin, budgets.create);
      case TIDEOVER_KIND_FUNDING_RAIL: {
        auto rail = FundingRailAdapter::make(plugin, budgets);
        if (!rail) return rail.error();
        return rails.add(std::move(*rail));
      }
      case TIDEOVER_KIND_IMPORT_FORMAT:
        imports.add(std::make_unique<ImportFormatAdapter>(plugin, budgets.import_record, files));
        return {};
      case TIDEOVER_KIND_DEPOSIT_FORMAT:
        deposits.add(std::make_unique<DepositFormatAdapter>(plugin, payers, budgets.deposit_file, files));
        return {};
      default:
        remittances.add(
            std::make_unique<RemittanceFormatAdapter>(plugin, payers, budgets.remittance_file, limits, files));
        return {};
    }
  }

  std::vector<std::string> close() {
    std::vector<std::string> left;
    if (std::exchange(is_closed, true)) return left;
    for (const auto& plugin : plugins) plugin->is_closing = true;
    const auto deadline = std::chrono::steady_clock::now() + kLastCalls;
    const auto is_busy = [](const auto& plugin) { return plugin->running > plugin->unanswered; };
    while (std::any_of(plugins.begin(), plugins.end(), is_busy) && std::chrono::steady_clock::now() < deadline)
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    for (auto at = plugins.rbegin(); at != plugins.rend(); ++at) {
      const auto& plugin = *at;
      if (plugin->running > 0) {
        left.push_back(plugin->label() + " has calls that have not returned; its destroy is not called");
      } else if (!CallThreads::shared().run_within(budgets.destroy, plugin->crash_label, "destroy",
                                                   [plugin] { destroy(*plugin); })) {
        left.push_back(plugin->label() + " did not return from destroy within " +
                       std::to_string(budgets.destroy.count()) + " ms");
      }
    }
    for (const auto& plugin : plugins) plugin->retire();
    return left;
  }

  const HostServices services;
  const CallBudgets budgets;
  const std::shared_ptr<FilePlaces> files = std::make_shared<FilePlaces>(budgets.files_at_once);
  bool is_closed = false;
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
  name_plugins_on_crash();
  auto registry = std::make_unique<Registry>(std::move(services), budgets, limits);
  std::vector<Error> refusals;
  const int abandoned_before = CallThreads::shared().abandoned();
  for (const auto& spec : specs) {
    if (auto loaded = registry->load(spec); !loaded) refusals.push_back(loaded.error());
    if (CallThreads::shared().abandoned() > abandoned_before) break;  // it may hold the lock of the system's loader
  }
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

ports::PayerDirectory& PluginHost::payers() {
  return registry_->payers;
}
ports::FundingRails& PluginHost::rails() {
  return registry_->rails;
}
ports::ImportFormats& PluginHost::imports() {
  return registry_->imports;
}
ports::RemittanceFormats& PluginHost::remittances() {
  return registry_->remittances;
}
ports::DepositFormats& PluginHost::deposits() {
  return registry_->deposits;
}

std::vector<std::string> PluginHost::close() {
  return registry_->close();
}
bool PluginHost::has_abandoned_calls() {
  return CallThreads::shared().abandoned() > 0;
}

std::vector<PluginState> PluginHost::states() const {
  std::vector<PluginState> states;
  for (const auto& plugin : registry_->plugins) states.push_back(plugin->state());
  return states;
}

std::vector<PluginListing> PluginHost::list() const {
  std::vector<PluginListing> listings;
  for (const auto& plugin : registry_->plugins) {
    const auto& descriptor = *plugin->descriptor;
    PluginListing listing{plugin->id,
                          plugin->kind,
                          take_label(descriptor.name).value_or(""),
                          take_label(descriptor.version).value_or(""),
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
