// Checks the result of a rule against the schema and converts it to domain values. Host code: never runs scripts.
#pragma once
#include <lua.hpp>

#include <optional>
#include <string>
#include <vector>

#include "core/lua/ruleset/ruleset.hpp"
#include "core/ports/rules/rule_policy.hpp"

namespace tideover::lua {

inline constexpr std::size_t kMostFindings = 50;  // of one rule for one claim; further ones are dropped

/// Appends the findings of the value at `index` (nil, a finding, or a list of them). On a fault returns its text and
/// appends nothing. `asked_line` (from 0) is the line that the rule was called for, to which its findings then belong.
[[nodiscard]] std::optional<std::string> read_findings(lua_State* state, int index, const DenialRule& rule,
                                                       const ports::ClaimFacts& facts,
                                                       std::optional<std::size_t> asked_line,
                                                       std::vector<domain::Finding>& findings);

/// Reads { decision, advance_percentage, fee_percentage, reasons } at `index`.
[[nodiscard]] std::optional<std::string> read_proposal(lua_State* state, int index, domain::TermsProposal& proposal);

/// Reads { future_residuals_cents, reserve_cents, funder_cents, reasons } at `index`; nil: no proposal. The domain
/// checks the sum.
[[nodiscard]] std::optional<std::string> read_recourse(lua_State* state, int index,
                                                       std::optional<domain::RecourseProposal>& proposal);

}  // namespace tideover::lua
