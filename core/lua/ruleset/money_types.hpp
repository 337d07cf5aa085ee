// Amounts in rules are whole cents. A float with them is a fault: dollars that are used as cents, or a share that
// leaves fractions of a cent. Finds such faults without running a rule, also where no case leads.
#pragma once
#include <vector>

#include "core/lua/ruleset/ruleset.hpp"

namespace tideover::lua {

/// An amount is recognised by its name (`amount_cents`, a parameter in cents) or its origin (usd()). Reports a float
/// that is compared with an amount, added to it or assigned to it, and an amount that is passed to usd(). Only for
/// files that compile.
std::vector<RuleFileError> money_slips_of(const Ruleset& rules);

}  // namespace tideover::lua
