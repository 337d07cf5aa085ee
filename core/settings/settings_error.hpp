// One error of the configuration, with its position.
#pragma once
#include <string>

namespace tideover::settings {

struct SettingsError {
  std::string where;  // "file:line:col", the file alone, or the name of an environment variable
  std::string message;

  std::string text() const { return where + ": " + message; }
  bool operator==(const SettingsError&) const = default;
};

}  // namespace tideover::settings
