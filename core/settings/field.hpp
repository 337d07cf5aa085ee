// A field ties one member of a settings struct to its dotted key, its bounds and one line of help. The same list of
// fields reads YAML and environment, prints the defaults and documents them.
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
/// A list of whole numbers, each in range and none smaller than the one before.
struct BoundSchedule {
  std::vector<int>* value;
  Range range;
};
/// One of a few names; the functions hide which enum it is.
struct BoundChoice {
  std::vector<std::string_view> names;
  std::function<void(std::size_t)> choose;
  std::function<std::size_t()> chosen;
};

using Target = std::variant<bool*, BoundInt, BoundInt64, std::string*, std::filesystem::path*, BoundChoice,
                            BoundSchedule, std::map<std::string, std::string>*, std::vector<PluginSettings>*>;

struct Field {
  std::string key;  // "server.port"; of a list entry relative to it: "path"
  Target target;
  std::string help;
  bool required = false;
};

/// Every field of the settings, in the order in which they are documented. The fields point into `settings`.
std::vector<Field> fields_of(Settings& settings);
std::vector<Field> fields_of(PluginSettings& plugin);

/// A scalar has an environment variable; lists and mappings have none.
bool is_scalar(const Field& field);
/// "server.port" -> "TIDEOVER_SERVER_PORT".
std::string environment_name(std::string_view key);

/// The field's present value as it would be written in the file.
std::string print(const Field& field);

/// Sets a scalar; returns the complaint when the text does not fit, and then changes nothing. A quoted text is never a
/// number or a boolean.
std::optional<std::string> assign(const Field& field, std::string_view text, bool quoted);

/// The number, or the complaint.
std::variant<std::int64_t, std::string> parse_integer(std::string_view text, bool quoted, Range range);

}  // namespace tideover::settings
