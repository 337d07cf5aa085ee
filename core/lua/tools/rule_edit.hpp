// Edits the text of a rule folder: a new rule with its cases, another mode. Comments and layout stay. A folder that a
// service watches can be edited: each file is replaced in one step, the list of rules last.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/lua/ruleset/ruleset.hpp"

namespace tideover::lua {

struct EditResult {
  std::string problem;             // "" on success
  std::vector<std::string> files;  // written files, by their names in the bundle
};

struct NewRule {
  std::string name;  // of denial/<name>.lua; a prefix "denial." is allowed
  std::string code = "16";
  std::string group = "CO";
};

/// Writes a skeleton in shadow mode, cases that pass, and its line in ruleset.lua.
EditResult add_rule(const std::filesystem::path& folder, const NewRule& rule);

/// The text of a rule's file with another mode and its rev increased by one. "" when it has that mode already.
struct EditedText {
  std::string problem;  // "" on success
  std::string text;
};
EditedText with_mode(const std::string& file, const std::string& text, RuleMode mode);

/// The file of the rule with this id or name.
std::string file_of_rule(std::string rule);

/// Sets the rule's mode and increases its rev by one. Writes nothing when it has that mode already.
EditResult set_mode(const std::filesystem::path& folder, std::string rule, RuleMode mode);

}  // namespace tideover::lua
