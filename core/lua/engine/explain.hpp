// What each rule thought of one claim, and what it read to think so: for the analyst who asks why.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/lua/ruleset/ruleset.hpp"
#include "core/lua/vm/limits.hpp"
#include "core/ports/rules/rule_policy.hpp"

namespace tideover::lua {

/// Every denial rule of the ruleset, in its order. Nothing is counted or kept.
std::vector<ports::RuleExplanation> explain_denial(const std::shared_ptr<const Ruleset>& ruleset, const Limits& limits,
                                                   const ports::ClaimFacts& facts);

/// The rule of terms: silent, or failed.
ports::RuleExplanation explain_terms(const std::shared_ptr<const Ruleset>& ruleset, const Limits& limits,
                                     const ports::TermsFacts& facts);

}  // namespace tideover::lua
