// tideover serve: runs the service until SIGTERM or SIGINT; SIGHUP reopens the log and looks at the rules.
#include <fmt/core.h>

#include <csignal>
#include <cstdlib>

#include "core/main/commands.hpp"
#include "core/main/service.hpp"
#include "core/main/start.hpp"
#include "core/settings/load.hpp"

namespace tideover::main {
namespace {

struct ServeOptions {
  std::string config_file;
  bool help_config = false;
};

int serve(const ServeOptions& options) {
  if (options.help_config) {
    fmt::print("{}", settings::describe());
    return 0;
  }
  // Every thread inherits the mask, so that only this one ever sees the signals.
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&signals, signal);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);

  Service service(load_settings(options.config_file.empty() ? std::nullopt : std::optional<std::filesystem::path>(options.config_file)));
  fmt::print("tideover serves on port {} (operations on port {})\n", service.port(), service.ops_port());
  std::fflush(stdout);
  while (true) {
    int signal = 0;
    sigwait(&signals, &signal);
    if (signal != SIGHUP) break;
    service.reload();
  }
  const bool clean = service.drain();
  // Everything acknowledged is durable now. A rail call that outlived its deadline may still run on a thread of its own,
  // which must not see its host taken down: the process ends instead.
  std::_Exit(clean && !service.broken() ? 0 : 1);
}

}  // namespace

void add_serve(CLI::App& app, Run& run) {
  auto options = std::make_shared<ServeOptions>();
  auto* command = app.add_subcommand("serve", "Run the service");
  add_config_option(*command, options->config_file);
  command->add_flag("--help-config", options->help_config, "Print every configuration key and its default, then exit");
  command->callback([options, &run] { run = [options] { return serve(*options); }; });
}

}  // namespace tideover::main
