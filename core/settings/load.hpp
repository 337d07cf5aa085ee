// Settings from their three sources, later ones winning: built-in defaults, one YAML file, TIDEOVER_* environment
// variables. Anything that is not understood is an error, and all errors are reported together: start-up happens with
// exactly the configuration that was written, or not at all.
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
  /// From --config; else the variable TIDEOVER_CONFIG names the file; else there is none.
  std::optional<std::filesystem::path> config_file;
  /// "NAME=value"; only names that begin with TIDEOVER_ are looked at. TIDEOVER_TEST_* is left to tests.
  std::vector<std::string> environment;
};

using LoadResult = std::variant<Settings, std::vector<SettingsError>>;

/// All paths in the result are absolute. Relative ones in the file and in the defaults count from the file's folder
/// (from the working directory where there is no file), those in the environment from the working directory.
LoadResult load(const LoadOptions& options);

/// The environment of this process, for LoadOptions.
std::vector<std::string> process_environment();

/// Every key with its default, bounds, environment variable and meaning, for `--help-config`.
std::string describe();

}  // namespace tideover::settings
