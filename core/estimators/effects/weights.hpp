// What each rule's word is worth, learned: P(the payer denies for what the rule saw), whatever code it then names.
// Starts from the analyst's weight and strength; a payer of its own record leaves the rule's general one. A rule that
// proves useless fades by itself.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/estimators/basics/label.hpp"
#include "core/estimators/basics/submission.hpp"
#include "core/estimators/effects/cell.hpp"

namespace tideover::estimators {

/// A rule's record, for the rule report.
struct RuleGrade {
  std::string rule_id;
  std::int64_t hits = 0;             // answered claims on which it fired
  std::int64_t denied = 0;           // of them
  std::int64_t confirmed = 0;        // denied for a reason of the rule's own group
  std::int64_t expected_millis = 0;  // denials expected of them without the rule, x 1000
  domain::Money flagged;             // charges of the hits
  double precision() const { return hits ? static_cast<double>(denied) / static_cast<double>(hits) : 0; }
  /// How many times more often denied than expected without it.
  double lift() const {
    return expected_millis ? 1000.0 * static_cast<double>(denied) / static_cast<double>(expected_millis) : 0;
  }
};

class Weights {
 public:
  explicit Weights(std::size_t most) : cells_(most) {}

  /// P(what the rule concerns, a line or the claim, is denied for this alone).
  double weight(const FiredRule& rule, Key payer, Week now) const;
  /// Lower end of its 90 % interval.
  double weight_low(const FiredRule& rule, Key payer, Week now) const;
  /// Of what is denied for this, the share that gets a code of this group: most of it the rule's own, until payers show
  /// how they put it.
  double code_share(const FiredRule& rule, CarcGroup group) const;
  /// What an answer says of the rule, and for its record what became of the claim.
  struct Hit {
    Seen seen;
    bool denied = false, confirmed = false;
    double expected = 0;  // P(claim denied) had the rule not fired
    domain::Money charge;
    CarcGroup group = CarcGroup::other;  // of the denial of what the rule concerns
    bool is_first = true;  // of the rule on its claim: a rule is graded once, on however many lines it fired
  };
  void count(const FiredRule& rule, Key payer, Week now, const Hit& hit);
  /// Takes back what was counted in week `then`.
  void uncount(const FiredRule& rule, Key payer, Week now, Week then, const Hit& hit);

  const std::vector<RuleGrade>& grades() const { return grades_; }
  std::size_t bytes() const { return cells_.bytes(); }
  void put_into(Digest& digest) const;

 private:
  RuleGrade& grade_of(const std::string& rule_id);

  /// Denials for what a rule saw, by the group of their code.
  struct Codes {
    Key rule = 0;
    std::array<double, kCarcGroups> seen{};
    double all = 0;
  };
  void learn_code(const FiredRule& rule, CarcGroup group, double denials);

  Cells cells_;
  std::vector<Codes> codes_;       // by rule
  std::vector<RuleGrade> grades_;  // by rule id
};

}  // namespace tideover::estimators
