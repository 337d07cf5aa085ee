// A field connects one member of a settings struct with its dotted key, its bounds and one line of help. The same
// list of fields reads YAML and environment, and prints and documents the defaults. Use from one thread at a time.
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
/// A list of whole numbers, each in range and at least as large as the one before.
struct BoundSchedule {
  std::vector<int>* value;
  Range range;
};
/// One of a few names; the functions hide the enum type.
struct BoundChoice {
  std::vector<std::string_view> names;
  std::function<void(std::size_t)> choose;
  std::function<std::size_t()> chosen;
};

using Target = std::variant<bool*, BoundInt, BoundInt64, std::string*, std::filesystem::path*, BoundChoice,
                            BoundSchedule, std::map<std::string, std::string>*, std::vector<PluginSettings>*>;

struct Field {
  std::string key;  // "server.port"; in a list entry relative to it: "path"
  Target target;
  std::string help;
  bool required = false;
};

/// All fields of the settings, in the order of the documentation. The fields point into `settings`.
std::vector<Field> fields_of(Settings& settings);
std::vector<Field> fields_of(PluginSettings& plugin);

/// Scalars have an environment variable; lists and mappings have none.
bool is_scalar(const Field& field);
/// "server.port" -> "TIDEOVER_SERVER_PORT".
std::string environment_name(std::string_view key);

/// The current value of the field, in the syntax of the file.
std::string print(const Field& field);

/// Sets a scalar. Returns an error message, without a change, if the text does not fit. A quoted text is never a
/// number or a boolean.
std::optional<std::string> assign(const Field& field, std::string_view text, bool quoted);

/// The number, or an error message.
std::variant<std::int64_t, std::string> parse_integer(std::string_view text, bool quoted, Range range);

}  // namespace tideover::settings
