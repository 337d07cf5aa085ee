// The checks between `dlopen` and `create`. Each relies on the checks before it. Pure.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "api/plugin/tideover/plugin.h"
#include "core/domain/basics/result.hpp"
#include "core/plugin_host/calls/host_services.hpp"

namespace tideover::plugin_host {

std::string_view host_version();
/// "payer_directory"; empty for a kind that this host does not support.
std::string_view kind_name(tideover_kind kind);
/// The id of the running plugin.
std::string running_id(const tideover_plugin_descriptor& descriptor, const PluginSpec& spec);

/// Checks magic number, ABI major, struct size and kind.
domain::Status check_shape(const tideover_plugin_descriptor& descriptor, const PluginSpec& spec);
/// Checks that the host is new enough, then the settings against the declared keys. `taken_by`: path of the plugin of
/// this kind that already uses this id.
domain::Status check_fit(const tideover_plugin_descriptor& descriptor, const PluginSpec& spec,
                         const std::optional<std::string>& taken_by);

}  // namespace tideover::plugin_host
