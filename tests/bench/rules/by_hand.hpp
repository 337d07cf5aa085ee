// Some of the shipped rules as one would write them in C++: the control of P6. They find the same (the benchmark
// compares), with the same findings made.
#pragma once
#include <span>
#include <vector>

#include "core/lua/ruleset/ruleset.hpp"
#include "core/ports/rules/rule_policy.hpp"

namespace tideover::bench {

/// The rules that there are by hand.
std::span<const char* const> names_by_hand();

class ByHand {
 public:
  explicit ByHand(const lua::Ruleset& rules);
  std::vector<domain::Finding> operator()(const ports::ClaimFacts& facts) const;

 private:
  const lua::DenialRule& rule(const char* name) const;

  const lua::Ruleset& rules_;
  const tables::Table &mue_, &ptp_, &addon_, &codes_;
};

}  // namespace tideover::bench
