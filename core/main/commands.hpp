// The commands of the program that are no administrative ones; one function for each command_<name>.cpp.
#pragma once
#include "core/admin/command_line.hpp"

namespace tideover::main {

Command serve_command();
Command check_command();
Command rules_command();
Command plugin_command();

}  // namespace tideover::main
