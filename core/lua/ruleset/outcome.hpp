// Checks the return value of a rule against the schema and converts it to domain values. Host side: never runs script
// code.
#pragma once
#include <lua.hpp>

#include <optional>
#include <string>
#include <vector>

#include "core/lua/ruleset/ruleset.hpp"
#include "core/ports/rules/rule_policy.hpp"

namespace tideover::lua {

inline constexpr std::size_t kMostFindings = 50;  // per rule and claim; further ones are dropped

/// Appends the findings in the value at `index` (nil, a finding, or a list of them). A text is the fault of the value;
/// then nothing is appended. `asked_line` (from 0): the line that the rule was called for, which its findings then
/// belong to.
[[nodiscard]] std::optional<std::string> read_findings(lua_State* state, int index, const DenialRule& rule,
                                                       const ports::ClaimFacts& facts,
                                                       std::optional<std::size_t> asked_line,
                                                       std::vector<domain::Finding>& findings);

/// Reads { decision, advance_percentage, fee_percentage, reasons } at `index`.
[[nodiscard]] std::optional<std::string> read_proposal(lua_State* state, int index, domain::TermsProposal& proposal);

}  // namespace tideover::lua
