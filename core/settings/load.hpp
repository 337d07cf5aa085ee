// Settings from three sources; later ones override earlier ones: built-in defaults, one YAML file, TIDEOVER_*
// environment variables. Unknown input is an error, and all errors are reported together: the program starts with
// exactly the written configuration, or not at all.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/settings/settings.hpp"
#include "core/settings/settings_error.hpp"

namespace tideover::settings {

struct LoadOptions {
  /// From --config, else from the variable TIDEOVER_CONFIG, else none.
  std::optional<std::filesystem::path> config_file;
  /// "NAME=value". Only names with the prefix TIDEOVER_ are read; TIDEOVER_TEST_* is for tests.
  std::vector<std::string> environment;
};

using LoadResult = std::variant<Settings, std::vector<SettingsError>>;

/// All paths in the result are absolute. Relative paths in the file and in the defaults are relative to the folder of
/// the file (without a file: to the working directory), those in the environment to the working directory.
LoadResult load(const LoadOptions& options);

/// The environment of this process, for LoadOptions.
std::vector<std::string> process_environment();

/// Every key with default, limits, environment variable and meaning, for `--help-config`.
std::string describe();

}  // namespace tideover::settings
