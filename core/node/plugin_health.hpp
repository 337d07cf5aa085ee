// State of the plugins at run time, for /readyz and the metrics. Pure functions.
#pragma once
#include <string>
#include <vector>

#include "core/ops/metrics.hpp"
#include "core/plugin_host/plugin_host.hpp"

namespace tideover::main {

struct PluginHealth {
  /// False if no payer directory or no funding rail takes calls: then nothing can be reviewed or funded here and only
  /// a restart helps. A format that hangs leaves the service ready, because the cause may be a file of a client.
  bool serves = true;
  std::string detail;  // each plugin that hangs or failed within the last minute
};

PluginHealth health_of(const std::vector<plugin_host::PluginState>& plugins);
/// Text about rails with payments in progress that no plugin serves; empty if there are none. The start is not
/// refused, because everything else works.
std::string rails_missing(const std::vector<std::string>& under_way, ports::FundingRails& rails);
std::vector<ops::Metrics::PluginUse> plugin_uses(const std::vector<plugin_host::PluginState>& plugins);

}  // namespace tideover::main
