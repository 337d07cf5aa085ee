#include "core/plugin_host/calls/handshake.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>

#include "core/plugin_host/calls/lent.hpp"

namespace tideover::plugin_host {
namespace {

using domain::Error;
using domain::ErrorCode;
using domain::Status;

/// The functions of the oldest minor version; later additions are checked where they are used.
struct KindFacts {
  std::string_view name;
  std::size_t functions_size;
  std::size_t function_count;  // pointers that must not be null
};

constexpr std::array<KindFacts, 6> kKinds{{{"", 0, 0},
                                           {"payer_directory", sizeof(tideover_payer_directory), 3},
                                           {"funding_rail", offsetof(tideover_funding_rail, statement), 4},
                                           {"import_format", offsetof(tideover_import_format, acknowledge), 3},
                                           {"remittance_format", offsetof(tideover_remittance_format, parse_mapped), 1},
                                           {"deposit_format", sizeof(tideover_deposit_format), 1}}};

constexpr std::size_t kMostConfigKeys = 100;
constexpr std::size_t kLongestId = 40;
/// Descriptors of later minor versions are longer, but not by pages.
constexpr std::size_t kLargestDescriptor = 4096;

Error refuse(const PluginSpec& spec, const std::string& problem) {
  return Error::of(ErrorCode::validation_error, "plugin " + spec.path + " " + problem);
}

std::string join(const std::vector<std::string>& names) {
  std::string joined;
  for (const auto& name : names) joined += (joined.empty() ? "" : ", ") + name;
  return joined;
}

/// "1.2.3" as numbers; nullopt for anything else.
std::optional<std::array<int, 3>> parse_version(std::string_view text) {
  std::array<int, 3> version{};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (std::size_t i = 0; i < version.size(); ++i) {
    const auto [stopped, error] = std::from_chars(at, end, version[i]);
    if (error != std::errc() || version[i] < 0) return std::nullopt;
    at = stopped;
    if (i + 1 < version.size() && (at == end || *at++ != '.')) return std::nullopt;
  }
  if (at != end) return std::nullopt;
  return version;
}

bool is_id(std::string_view id) {
  return !id.empty() && id.size() <= kLongestId && id.front() >= 'a' && id.front() <= 'z' &&
         std::all_of(id.begin(), id.end(),
                     [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; });
}

/// True when all required functions of the kind are there. The pointers of a table follow its size and a reserved word.
bool has_functions(const tideover_plugin_descriptor& descriptor, const KindFacts& kind) {
  if (!descriptor.functions || *static_cast<const std::uint32_t*>(descriptor.functions) < kind.functions_size)
    return false;
  const auto* pointers =
      reinterpret_cast<void* const*>(static_cast<const char*>(descriptor.functions) + 2 * sizeof(std::uint32_t));
  return std::all_of(pointers, pointers + kind.function_count, [](void* function) { return function != nullptr; });
}

Status check_config(const tideover_plugin_descriptor& descriptor, const PluginSpec& spec) {
  if (descriptor.config_key_count > kMostConfigKeys || (descriptor.config_key_count > 0 && !descriptor.config_keys))
    return refuse(spec, "declares its settings incorrectly; this is a fault of the plugin");
  std::vector<std::string> known;
  for (std::size_t i = 0; i < descriptor.config_key_count; ++i) {
    const auto name = take_text(descriptor.config_keys[i].name, kLongestId);
    if (!name) return refuse(spec, "declares a setting without a readable name; this is a fault of the plugin");
    known.push_back(*name);
  }
  const auto given = [&](const std::string& key) {
    return std::count_if(spec.config.begin(), spec.config.end(), [&](const auto& pair) { return pair.first == key; });
  };
  for (const auto& [key, value] : spec.config) {
    if (std::find(known.begin(), known.end(), key) == known.end())
      return refuse(spec, "has no setting '" + key + "'; its settings are " +
                              (known.empty() ? std::string("none") : join(known)));
    if (given(key) > 1) return refuse(spec, "has the setting '" + key + "' twice in the configuration");
  }
  for (std::size_t i = 0; i < known.size(); ++i)
    if (descriptor.config_keys[i].required != 0 && given(known[i]) == 0)
      return refuse(spec, "needs the setting '" + known[i] +
                              "': " + take_text(descriptor.config_keys[i].help, kLongestText).value_or(""));
  return {};
}

}  // namespace

std::string_view host_version() {
  return TIDEOVER_VERSION;
}

std::string_view kind_name(tideover_kind kind) {
  return kind > 0 && static_cast<std::size_t>(kind) < kKinds.size() ? kKinds[static_cast<std::size_t>(kind)].name : "";
}

std::string running_id(const tideover_plugin_descriptor& descriptor, const PluginSpec& spec) {
  return spec.id.empty() ? take_text(descriptor.id, kLongestId).value_or("") : spec.id;
}

Status check_shape(const tideover_plugin_descriptor& descriptor, const PluginSpec& spec) {
  if (descriptor.magic != TIDEOVER_MAGIC)
    return refuse(spec, "exports `" TIDEOVER_PLUGIN_SYMBOL
                        "`, but it does not start with the magic number; it is another kind of library, or was built "
                        "without tideover/plugin.h");
  const std::string theirs = std::to_string(descriptor.abi_major) + "." + std::to_string(descriptor.abi_minor);
  const std::string ours = std::to_string(TIDEOVER_ABI_MAJOR) + "." + std::to_string(TIDEOVER_ABI_MINOR);
  if (descriptor.abi_major != TIDEOVER_ABI_MAJOR)
    return refuse(
        spec, "was built for plugin ABI " + theirs + ", this host has " + ours + "; " +
                  (descriptor.abi_major < TIDEOVER_ABI_MAJOR ? "rebuild it against this host's api/plugin"
                                                             : "install a newer Tideover, or an older build of it"));
  if (descriptor.struct_size < sizeof(tideover_plugin_descriptor))
    return refuse(spec, "has a descriptor of " + std::to_string(descriptor.struct_size) + " bytes (ABI " + theirs +
                            "), ABI " + ours + " has " + std::to_string(sizeof(tideover_plugin_descriptor)) +
                            "; rebuild it against this host's api/plugin");
  if (descriptor.struct_size > kLargestDescriptor)
    return refuse(spec, "has a descriptor of " + std::to_string(descriptor.struct_size) +
                            " bytes, which is not possible; this is a fault of the plugin");
  if (kind_name(descriptor.kind).empty())
    return refuse(spec, "is of kind " + std::to_string(descriptor.kind) + " (ABI " + theirs +
                            "), which this host (ABI " + ours + ") does not support; install a newer Tideover");
  const KindFacts& kind = kKinds[static_cast<std::size_t>(descriptor.kind)];
  if (!spec.kind.empty() && spec.kind != kind.name)
    return refuse(spec,
                  "is a " + std::string(kind.name) + ", but is configured as " + spec.kind + "; correct its `kind`");
  if (!descriptor.create || !descriptor.destroy || !has_functions(descriptor, kind))
    return refuse(spec, "lacks a function that every " + std::string(kind.name) + " of ABI " + ours +
                            " must have; rebuild it against this host's api/plugin");
  return {};
}

Status check_fit(const tideover_plugin_descriptor& descriptor, const PluginSpec& spec,
                 const std::optional<std::string>& taken_by) {
  const std::string id = running_id(descriptor, spec);
  const std::string kind(kind_name(descriptor.kind));
  if (!is_id(id))
    return refuse(spec, "has no valid id: lower-case letters, digits and _, at most 40, starting with a letter");
  if (taken_by)
    return refuse(spec, "has the id '" + id + "', which the " + kind + " " + *taken_by +
                            " already has; set another `id` for one of them");
  const auto needs = take_text(descriptor.min_host_version, kLongestId).value_or("");
  const auto needed = parse_version(needs);
  if (!needed)
    return refuse(spec, "gives the oldest supported host as '" + needs + "'; write it as three numbers, such as 1.4.0");
  if (*needed > parse_version(host_version()))
    return refuse(spec, "needs Tideover " + needs + " or newer, this is " + std::string(host_version()) +
                            "; upgrade Tideover, or install an older version of the plugin");
  return check_config(descriptor, spec);
}

}  // namespace tideover::plugin_host
