// Settings from three sources, later ones win: built-in defaults, one YAML file, TIDEOVER_* environment variables.
// Unknown or invalid input is an error; all errors are reported together, so the service starts with exactly the
// written configuration or not at all. Pure apart from reading the file.
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
  /// "NAME=value". Only names that start with TIDEOVER_ are read; TIDEOVER_TEST_* is reserved for tests.
  std::vector<std::string> environment;
};

using LoadResult = std::variant<Settings, std::vector<SettingsError>>;

/// All paths in the result are absolute. Relative paths in the file and in the defaults start at the folder of the
/// file (the working directory without a file), those in the environment at the working directory.
LoadResult load(const LoadOptions& options);

/// The environment of this process, for LoadOptions.
std::vector<std::string> process_environment();

/// Every key with its default, bounds, environment variable and meaning, for `--help-config`.
std::string describe();

}  // namespace tideover::settings
