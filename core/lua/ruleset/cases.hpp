// Runs the cases of a bundle: small claims and reviews with the expected finding or terms of one rule. A case starts
// from a clean claim and names only the differences. Every rule needs one case in which it fires and one in which it
// stays silent.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/lua/ruleset/ruleset.hpp"
#include "core/lua/vm/coverage.hpp"
#include "core/lua/vm/limits.hpp"

namespace tideover::lua {

/// The names of a rule's cases in which it found something, and in which it found nothing. For a terms rule: in which
/// it approved, or did not.
struct CaseNames {
  std::vector<std::string> fired, silent;
};

struct CaseReport {
  int passed = 0, failed = 0;
  std::map<std::string, CaseNames> rules;  // by id
  std::vector<RuleFileError> errors;
};

/// Runs the cases of every rule in `ruleset`.
CaseReport run_cases(const std::shared_ptr<const Ruleset>& ruleset, const Limits& limits, Coverage* coverage = nullptr);

}  // namespace tideover::lua
