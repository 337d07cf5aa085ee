// The behavior of `serve` while its database cannot be reached: it logs each attempt, and the operations port reports
// that the process is alive and not ready. One thread.
#pragma once
#include <chrono>
#include <functional>
#include <string>

#include "core/settings/settings.hpp"

namespace tideover::node {

/// Sleeps; false when the process was asked to stop.
using Pause = std::function<bool(std::chrono::milliseconds)>;

/// The pauses between attempts double up to a maximum, also when the database answers but the start fails again.
class StoreWait {
 public:
  /// Returns true when the database answers, false when `pause` returned false. `problem` says why the start failed.
  /// Throws when the operations port is in use.
  bool operator()(const settings::Settings& settings, std::string problem, const Pause& pause);

 private:
  std::chrono::milliseconds next_{250};
};

}  // namespace tideover::node
