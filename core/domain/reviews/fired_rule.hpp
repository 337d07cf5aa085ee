// A rule that fired on a claim, as what is learned from the claim's answer needs it.
#pragma once
#include <optional>
#include <string>

namespace tideover::domain {

struct FiredRule {
  std::string rule_id;
  std::string
      family;  // findings of one family are not independent: the strongest counts; empty = the rule is its own family
  std::string carc;
  std::optional<int> line;
  int weight_bps = 0;   // P(denied for this | fires) as the analyst thinks
  int strength = 20;    // worth of that thought, in claims
  bool locked = false;  // the weight is not learned
  bool shadow = false;  // counted, adds nothing
  bool hard = false;    // may force the prediction alone
  friend bool operator==(const FiredRule&, const FiredRule&) = default;
};

}  // namespace tideover::domain
