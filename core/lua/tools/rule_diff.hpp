// What is different between two rulesets, for an analyst: rules, parameters, and the lines of their files.
#pragma once
#include <string>

#include "core/lua/ruleset/ruleset.hpp"

namespace tideover::lua {

/// "" when they are the same.
std::string differences(const Ruleset& before, const Ruleset& after);

}  // namespace tideover::lua
