// Amounts of rules are whole cents. A float beside them is a slip: dollars that are taken for cents, or a share that
// leaves parts of a cent. This page finds such slips without running a rule, also where no case leads.
#pragma once
#include <vector>

#include "core/lua/ruleset/ruleset.hpp"

namespace tideover::lua {

/// What is an amount shows in its name (`amount_cents`, a parameter in cents) or where it comes from (usd()). Told are
/// a float that is compared with an amount, added to it, or becomes one, and an amount that is given to usd(). Of files
/// that compile.
std::vector<RuleFileError> money_slips_of(const Ruleset& rules);

}  // namespace tideover::lua
