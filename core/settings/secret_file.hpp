// Secrets are not part of the settings. The settings have the path, and the code that needs the secret reads the file.
#pragma once
#include <filesystem>
#include <string>
#include <variant>

#include "core/settings/settings_error.hpp"

namespace tideover::settings {

/// The only line of the file, without its line end. Error for a file that other users may read, an empty file, several
/// lines, or more than 4 KiB.
std::variant<std::string, SettingsError> read_secret_file(const std::filesystem::path& path);

}  // namespace tideover::settings
