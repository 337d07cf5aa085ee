// Reads ruleset.lua, params.lua and rule files into a Ruleset and tells every fault with its place. Runs the files' top
// level, never a rule.
#pragma once
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/lua/ruleset/ruleset.hpp"

namespace tideover::lua {

/// Codes that a rule may give as its reason: the keys of the reason-code catalogue.
using CodeSet = std::set<std::string, std::less<>>;

struct LintedRuleset {
  std::shared_ptr<Ruleset> ruleset;  // holds the rules that are sound; its terms.file is "" when the terms rule is not
  bool params_sound = false;
  std::vector<RuleFileError> errors;
};

LintedRuleset lint_bundle(std::shared_ptr<const Bundle> bundle, const BundleTables& tables, const CodeSet& codes);

}  // namespace tideover::lua
