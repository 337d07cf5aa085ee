// Runs the cases of a bundle: small claims and reviews with the finding or terms that are expected of one rule. A case
// starts from a clean claim and names only what differs. Every rule needs one case that fires and one that stays
// silent.
#pragma once
#include <memory>
#include <vector>

#include "core/lua/limits.hpp"
#include "core/lua/ruleset.hpp"

namespace tideover::lua {

struct CaseReport {
  int passed = 0;
  std::vector<RuleFileError> errors;
};

/// Runs the cases of every rule that `ruleset` holds.
CaseReport run_cases(const std::shared_ptr<const Ruleset>& ruleset, const Limits& limits);

}  // namespace tideover::lua
