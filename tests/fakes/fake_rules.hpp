// Rules that say what a test tells them, and remember what they were asked.
#pragma once
#include "core/ports/rule_policy.hpp"

namespace tideover::fakes {

class FakeRules final : public ports::RulePolicy {
 public:
  std::vector<domain::Finding> findings, shadowed;
  std::vector<domain::RuleFault> denial_faults;
  std::vector<domain::RuleFault> terms_faults;
  domain::TermsProposal proposal{domain::Decision::approved, 8000, 200, {}};
  domain::ForecastPolicy policy;
  domain::OverduePolicy overdue;
  /// Of the last review.
  int duplicates_seen = -1;
  bool payer_known_seen = false;
  bool payer_supports_advance_seen = false;
  domain::Portfolio portfolio_seen;

  ports::DenialAssessment assess_denial(const ports::ClaimFacts& facts) override {
    duplicates_seen = facts.duplicates;
    payer_known_seen = facts.payer_known;
    return {findings, shadowed, denial_faults, policy, stamp()};
  }
  ports::TermsAssessment propose_terms(const ports::TermsFacts& facts) override {
    payer_supports_advance_seen = facts.payer_supports_advance;
    portfolio_seen = facts.portfolio;
    return {proposal, terms_faults, stamp()};
  }
  domain::OverduePolicy overdue_policy() const override { return overdue; }
  domain::RulesStamp stamp() const override { return {"fake-1", std::string(64, '0')}; }
};

}  // namespace tideover::fakes
