// tideover: one program, one subcommand per task.
#include <fmt/core.h>

#include <csignal>
#include <exception>

#include "core/main/admin.hpp"

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
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  try {
    return run();
  } catch (const std::exception& error) {
    fmt::print(stderr, "tideover: {}\n", error.what());
    return 1;
  }
}
