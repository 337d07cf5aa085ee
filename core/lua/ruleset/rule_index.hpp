// Selects the rules that can apply to a claim, by their declarations: type of claim, payers, codes, and required facts.
// With a thousand rules of which ten apply, a claim costs ten calls. Built once per ruleset; one thread at a time.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/lua/facts/facts.hpp"
#include "core/lua/ruleset/ruleset.hpp"

namespace tideover::lua {

/// One bit per rule of a ruleset, by index in Ruleset::denial.
using RuleBits = std::vector<std::uint64_t>;
inline bool has(const RuleBits& bits, std::size_t rule) {
  return (bits[rule / 64] >> (rule % 64) & 1) != 0;
}
inline void add(RuleBits& bits, std::size_t rule) {
  bits[rule / 64] |= std::uint64_t{1} << (rule % 64);
}

class RuleIndex {
 public:
  explicit RuleIndex(const std::vector<DenialRule>& rules);

  /// Selects the rules that can apply to the current claim; valid until the next claim.
  void select(const Window& window);
  const RuleBits& selected() const { return selected_; }
  /// For a selected per-line rule: whether it applies to this line (from 0).
  bool is_for_line(std::size_t rule, std::size_t line) const {
    return has(any_code_, rule) || (of_code_[line] != nullptr && has(*of_code_[line], rule));
  }
  /// Rules that are called for each line.
  const RuleBits& of_lines() const { return of_lines_; }
  const RuleBits& off() const { return off_; }

 private:
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  using Listed = std::unordered_map<std::string, RuleBits, TextHash, std::equal_to<>>;
  struct Needing {
    const FactField* fact;
    RuleBits rules;
  };

  std::size_t words_;
  RuleBits any_payer_, any_code_, of_lines_, off_;
  std::array<RuleBits, 2> of_other_type_;  // by ClaimType: rules for claims of the other type
  Listed payers_, codes_;
  std::vector<Needing> needing_;
  RuleBits selected_;
  std::vector<const RuleBits*> of_code_;           // of each line of the claim; null when no rule lists its code
  std::vector<const RuleBits*> listed_, lacking_;  // of its codes; of the facts that it lacks
};

/// Why a rule does not apply to this claim, as a predicate ("is for payers P1, P2"); "" when it applies, or lacks only
/// facts.
std::string reason_not_for(const DenialRule& rule, const ports::ClaimFacts& facts);

}  // namespace tideover::lua
