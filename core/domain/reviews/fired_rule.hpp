// A rule that fired on a claim, with what learning from the claim's answer needs.
#pragma once
#include <optional>
#include <string>

namespace tideover::domain {

struct FiredRule {
  std::string rule_id;
  std::string family;  // dependent findings, of which the strongest counts; empty: a family of its own
  std::string carc;
  std::optional<int> line;
  int weight_bps = 0;   // P(denied for this | fires), the analyst's prior
  int strength = 20;    // weight of the prior, in claims
  bool locked = false;  // the weight is not learned
  bool shadow = false;  // counted, adds nothing
  bool hard = false;    // may force the prediction alone
  friend bool operator==(const FiredRule&, const FiredRule&) = default;
};

}  // namespace tideover::domain
