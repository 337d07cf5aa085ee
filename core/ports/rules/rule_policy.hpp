// The risk policy that rules propose. Each call uses one published bundle and names it. Thread-safe.
#pragma once
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/domain/basics/result.hpp"
#include "core/domain/basics/tenant.hpp"
#include "core/domain/claims/claim_history.hpp"
#include "core/domain/claims/payer.hpp"
#include "core/domain/funding/portfolio.hpp"
#include "core/domain/funding/recourse.hpp"
#include "core/domain/funding/terms.hpp"
#include "core/domain/reconciliation/overdue.hpp"
#include "core/domain/reviews/forecast.hpp"
#include "core/domain/reviews/review.hpp"
#include "core/ports/rules/rule_explanation.hpp"

namespace tideover::ports {

/// Everything that a denial rule may read.
struct ClaimFacts {
  const domain::ClaimDraft& claim;
  const domain::Payer& payer;  // the default payer when unknown
  bool payer_known = true;
  domain::ValidationProfile profile = domain::ValidationProfile::lenient;
  domain::Date today;
  int duplicates = 0;  // earlier claims with another identifier that look like the same service
  const domain::ClaimHistory* history =
      nullptr;  // as of the day of the review; null when nothing is known, or when `history_of` provides it
  std::int64_t answered_claims = kEnough;  // of the tenant; below learn_from_answers, rules see no history
  static constexpr std::int64_t kEnough = std::numeric_limits<std::int64_t>::max();
  bool explain = false;  // whether the result explains every rule
  /// When set, it provides the history, given the fees that the deciding rules list for the lines.
  std::function<const domain::ClaimHistory*(const std::vector<domain::ListedFee>&)> history_of{};
  std::string near_payer{};  // the payer that an unknown id probably means; empty: none
};

struct DenialAssessment {
  std::vector<domain::Finding> findings;  // in ruleset order; the effect already follows the tenant's profile
  std::vector<domain::Finding> shadowed;  // of rules in shadow mode: shown, never counted
  std::vector<domain::RuleFault> faults;  // rules that failed or exceeded their budget
  domain::ForecastPolicy policy;
  domain::RulesStamp rules;
  std::vector<RuleExplanation> explained{};  // every denial rule in order, when requested
  std::vector<domain::ListedFee> fees{};     // of the claim's lines, from their fee schedule; empty: none listed
};

/// Everything that a terms rule may read.
struct TermsFacts {
  const domain::Review& review;
  std::string rail;
  domain::Date today;
  bool payer_supports_advance = true;  // true for an unknown payer
  domain::Portfolio portfolio{};       // before this advance
  bool explain = false;
  domain::ClaimDetails claim{};
};

struct TermsAssessment {
  domain::TermsProposal proposal;
  std::vector<domain::RuleFault> faults;
  domain::RulesStamp rules;
  std::vector<RuleExplanation> explained{};  // the terms rules, when requested
};

/// The answer of the recourse rule to one event.
struct RecourseAssessment {
  std::optional<domain::RecourseProposal> proposal{};  // none: no rule, a rule without an answer, or a fault
  std::vector<domain::RuleFault> faults{};
  domain::RulesStamp rules{};
  std::string rule_id{};  // empty: the bundle has no recourse rule
  int rule_rev = 0;
};

class RulePolicy {
 public:
  virtual ~RulePolicy() = default;
  virtual DenialAssessment assess_denial(const ClaimFacts& facts) = 0;
  virtual TermsAssessment propose_terms(const TermsFacts& facts) = 0;
  virtual domain::OverduePolicy overdue_policy() const = 0;
  /// Asked for each event, never for an ordinary payment. Without a recourse rule the usual bearers keep the amount.
  virtual RecourseAssessment decide_recourse(const domain::RecourseFacts& /*facts*/) { return {}; }
  virtual domain::RecoursePolicy recourse_policy() const { return {}; }
  virtual domain::RulesStamp stamp() const = 0;
};

}  // namespace tideover::ports
