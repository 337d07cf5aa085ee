// tideover: one program, one subcommand per task.
#include <fmt/core.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include "core/admin/admin.hpp"
#include "core/plugin_host/plugin_host.hpp"

namespace {

/// CLI11 reports an unknown subcommand only as a missing one.
std::string no_such_command(const CLI::App& app) {
  const CLI::App* where = &app;
  std::string said = app.get_name();
  while (!where->get_subcommands().empty()) {
    where = where->get_subcommands().front();
    said += ' ' + where->get_name();
  }
  const auto words = where->remaining();
  if (words.empty() || words.front().starts_with('-')) return "";
  std::string known;
  for (const CLI::App* command : where->get_subcommands([](const CLI::App*) { return true; }))
    known += (known.empty() ? "" : ", ") + command->get_name();
  return fmt::format("Unknown command '{} {}'. Commands of '{}': {}.\n", said, words.front(), said, known);
}

}  // namespace

int main(int argc, char** argv) {
  using namespace tideover::main;
  std::signal(SIGPIPE, SIG_IGN);

  CLI::App app("Tideover: claim review, advance funding and reconciliation.", "tideover");
  app.require_subcommand(1);
  app.set_version_flag("--version", std::string("tideover " TIDEOVER_VERSION));
  Run run;
  add_serve(app, run);
  add_check(app, run);
  add_rules(app, run);
  add_plugin(app, run);
  add_admin(app, run);
  app.add_subcommand("version", "Print the version")->callback([&run] {
    run = [] {
      fmt::print("tideover {}\n", TIDEOVER_VERSION);
      return 0;
    };
  });
  try {
    app.parse(argc, argv);
  } catch (const CLI::RequiredError& error) {
    const std::string unknown = no_such_command(app);
    if (unknown.empty()) return app.exit(error), 2;
    fmt::print(stderr, "{}", unknown);
    return 2;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  int code = 1;
  try {
    code = run();
  } catch (const std::exception& error) {
    fmt::print(stderr, "tideover: {}\n", error.what());
  }
  if (!tideover::plugin_host::PluginHost::has_abandoned_calls()) return code;
  std::fflush(nullptr);
  std::_Exit(code);
}
