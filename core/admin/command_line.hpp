// The command line as data: a command with its options and its function. command_line.cpp builds the parser from it and
// is the only file that knows the parsing library.
#pragma once
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tideover::admin {

/// An option, or a positional argument, of a command.
struct CommandOption {
  enum class Kind {
    text,
    count,  // a whole number from 0
    flag,   // present or absent
    texts   // one or more texts
  };
  std::string name;  // "--tenant" or "-c,--config"; without dashes: positional
  std::string help;
  Kind kind = Kind::text;
  std::string preset = "";  // the default value, which --help shows; empty = "" or 0, not shown
  bool is_required = false;
  std::string type_name = "";             // in --help; empty = that of the kind
  std::vector<std::string> choices = {};  // the valid texts; empty = every text
  std::optional<int> most = {};           // the largest valid count
};

/// The values of one call of a command, by option name without dashes. Every declared option has a value.
struct Arguments {
  std::map<std::string, std::string> texts;
  std::map<std::string, int> counts;
  std::map<std::string, bool> flags;
  std::map<std::string, std::vector<std::string>> lists;

  /// The value of config_option(); nullopt when it was not given.
  std::optional<std::filesystem::path> config_file() const;
};

struct Command {
  std::string name;
  std::string help;
  std::vector<CommandOption> options = {};
  std::function<int(const Arguments&)> run = nullptr;  // returns the exit code; null for a group of commands
  std::vector<Command> commands = {};                  // of a group; exactly one must be given
};

struct Program {
  std::string name;
  std::string help;
  std::string version;  // the text that --version prints
  std::vector<Command> commands;
};

/// -c,--config of a command that reads the configuration.
CommandOption config_option();

/// "config" for "-c,--config", "file" for the positional argument "file".
std::string bare(const std::string& option_name);

/// Adds the command. Two groups of one name become one group. Throws std::logic_error when one of the two is no group.
void merge(std::vector<Command>& commands, Command command);

/// Parses the arguments and runs the given command; returns the exit code. Prints help, version and errors of the
/// command line: these exit with 0, 0 and 2. An exception of the command passes through.
int run_command_line(const Program& program, int argc, const char* const* argv);

}  // namespace tideover::admin
