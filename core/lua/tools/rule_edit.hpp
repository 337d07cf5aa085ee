// Edits the text of a rule folder for an analyst: adds a rule with its cases, or changes a mode. Keeps comments and
// layout. The folder may be in use: each file is replaced in one step, the list of rules last.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/lua/ruleset/ruleset.hpp"

namespace tideover::lua {

struct EditResult {
  std::string problem;             // "" on success
  std::vector<std::string> files;  // the written files, with their names in the bundle
};

struct NewRule {
  std::string name;  // of denial/<name>.lua; a prefix "denial." is accepted
  std::string code = "16";
  std::string group = "CO";
};

/// Writes a skeleton in shadow mode, cases that it passes, and its line in ruleset.lua.
EditResult add_rule(const std::filesystem::path& folder, const NewRule& rule);

/// The text of a rule's file with another mode and the next rev; "" when it has that mode.
struct EditedText {
  std::string problem;  // "" on success
  std::string text;
};
EditedText with_mode(const std::string& file, const std::string& text, RuleMode mode);

/// The file of the rule with this id or name.
std::string file_of_rule(std::string rule);

/// Sets the rule's mode and raises its rev by one. Writes nothing when it has that mode.
EditResult set_mode(const std::filesystem::path& folder, std::string rule, RuleMode mode);

}  // namespace tideover::lua
