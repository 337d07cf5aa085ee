// Waits in `serve` while the database is not reachable: logs each try and answers on the operations port that the
// process is alive but not ready. Use from one thread.
#pragma once
#include <chrono>
#include <functional>
#include <string>

#include "core/settings/settings.hpp"

namespace tideover::main {

/// Sleeps; false if the process was asked to end.
using Pause = std::function<bool(std::chrono::milliseconds)>;

/// The pause between tries doubles up to a maximum, also if the database answers and the start fails for another
/// reason.
class StoreWait {
 public:
  /// Returns true once the database answers. `problem` is the reason of the failed start. Returns false if `pause`
  /// did. Throws if the operations port is in use.
  bool operator()(const settings::Settings& settings, std::string problem, const Pause& pause);

 private:
  std::chrono::milliseconds next_{250};
};

}  // namespace tideover::main
