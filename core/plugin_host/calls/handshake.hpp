// The checks between `dlopen` and `create`, in an order in which each may rely on the ones before it. Pure.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "api/plugin/tideover/plugin.h"
#include "core/domain/basics/result.hpp"
#include "core/plugin_host/calls/host_services.hpp"

namespace tideover::plugin_host {

std::string_view host_version();
/// "payer_directory"; empty for a kind that this host does not know.
std::string_view kind_name(tideover_kind kind);
/// The id that the plugin will run under.
std::string running_id(const tideover_plugin_descriptor& descriptor, const PluginSpec& spec);

/// Magic, ABI major, struct size, kind.
domain::Status check_shape(const tideover_plugin_descriptor& descriptor, const PluginSpec& spec);
/// Host new enough, then the settings against the declared keys. `taken_by`: path of the plugin of this kind that
/// already runs under this id.
domain::Status check_fit(const tideover_plugin_descriptor& descriptor, const PluginSpec& spec,
                         const std::optional<std::string>& taken_by);

}  // namespace tideover::plugin_host
