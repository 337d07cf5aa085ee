// The commands of the program that are no administrative ones; one function for each command_<name>.cpp.
#pragma once
#include "core/admin/command_line.hpp"

namespace tideover::main {

admin::Command serve_command();
admin::Command check_command();
admin::Command rules_command();
admin::Command plugin_command();

}  // namespace tideover::main
