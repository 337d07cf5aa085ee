// Errors that can be found without running a rule: unknown names, also on lines without a case, and declarations
// without effect.
#pragma once
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/lua/ruleset/ruleset.hpp"

namespace tideover::lua {

/// The names of the sandbox: global -> its fields, for a library such as math.
using GlobalNames = std::map<std::string, std::set<std::string>, std::less<>>;

/// Unknown globals, assignments to globals, unknown fields of claim, line, payer, review and parameters: each would be
/// a fault in a review. For files that compile.
std::vector<RuleFileError> slips_of(const Ruleset& rules, const GlobalNames& globals);

/// Texts that are not UTF-8, literally or through escapes: they could neither be stored nor sent. A comment may have
/// any bytes.
std::vector<RuleFileError> encoding_slips_of(const Ruleset& rules);

/// Warnings: declarations and values that are never read; a rule that is off, or for a payer that no directory has; a
/// number without its unit. `knows_payer` may be empty.
std::vector<RuleFileError> doubts_of(const Ruleset& rules,
                                     const std::function<bool(const std::string& payer_id)>& knows_payer);

}  // namespace tideover::lua
