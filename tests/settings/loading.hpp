// Loads settings from a text and renders the outcome, so that a test is one line of YAML and one line of expectation.
#pragma once
#include <string>
#include <vector>

#include "core/settings/load.hpp"
#include "tests/crypto/temp_folder.hpp"

namespace tideover::testing {

/// All complaints, one per line, with the file called "f" whatever its real name; empty when the text was accepted.
inline std::string complaints(const settings::LoadResult& result, const std::filesystem::path& file) {
  const auto* errors = std::get_if<std::vector<settings::SettingsError>>(&result);
  if (errors == nullptr) return "";
  std::string text;
  for (const settings::SettingsError& error : *errors) text += error.text() + "\n";
  for (std::size_t at; (at = text.find(file.string())) != std::string::npos;)
    text.replace(at, file.string().size(), "f");
  return text;
}

inline std::string complaints(const std::string& yaml, const std::vector<std::string>& environment = {}) {
  const TempFolder folder;
  const auto file = folder.write("tideover.yaml", yaml);
  return complaints(settings::load({file, environment}), file);
}

inline settings::Settings loaded(const std::string& yaml, const std::vector<std::string>& environment = {}) {
  const TempFolder folder;
  const auto file = folder.write("tideover.yaml", yaml);
  const auto result = settings::load({file, environment});
  if (const std::string text = complaints(result, file); !text.empty()) throw std::runtime_error(text);
  return std::get<settings::Settings>(result);
}

}  // namespace tideover::testing
