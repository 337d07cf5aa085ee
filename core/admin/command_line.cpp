#include "core/admin/command_line.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <utility>

namespace tideover::admin {
namespace {

using Kind = CommandOption::Kind;
/// The command that the arguments name, with its values.
using Chosen = std::function<int()>;

void add_option(CLI::App& command, const CommandOption& option, Arguments& arguments) {
  const auto name = bare(option.name);
  CLI::Option* added = nullptr;
  switch (option.kind) {
    case Kind::text:
      added = command.add_option(option.name, arguments.texts[name] = option.preset, option.help);
      break;
    case Kind::count:
      added = command.add_option(option.name, arguments.counts[name] = std::atoi(option.preset.c_str()), option.help);
      if (option.most)
        added->check(CLI::Range(0, *option.most));
      else
        added->check(CLI::NonNegativeNumber);
      break;
    case Kind::flag:
      added = command.add_flag(option.name, arguments.flags[name], option.help);
      break;
    case Kind::texts:
      added = command.add_option(option.name, arguments.lists[name], option.help);
      break;
  }
  if (option.is_required) added->required();
  if (!option.type_name.empty()) added->type_name(option.type_name);
  if (!option.choices.empty()) added->check(CLI::IsMember(option.choices));
  if (!option.preset.empty()) added->capture_default_str();
}

void add_command(CLI::App& parent, const Command& command, Chosen& chosen) {
  auto* added = parent.add_subcommand(command.name, command.help);
  if (!command.run) {
    added->require_subcommand(1);
    for (const auto& each : command.commands) add_command(*added, each, chosen);
    return;
  }
  auto arguments = std::make_shared<Arguments>();
  for (const auto& option : command.options) add_option(*added, option, *arguments);
  added->callback(
      [&command, arguments, &chosen] { chosen = [&command, arguments] { return command.run(*arguments); }; });
}

/// The parsing library reports an unknown command only as a missing one.
std::string no_such_command(const CLI::App& app) {
  const CLI::App* where = &app;
  std::string given = app.get_name();
  while (!where->get_subcommands().empty()) {
    where = where->get_subcommands().front();
    given += ' ' + where->get_name();
  }
  const auto words = where->remaining();
  if (words.empty() || words.front().starts_with('-')) return "";
  std::string known;
  for (const CLI::App* command : where->get_subcommands([](const CLI::App*) { return true; }))
    known += (known.empty() ? "" : ", ") + command->get_name();
  return fmt::format("Unknown command '{} {}'. Commands of '{}': {}.\n", given, words.front(), given, known);
}

}  // namespace

std::optional<std::filesystem::path> Arguments::config_file() const {
  const auto found = texts.find("config");
  if (found == texts.end() || found->second.empty()) return std::nullopt;
  return found->second;
}

CommandOption config_option() {
  return {"-c,--config",
          "Configuration file (default: the variable TIDEOVER_CONFIG; TIDEOVER_* variables override its keys)",
          Kind::text,
          "",
          false,
          "FILE"};
}

std::string bare(const std::string& option_name) {
  const auto last = option_name.substr(option_name.rfind(',') + 1);  // without a comma: the whole name
  return last.starts_with("--") ? last.substr(2) : last;
}

void merge(std::vector<Command>& commands, Command command) {
  const auto known =
      std::find_if(commands.begin(), commands.end(), [&](const Command& each) { return each.name == command.name; });
  if (known == commands.end()) {
    commands.push_back(std::move(command));
    return;
  }
  if (known->run || command.run) throw std::logic_error("two commands " + command.name);
  for (auto& each : command.commands) merge(known->commands, std::move(each));
}

int run_command_line(const Program& program, int argc, const char* const* argv) {
  CLI::App app(program.help, program.name);
  app.require_subcommand(1);
  app.set_version_flag("--version", program.version);
  Chosen chosen;
  for (const auto& command : program.commands) add_command(app, command, chosen);
  try {
    app.parse(argc, argv);
  } catch (const CLI::RequiredError& error) {
    const auto unknown = no_such_command(app);
    if (unknown.empty())
      app.exit(error);
    else
      fmt::print(stderr, "{}", unknown);
    return 2;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  return chosen();
}

}  // namespace tideover::admin
