// The checks between `dlopen` and `create`, in an order in which each can rely on the earlier ones. Pure functions.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "api/plugin/tideover/plugin.h"
#include "core/domain/basics/result.hpp"
#include "core/plugin_host/calls/host_services.hpp"

namespace tideover::plugin_host {

std::string_view host_version();
/// "payer_directory"; empty for a kind that is unknown to this host.
std::string_view kind_name(tideover_kind kind);
/// The id under which the plugin runs.
std::string running_id(const tideover_plugin_descriptor& descriptor, const PluginSpec& spec);

/// Checks magic number, ABI major version, struct size and kind.
domain::Status check_shape(const tideover_plugin_descriptor& descriptor, const PluginSpec& spec);
/// Checks the host version, then the settings against the declared keys. `taken_by`: path of the plugin of this kind
/// that already has this id.
domain::Status check_fit(const tideover_plugin_descriptor& descriptor, const PluginSpec& spec,
                         const std::optional<std::string>& taken_by);

}  // namespace tideover::plugin_host
