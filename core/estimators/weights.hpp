// What each rule's word is worth, learned: P(the payer denies for what the rule saw), whatever code it then names. Starts from the analyst's
// weight and strength; a payer of its own record leaves the rule's general one. A rule that proves useless fades without anybody's help.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/estimators/cell.hpp"
#include "core/estimators/submission.hpp"

namespace tideover::estimators {

/// A rule's record, for the rule report.
struct RuleGrade {
  std::string rule_id;
  std::int64_t hits = 0;        // answered claims on which it fired
  std::int64_t denied = 0;      // of them
  std::int64_t confirmed = 0;   // denied for a reason of the rule's own group
  std::int64_t expected_millis = 0;  // denials expected of them without the rule, x 1000
  domain::Money flagged;        // charges of the hits
  double precision() const { return hits ? static_cast<double>(denied) / static_cast<double>(hits) : 0; }
  /// How many times more often denied than expected without it.
  double lift() const { return expected_millis ? 1000.0 * static_cast<double>(denied) / static_cast<double>(expected_millis) : 0; }
};

class Weights {
 public:
  explicit Weights(std::size_t most) : cells_(most) {}

  /// P(denied for this alone); `major`: it concerns half of the charge or more, or the claim as a whole.
  double weight(const FiredRule& rule, Key payer, bool major, Week now) const;
  /// Lower end of its 90 % interval.
  double weight_low(const FiredRule& rule, Key payer, bool major, Week now) const;
  /// `expected`: P(denied) had the rule not fired.
  void count(const FiredRule& rule, Key payer, bool major, Week now, bool denied, bool confirmed, double expected, domain::Money charge);
  /// Takes back what was counted in week `then`.
  void uncount(const FiredRule& rule, Key payer, bool major, Week now, Week then, bool denied, bool confirmed, double expected, domain::Money charge);

  const std::vector<RuleGrade>& grades() const { return grades_; }
  void put_into(Digest& digest) const;

 private:
  RuleGrade& grade_of(const std::string& rule_id);

  Cells cells_;
  std::vector<RuleGrade> grades_;  // by rule id
};

}  // namespace tideover::estimators
