// What `serve` does while its database cannot be reached: it logs each try and answers on the operations port that the
// process lives and is not ready. One thread.
#pragma once
#include <chrono>
#include <functional>
#include <string>

#include "core/settings/settings.hpp"

namespace tideover::main {

/// Sleeps; false when the process was asked to end meanwhile.
using Pause = std::function<bool(std::chrono::milliseconds)>;

/// Pauses between tries double up to a longest one, also when the database answers and the start fails again behind it.
class StoreWait {
 public:
  /// Returns true once the database answers. `problem` says why the start failed. False when `pause` did.
  /// Throws where the operations port is taken.
  bool operator()(const settings::Settings& settings, std::string problem, const Pause& pause);

 private:
  std::chrono::milliseconds next_{250};
};

}  // namespace tideover::main
