// This process as a line of text that no other process ever has, and what the line of another one says: machine (the
// kernel's boot id), process id namespace, process id, start time.
#pragma once
#include <string>

#include "core/usecases/nodes/node_lease.hpp"

namespace tideover::main {

std::string process_identity();

/// Whether the process with that identity still runs. `elsewhere` when this machine cannot tell.
usecases::ProcessState state_of_process(const std::string& identity);

}  // namespace tideover::main
