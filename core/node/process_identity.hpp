// This process as a line of text that is unique among all processes, and the state of the process behind such a line:
// machine (boot id of the kernel), process id namespace, process id, start time. Pure reads; thread-safe.
#pragma once
#include <string>

#include "core/usecases/nodes/node_lease.hpp"

namespace tideover::main {

std::string process_identity();

/// Whether the process with that identity still runs. `elsewhere` if this machine cannot decide.
usecases::ProcessState state_of_process(const std::string& identity);

}  // namespace tideover::main
