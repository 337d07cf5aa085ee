// A Markdown page about all rules of a bundle.
#pragma once
#include <string>

#include "core/lua/ruleset/cases.hpp"
#include "core/lua/ruleset/ruleset.hpp"

namespace tideover::lua {

std::string rules_page(const Ruleset& rules, const CaseReport& cases);

}  // namespace tideover::lua
