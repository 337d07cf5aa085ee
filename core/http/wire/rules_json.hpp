// Rules and their bundles, as openapi.yaml has them.
#pragma once
#include <string>
#include <vector>

#include "core/usecases/read_rules.hpp"

namespace tideover::wire {

std::string encode_rules(const usecases::RulesView& view);
std::string encode_rule(const ports::RuleEntry& rule);
/// `bundles` may hold one more than `limit`: it only says that there is more.
std::string encode_rule_bundles(const std::vector<domain::RuleBundle>& bundles, std::size_t limit);

}  // namespace tideover::wire
