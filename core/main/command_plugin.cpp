// tideover plugin list: loads the configured plugins as serve does and lists them.
#include <fmt/core.h>

#include <cstdio>

#include "core/clock/new_york_time.hpp"
#include "core/clock/system_clock.hpp"
#include "core/main/commands.hpp"
#include "core/node/start.hpp"
#include "core/plugin_host/plugin_host.hpp"
#include "core/settings/settings.hpp"

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
int list(const admin::Arguments& arguments) {
  const auto settings = node::load_settings(arguments.config_file());
  const clock::SystemClock clock;
  const clock::NewYorkTime bank_time;
  const plugin_host::HostServices services{clock, bank_time, {}, {}};
  const auto budgets = node::start_budgets(settings);
  const auto specs = node::plugin_specs(settings);
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
  throw node::StartError(all.error().message);
}

}  // namespace

admin::Command plugin_command() {
  admin::Command command{"plugin", "Manage the plugins"};
  command.commands = {{"list", "Load the configured plugins and list them", {admin::config_option()}, list}};
  return command;
}

}  // namespace tideover::main
