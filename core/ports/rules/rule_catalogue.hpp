// The live rules of this node, for display. Thread-safe.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/domain/reviews/review.hpp"

namespace tideover::ports {

struct RuleEntry {
  std::string rule_id;
  std::int64_t rev = 1;
  std::string mode;  // live, shadow, off
  std::string family;
  std::string group;  // group of the reason: CO, PR, OA, PI
  std::string code;
  std::string carc;  // may be empty
  std::string severity;
  std::optional<int> weight_bps;  // prior P(denied | it fires); none: each finding has its own
  int strength = 0;               // of that prior, in claims
  bool is_locked = false;
  bool asks_lines = false;
  std::string claim_type;  // professional, institutional; empty: both
  std::string summary;
  std::string fix;
  std::vector<std::string> needs, payers, codes;  // what it applies to; empty: all
  struct Counts {
    std::uint64_t fired = 0, failed = 0;
  };
  std::optional<Counts>
      counts;  // over claims of all tenants, because rules are common; none when the caller may not see them
};

struct RuleListing {
  domain::RulesStamp stamp;
  std::vector<RuleEntry> rules;  // denial rules, in the order of evaluation
};

class RuleCatalogue {
 public:
  virtual ~RuleCatalogue() = default;
  virtual RuleListing list_rules() const = 0;
};

}  // namespace tideover::ports
