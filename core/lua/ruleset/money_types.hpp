// Type check of amounts in rules, which are whole cents. A float with them is an error: dollars used as cents, or a
// share that leaves parts of a cent. The check runs no rule, so it also covers lines without a case.
#pragma once
#include <vector>

#include "core/lua/ruleset/ruleset.hpp"

namespace tideover::lua {

/// An amount is known by its name (`amount_cents`, a parameter in cents) or its source (usd()). Reports a float that is
/// compared with an amount, added to it or assigned to it, and an amount passed to usd(). For files that compile.
std::vector<RuleFileError> money_slips_of(const Ruleset& rules);

}  // namespace tideover::lua
