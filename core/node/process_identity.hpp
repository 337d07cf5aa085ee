// A text that identifies this process uniquely, and a check of another process's text. It consists of the machine (the
// kernel's boot id), the process id namespace, the process id and the start time.
#pragma once
#include <string>

#include "core/usecases/nodes/node_lease.hpp"

namespace tideover::node {

std::string process_identity();

/// Whether the process with that identity still runs. `elsewhere` when this machine cannot know.
usecases::ProcessState state_of_process(const std::string& identity);

}  // namespace tideover::node
