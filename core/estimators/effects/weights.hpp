// Learns the weight of each rule: P(the payer denies for what the rule found), with any code. Starts from the analyst's
// weight and strength. The record of a payer may differ from the rule's general one. A useless rule loses its weight.
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
  std::int64_t denied = 0;           // answered claims that were denied
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

  /// P(the rule's line or claim is denied for this reason alone).
  double weight(const FiredRule& rule, Key payer, Week now) const;
  /// The lower end of its 90 % interval.
  double weight_low(const FiredRule& rule, Key payer, Week now) const;
  /// The share of these denials with a code of this group: mostly the rule's own code, until payers show which codes
  /// they use.
  double code_share(const FiredRule& rule, CarcGroup group) const;
  /// What an answer says about the rule, and the outcome of the claim for the rule's record.
  struct Hit {
    Seen seen;
    bool denied = false, confirmed = false;
    double expected = 0;  // P(claim denied) without the rule
    domain::Money charge;
    CarcGroup group = CarcGroup::other;  // of the denial of the rule's line or claim
    bool is_first =
        true;  // the first hit on the claim: a rule is graded once per claim, however many lines it fired on
  };
  void count(const FiredRule& rule, Key payer, Week now, const Hit& hit);
  /// Reverses the counts of week `then`.
  void uncount(const FiredRule& rule, Key payer, Week now, Week then, const Hit& hit);

  const std::vector<RuleGrade>& grades() const { return grades_; }
  std::size_t bytes() const { return cells_.bytes(); }
  void put_into(Digest& digest) const;

 private:
  RuleGrade& grade_of(const std::string& rule_id);

  /// Denials that a rule predicted, by the group of their code.
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
