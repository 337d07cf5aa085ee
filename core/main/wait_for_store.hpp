// What `serve` does while its database cannot be reached: it logs each try and answers on the operations port that the process
// lives and is not ready. One thread.
#pragma once
#include <chrono>
#include <functional>
#include <string>

#include "core/settings/settings.hpp"

namespace tideover::main {

/// Sleeps; false when the process was asked to end meanwhile.
using Pause = std::function<bool(std::chrono::milliseconds)>;

/// Returns true once the database answers. `problem` says why it did not at the first try. False when `pause` did.
/// Throws where the operations port is taken.
bool wait_for_store(const settings::Settings& settings, std::string problem, const Pause& pause);

}  // namespace tideover::main
