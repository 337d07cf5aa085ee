// The result of each rule for one claim, and the facts that it read, for analysts.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/lua/ruleset/ruleset.hpp"
#include "core/lua/vm/limits.hpp"
#include "core/ports/rules/rule_policy.hpp"

namespace tideover::lua {

/// All denial rules of the ruleset, in its order. Nothing is counted or cached.
std::vector<ports::RuleExplanation> explain_denial(const std::shared_ptr<const Ruleset>& ruleset, const Limits& limits,
                                                   const ports::ClaimFacts& facts);

/// The terms rule: silent, or failed.
ports::RuleExplanation explain_terms(const std::shared_ptr<const Ruleset>& ruleset, const Limits& limits,
                                     const ports::TermsFacts& facts);

}  // namespace tideover::lua
