// tideover rules check: what the service would say about a rule folder before it publishes it.
#include <fmt/core.h>

#include "core/main/commands.hpp"
#include "core/main/start.hpp"

namespace tideover::main {

void add_rules(CLI::App& app, Run& run) {
  struct Options {
    std::string config_file;
    std::string folder;
  };
  auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand("rules", "Work on the risk rules");
  command->require_subcommand(1);
  auto* checking = command->add_subcommand("check", "Compile, lint and run the cases of a rule folder");
  add_config_option(*checking, options->config_file);
  checking->add_option("folder", options->folder, "Rule folder (default: the configured one)");
  checking->callback([options, &run] {
    run = [options] {
      const auto settings = load_settings(options->config_file.empty() ? std::nullopt : std::optional<std::filesystem::path>(options->config_file));
      const auto limits = rule_options(settings, load_reason_codes(settings));
      const auto report = lua::check_rules(options->folder.empty() ? settings.rules.folder : std::filesystem::path(options->folder), limits);
      fmt::print("{}", report.text);
      return report.ok ? 0 : 1;
    };
  });
}

}  // namespace tideover::main
