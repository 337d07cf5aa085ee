// Rules that say what a test tells them, and remember what they were asked.
#pragma once
#include <functional>
#include <mutex>
#include <optional>
#include <utility>

#include "core/ports/rules/rule_policy.hpp"

namespace tideover::fakes {

class FakeRules final : public ports::RulePolicy {
 public:
  std::vector<domain::Finding> findings, shadowed;
  /// The findings about this claim.
  std::function<std::vector<domain::Finding>(const domain::ClaimDraft&, std::vector<domain::Finding>)> find =
      [](const domain::ClaimDraft&, std::vector<domain::Finding> as_set) { return as_set; };
  domain::RulesStamp bundle{"fake-1", std::string(64, '0')};
  std::vector<domain::RuleFault> denial_faults;
  std::vector<domain::RuleFault> terms_faults;
  domain::TermsProposal proposal{domain::Decision::approved, 8000, 200, {}};
  /// The proposal for these facts; runs outside of any transaction.
  std::function<domain::TermsProposal(const ports::TermsFacts&, domain::TermsProposal)> adapt =
      [](const ports::TermsFacts&, domain::TermsProposal as_set) { return as_set; };
  domain::Money most_open = domain::Money::cents(1'000'000'000'00);  // on a payer, before an operator decides
  domain::ForecastPolicy policy;
  domain::OverduePolicy overdue;
  domain::RecoursePolicy recourse;
  /// The answer to an event; none: the usual bearers.
  std::function<std::optional<domain::RecourseProposal>(const domain::RecourseFacts&)> bears =
      [](const domain::RecourseFacts&) { return std::nullopt; };
  std::vector<domain::RecourseFacts> events_seen;
  std::function<std::vector<domain::ListedFee>(const domain::ClaimDraft&)> list_fees = [](const domain::ClaimDraft&) {
    return std::vector<domain::ListedFee>{};
  };
  /// Of the last review.
  int duplicates_seen = -1;
  bool payer_known_seen = false;
  std::string near_payer_seen;
  bool payer_supports_advance_seen = false;
  domain::ClaimDetails details_seen;
  domain::Portfolio portfolio_seen;
  domain::ClaimHistory history_seen;

  ports::DenialAssessment assess_denial(const ports::ClaimFacts& facts) override {
    auto fees = list_fees(facts.claim);
    std::optional<domain::ClaimHistory> history;
    if (facts.history_of && facts.answered_claims >= policy.learn_from_answers) history = *facts.history_of(fees);
    const std::lock_guard lock(seeing_);
    duplicates_seen = facts.duplicates;
    payer_known_seen = facts.payer_known;
    near_payer_seen = facts.near_payer;
    if (history) history_seen = *history;
    return {find(facts.claim, findings), shadowed, denial_faults, policy, stamp(), {}, std::move(fees)};
  }
  ports::TermsAssessment propose_terms(const ports::TermsFacts& facts) override {
    {
      const std::lock_guard lock(seeing_);
      payer_supports_advance_seen = facts.payer_supports_advance;
      portfolio_seen = facts.portfolio;
      details_seen = facts.claim;
    }
    auto proposed = adapt(facts, proposal);
    if (facts.portfolio.payer_open > most_open)
      proposed = {
          domain::Decision::manual_review, proposal.advance_bps, proposal.fee_bps, {"payer_exposure_needs_review"}};
    return {proposed, terms_faults, stamp()};
  }
  domain::OverduePolicy overdue_policy() const override { return overdue; }
  ports::RecourseAssessment decide_recourse(const domain::RecourseFacts& facts) override {
    const std::lock_guard lock(seeing_);
    events_seen.push_back(facts);
    return {bears(facts), {}, stamp(), "recourse.fake", 3};
  }
  domain::RecoursePolicy recourse_policy() const override { return recourse; }
  domain::RulesStamp stamp() const override { return bundle; }

 private:
  std::mutex seeing_;
};

}  // namespace tideover::fakes
