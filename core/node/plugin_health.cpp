#include "core/node/plugin_health.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace tideover::node {

PluginHealth health_of(const std::vector<plugin_host::PluginState>& plugins) {
  PluginHealth health;
  for (const auto* kind : {"payer_directory", "funding_rail"}) {
    const auto is_of_kind = [&](const auto& plugin) { return plugin.kind == kind; };
    const auto is_serving = [&](const auto& plugin) { return is_of_kind(plugin) && plugin.takes_calls; };
    if (std::any_of(plugins.begin(), plugins.end(), is_of_kind) &&
        std::none_of(plugins.begin(), plugins.end(), is_serving))
      health.serves = false;
  }
  for (const auto& plugin : plugins) {
    if (plugin.unanswered == 0 && plugin.recent_failure.empty()) continue;
    if (!health.detail.empty()) health.detail += "; ";
    health.detail += fmt::format("{} {}", plugin.kind, plugin.id);
    if (!plugin.takes_calls) health.detail += " is not called any more,";
    if (plugin.unanswered > 0) health.detail += fmt::format(" has {} unanswered calls,", plugin.unanswered);
    health.detail += fmt::format(" {} failures since start", plugin.failures);
    if (!plugin.recent_failure.empty()) health.detail += fmt::format(", latest {}", plugin.recent_failure);
  }
  return health;
}

std::string rails_missing(const std::vector<std::string>& under_way, ports::FundingRails& rails) {
  std::string missing;
  for (const auto& rail : under_way)
    if (!rails.find(rail)) missing += (missing.empty() ? "" : ", ") + rail;
  if (missing.empty()) return "";
  return "payments are in progress on " + missing +
         ", which has no configured plugin, so their outcome stays unknown. Add the plugin to the "
         "configuration again";
}

std::vector<ops::Metrics::PluginUse> plugin_uses(const std::vector<plugin_host::PluginState>& plugins) {
  std::vector<ops::Metrics::PluginUse> uses;
  for (const auto& plugin : plugins) {
    ops::Metrics::PluginUse use{plugin.kind, plugin.id, plugin.unanswered, {}};
    for (const auto& call : plugin.calls)
      use.calls.push_back({call.function, call.calls, std::chrono::duration<double>(call.took).count()});
    uses.push_back(std::move(use));
  }
  return uses;
}

}  // namespace tideover::node
