// tideover plugin list: loads the configured plugins as serve would and says what they are.
#include <fmt/core.h>

#include "core/main/commands.hpp"
#include "core/main/start.hpp"

namespace tideover::main {

void add_plugin(CLI::App& app, Run& run) {
  auto config_file = std::make_shared<std::string>();
  auto* command = app.add_subcommand("plugin", "Look at the plugins");
  command->require_subcommand(1);
  auto* listing = command->add_subcommand("list", "Load the configured plugins and list them");
  add_config_option(*listing, *config_file);
  listing->callback([config_file, &run] {
    run = [config_file] {
      const auto settings = load_settings(config_file->empty() ? std::nullopt : std::optional<std::filesystem::path>(*config_file));
      const clock::SystemClock clock;
      const clock::NewYorkTime bank_time;
      const auto plugins = load_plugins(settings, {clock, bank_time, {}, {}});
      for (const auto& plugin : plugins->list()) {
        std::string keys;
        for (const auto& key : plugin.config_keys) keys += (keys.empty() ? "" : ",") + key;
        fmt::print("{:<18} {:<12} {} {}  abi={}  sha256={:.12}  config={}  {}\n", plugin.kind, plugin.id, plugin.name, plugin.version,
                   plugin.abi, plugin.sha256, keys.empty() ? "-" : keys, plugin.path);
      }
      return 0;
    };
  });
}

}  // namespace tideover::main
