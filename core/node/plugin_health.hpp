// The state of the plugins for operators: in /readyz and in the metrics.
#pragma once
#include <string>
#include <vector>

#include "core/ops/metrics.hpp"
#include "core/plugin_host/plugin_host.hpp"

namespace tideover::node {

struct PluginHealth {
  /// False when no payer directory or no funding rail can be called: then no claim can be reviewed or funded until a
  /// restart. A format that hangs does not make the service unready, because a client's file may be the cause.
  bool serves = true;
  std::string detail;  // each plugin that hangs, or that failed within the last minute
};

PluginHealth health_of(const std::vector<plugin_host::PluginState>& plugins);
/// The rails with payments in progress that have no plugin, as a sentence; empty when there are none. The start is not
/// refused for this reason: payments of other rails, and all other work, continue.
std::string rails_missing(const std::vector<std::string>& under_way, ports::FundingRails& rails);
std::vector<ops::Metrics::PluginUse> plugin_uses(const std::vector<plugin_host::PluginState>& plugins);

}  // namespace tideover::node
