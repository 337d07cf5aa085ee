// Reads secrets from files. The settings hold only paths; the secret is read at the moment of use.
#pragma once
#include <filesystem>
#include <string>
#include <variant>

#include "core/settings/settings_error.hpp"

namespace tideover::settings {

/// The only line of the file, without its line end. Refuses a file that others can read, an empty file, several
/// lines, and more than 4 KiB.
std::variant<std::string, SettingsError> read_secret_file(const std::filesystem::path& path);

}  // namespace tideover::settings
