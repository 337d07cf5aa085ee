// The differences between two rulesets, for analysts: rules, parameters, and lines of their files.
#pragma once
#include <string>

#include "core/lua/ruleset/ruleset.hpp"

namespace tideover::lua {

/// "" when they are equal.
std::string differences(const Ruleset& before, const Ruleset& after);

}  // namespace tideover::lua
