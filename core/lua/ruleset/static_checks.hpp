// Slips that show without running a rule: names that do not exist, also where no case leads, and declarations that
// nothing comes of.
#pragma once
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/lua/ruleset/ruleset.hpp"

namespace tideover::lua {

/// The names of the sandbox: global -> its fields, if it is a library such as math.
using GlobalNames = std::map<std::string, std::set<std::string>, std::less<>>;

/// Unknown globals, assignments to globals, unknown fields of claim, line, payer, review and parameters: any of them
/// would fail a claim. Of files that compile.
std::vector<RuleFileError> slips_of(const Ruleset& rules, const GlobalNames& globals);

/// Texts that are not UTF-8, as they stand or as their escapes make them: they could neither be stored nor sent. A
/// comment may hold any bytes.
std::vector<RuleFileError> encoding_slips_of(const Ruleset& rules);

/// What is no fault and hardly meant: what is declared, opened or set and never read; a rule that is off, or for a
/// payer whom nobody knows; a number without its unit. `knows_payer` may be empty.
std::vector<RuleFileError> doubts_of(const Ruleset& rules,
                                     const std::function<bool(const std::string& payer_id)>& knows_payer);

}  // namespace tideover::lua
