// tideover: one program, one subcommand per task.
#include <fmt/core.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <utility>

#include "core/admin/admin.hpp"
#include "core/main/commands.hpp"
#include "core/plugin_host/plugin_host.hpp"

namespace {

using namespace tideover;

admin::Program program() {
  admin::Program made{"tideover",
                      "Tideover: claim review, advance funding and reconciliation.",
                      "tideover " TIDEOVER_VERSION,
                      {main::serve_command(), main::check_command(), main::rules_command(), main::plugin_command()}};
  for (auto& command : admin::admin_commands()) admin::merge(made.commands, std::move(command));
  admin::merge(made.commands, {"version", "Print the version", {}, [](const admin::Arguments&) {
                                 fmt::print("tideover {}\n", TIDEOVER_VERSION);
                                 return 0;
                               }});
  return made;
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  int code = 1;
  try {
    code = admin::run_command_line(program(), argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "tideover: {}\n", error.what());
  }
  if (!plugin_host::PluginHost::has_abandoned_calls()) return code;
  std::fflush(nullptr);
  std::_Exit(code);
}
