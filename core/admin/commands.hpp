// The subcommands. Each adds itself to the command line. The chosen one runs; its result is the exit code.
#pragma once
#include <CLI/CLI.hpp>
#include <functional>

namespace tideover::main {

/// Set by the chosen subcommand.
using Run = std::function<int()>;

void add_serve(CLI::App& app, Run& run);
void add_check(CLI::App& app, Run& run);
void add_rules(CLI::App& app, Run& run);
void add_plugin(CLI::App& app, Run& run);

/// Adds --config to a subcommand.
inline void add_config_option(CLI::App& command, std::string& config_file) {
  command
      .add_option("-c,--config", config_file,
                  "Configuration file (default: the variable TIDEOVER_CONFIG; TIDEOVER_* variables override its keys)")
      ->type_name("FILE");
}

}  // namespace tideover::main
