// tideover plugin list: loads the configured plugins as serve does and lists them.
#include <fmt/core.h>

#include <cstdio>

#include "core/admin/commands.hpp"
#include "core/node/start.hpp"

namespace tideover::main {

namespace {

void print(const plugin_host::PluginHost& plugins) {
  for (const auto& plugin : plugins.list()) {
    std::string keys;
    for (const auto& key : plugin.config_keys) keys += (keys.empty() ? "" : ",") + key;
    fmt::print("{:<18} {:<12} {} {}  abi={}  sha256={:.12}  config={}  {}\n", plugin.kind, plugin.id, plugin.name,
               plugin.version, plugin.abi, plugin.sha256, keys.empty() ? "-" : keys, plugin.path);
  }
}

/// All plugins, loaded as serve loads them. If that fails: those that can be loaded alone, and then the reason.
int list(const std::string& config_file) {
  const auto settings =
      load_settings(config_file.empty() ? std::nullopt : std::optional<std::filesystem::path>(config_file));
  const clock::SystemClock clock;
  const clock::NewYorkTime bank_time;
  const plugin_host::HostServices services{clock, bank_time, {}, {}};
  const auto budgets = start_budgets(settings);
  const auto specs = plugin_specs(settings);
  const auto all = plugin_host::PluginHost::load(specs, services, budgets);
  if (all) {
    print(**all);
    return 0;
  }
  for (const auto& spec : specs) {
    if (plugin_host::PluginHost::has_abandoned_calls()) break;  // a call hangs, possibly in the system's loader
    if (const auto alone = plugin_host::PluginHost::load({spec}, services, budgets)) print(**alone);
  }
  std::fflush(stdout);
  throw StartError(all.error().message);
}

}  // namespace

void add_plugin(CLI::App& app, Run& run) {
  auto config_file = std::make_shared<std::string>();
  auto* command = app.add_subcommand("plugin", "Manage the plugins");
  command->require_subcommand(1);
  auto* listing = command->add_subcommand("list", "Load the configured plugins and list them");
  add_config_option(*listing, *config_file);
  listing->callback([config_file, &run] { run = [config_file] { return list(*config_file); }; });
}

}  // namespace tideover::main
