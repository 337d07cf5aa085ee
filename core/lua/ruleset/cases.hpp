// Runs the cases of a bundle: small claims and reviews with the expected finding or terms of one rule. A case starts
// from a valid claim and gives only what differs. Every rule needs one case that fires and one that stays silent.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/lua/ruleset/ruleset.hpp"
#include "core/lua/vm/coverage.hpp"
#include "core/lua/vm/limits.hpp"

namespace tideover::lua {

/// The names of a rule's cases in which it found something, and of those in which it did not; for a terms rule, in
/// which it approved or not.
struct CaseNames {
  std::vector<std::string> fired, silent;
};

struct CaseReport {
  int passed = 0, failed = 0;
  std::map<std::string, CaseNames> rules;  // by id
  std::vector<RuleFileError> errors;
};

/// Runs the cases of every rule of `ruleset`.
CaseReport run_cases(const std::shared_ptr<const Ruleset>& ruleset, const Limits& limits, Coverage* coverage = nullptr);

}  // namespace tideover::lua
