// What operators see of the plugins while the service runs: in /readyz and in the metrics.
#pragma once
#include <string>
#include <vector>

#include "core/ops/metrics.hpp"
#include "core/plugin_host/plugin_host.hpp"

namespace tideover::main {

struct PluginHealth {
  /// False when no payer directory or no funding rail takes calls any more: then nothing can be reviewed or funded
  /// here, and only a restart helps. A format that hangs leaves the service ready, because a client's file may be what
  /// it hangs on.
  bool serves = true;
  std::string detail;  // each plugin that hangs or failed within the last minute
};

PluginHealth health_of(const std::vector<plugin_host::PluginState>& plugins);
/// Why the rails cannot finish what they began: rails with payments under way that no plugin serves. Empty when there
/// are none. A start is not refused for it: payments of other rails, and everything else, go on.
std::string rails_missing(const std::vector<std::string>& under_way, ports::FundingRails& rails);
std::vector<ops::Metrics::PluginUse> plugin_uses(const std::vector<plugin_host::PluginState>& plugins);

}  // namespace tideover::main
