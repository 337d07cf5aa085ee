// Faults that are found without running a rule: unknown names, also where no case leads, and declarations without an
// effect.
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

/// Unknown globals, assignments to globals, and unknown fields of claim, line, payer, review and parameters, each of
/// which would fail a claim. Only for files that compile.
std::vector<RuleFileError> slips_of(const Ruleset& rules, const GlobalNames& globals);

/// Texts that are not UTF-8, literally or by their escapes: they could be neither stored nor sent. A comment may have
/// any bytes.
std::vector<RuleFileError> encoding_slips_of(const Ruleset& rules);

/// Warnings: names that are declared, opened or set and never read; a rule that is off or applies to an unknown payer;
/// a number without its unit. `knows_payer` may be empty.
std::vector<RuleFileError> doubts_of(const Ruleset& rules,
                                     const std::function<bool(const std::string& payer_id)>& knows_payer);

}  // namespace tideover::lua
