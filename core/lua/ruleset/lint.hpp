// Reads ruleset.lua, params.lua and rule files into a Ruleset and reports every fault with its position. Runs the top
// level of the files, never a rule.
#pragma once
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/lua/ruleset/ruleset.hpp"

namespace tideover::lua {

/// Reason codes that rules may use: the keys of the reason-code catalogue.
using CodeSet = std::set<std::string, std::less<>>;

struct LintedRuleset {
  std::shared_ptr<Ruleset> ruleset;  // the valid rules; its terms.file is "" when the terms rule has faults
  bool params_sound = false;
  std::vector<RuleFileError> errors;
};

LintedRuleset lint_bundle(std::shared_ptr<const Bundle> bundle, const BundleTables& tables, const CodeSet& codes);

}  // namespace tideover::lua
