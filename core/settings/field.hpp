// A field binds one member of a settings struct to its dotted key, its limits and one line of help. The same list of
// fields reads YAML and environment variables, prints the defaults and documents them.
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/settings/settings.hpp"

namespace tideover::settings {

struct Range {
  std::int64_t min = 0;
  std::int64_t max = 0;
};

struct BoundInt {
  int* value;
  Range range;
};
struct BoundInt64 {
  std::int64_t* value;
  Range range;
};
/// A list of whole numbers in ascending order, each in range.
struct BoundSchedule {
  std::vector<int>* value;
  Range range;
};
/// A list of origins of web pages, each once.
struct BoundOrigins {
  std::vector<std::string>* value;
};
/// One of a few names; the functions hide the enum type.
struct BoundChoice {
  std::vector<std::string_view> names;
  std::function<void(std::size_t)> choose;
  std::function<std::size_t()> chosen;
};

using Target = std::variant<bool*, BoundInt, BoundInt64, std::string*, std::filesystem::path*, BoundChoice,
                            BoundSchedule, BoundOrigins, std::map<std::string, std::string>*,
                            std::vector<PluginSettings>*, std::vector<PickupFolderSettings>*>;

struct Field {
  std::string key;  // "server.port"; for an entry of a list relative to it: "path"
  Target target;
  std::string help;
  bool required = false;
};

/// All fields of the settings in order of documentation. The fields point into `settings`.
std::vector<Field> fields_of(Settings& settings);
std::vector<Field> fields_of(PluginSettings& plugin);
std::vector<Field> fields_of(PickupFolderSettings& folder);

/// Scalars have an environment variable; lists and mappings have none.
bool is_scalar(const Field& field);
/// "server.port" -> "TIDEOVER_SERVER_PORT".
std::string environment_name(std::string_view key);

/// The current value as it would be written in the file.
std::string print(const Field& field);

/// Sets a scalar. Returns an error text and changes nothing when the text does not fit. A quoted text is never a number
/// or a boolean.
std::optional<std::string> assign(const Field& field, std::string_view text, bool quoted);

/// The number, or an error text.
std::variant<std::int64_t, std::string> parse_integer(std::string_view text, bool quoted, Range range);

}  // namespace tideover::settings
