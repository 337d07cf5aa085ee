// Secrets stay out of the settings: they hold a path, and whoever needs the secret reads the file at that moment.
#pragma once
#include <filesystem>
#include <string>
#include <variant>

#include "core/settings/settings_error.hpp"

namespace tideover::settings {

/// The file's only line, without its line end. Refused: a file that others may read, an empty one, several lines, more
/// than 4 KiB.
std::variant<std::string, SettingsError> read_secret_file(const std::filesystem::path& path);

}  // namespace tideover::settings
