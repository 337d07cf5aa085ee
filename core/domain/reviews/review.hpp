// A review: the denial prediction with its reasons, the expected payment and its date (openapi.yaml: Review).
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/domain/basics/tenant.hpp"
#include "core/domain/claims/claim.hpp"
#include "core/domain/reviews/cash_odds.hpp"
#include "core/domain/reviews/fired_rule.hpp"
#include "core/domain/reviews/medicare_fee.hpp"

namespace tideover::domain {

/// A finding of a rule. `probability_bps` = P(denied | this finding).
struct Finding {
  /// reason: counts towards the denial; warning: shown, never counted; refusal: the request is a 400.
  enum class Effect { reason, warning, refusal };
  Effect effect = Effect::reason;
  enum class Severity { info, moderate, strong, high };
  std::string rule_id;
  std::string code;    // key of the reason-code catalogue
  std::string group;   // CO | PR | OA | PI
  std::string family;  // dependent findings, of which the strongest counts
  std::string field;   // request field at fault, "" for none
  std::string description;
  std::string fix;
  int probability_bps = 0;
  int confidence_cap_bps = kOneInBps;  // an unknown payer caps the confidence of the whole review
  std::string carc{};                  // the CARC that a payer would use; "" when the rule names none
  int weight_bps = 0;                  // P(denied | the rule fires), prior
  int strength = 20;                   // of that prior, in claims
  bool is_locked = false;              // outcomes do not move the weight
  Severity severity = Severity::moderate;
  std::optional<int> line;  // index into service_lines
  std::optional<Money> amount_at_risk;
};

/// Names the rules that decided: enough to find the bundle.
struct RulesStamp {
  std::string version;  // short form for display
  std::string sha256;   // of all files of the bundle
};

struct RuleFault {
  std::string rule_id;
  std::string problem;
};

struct Forecast {
  int denial_probability_bps = 0;
  bool denial_predicted = false;
  Money allowed;   // if the claim adjudicates clean
  Money expected;  // probability-weighted payer payment, 0 <= expected <= allowed
  Date payment_date;
  int confidence_bps = 0;  // P(a payment > 0 is posted on or before payment_date)
};

/// What the tenant's own record says in addition; only when there is a model.
struct LearnedForecast {
  int denial_low_bps = 0, denial_high_bps = 0;  // 90 % interval of the denial probability
  Money cash_q10, cash_q50, cash_q90;           // quantiles of the payer's payments within 90 days of submission
  int evidence = 0;                             // answered claims of this payer, older ones weighing less
  int weight_bps = 0;                           // weight of the record against the published rates
  bool amount_remembered = false;  // every line's price was allowed before, in its fee period or an earlier one
  friend bool operator==(const LearnedForecast&, const LearnedForecast&) = default;
};

/// The inputs of a review besides the claim: enough to repeat it and to learn from its answer.
struct ReviewBasis {
  std::optional<int> claim_revision;  // of the draft; nullopt: not stored
  std::string payer_edition;          // of the payer's record; empty: unknown payer, or not stored
  ValidationProfile profile = ValidationProfile::lenient;
  int duplicates = 0;  // similar claims at that time
  int denial_threshold_bps = 5000;
  int date_quantile_bps = 8000;
  std::string snapshot;          // the model snapshot; empty: none
  std::vector<FiredRule> fired;  // shadow rules as well
  std::vector<float> features;   // 24, when there is a model
  std::vector<ListedFee>
      fees{};  // of the service lines, from the fee schedule of the deciding rules; empty: no line is listed
  std::string near_payer{};  // the payer that an unknown id probably means; empty: none
};

struct Review {
  ReviewId id;
  AuthorizationId authorization_id;
  ClaimId claim_id;
  std::string claim_identifier;
  Forecast forecast;
  std::vector<Finding> denial_reasons;  // empty unless a denial is predicted
  std::vector<Finding> warnings;
  std::vector<RuleFault> rule_faults;  // a failed rule sends the claim to manual review
  RulesStamp rules;
  Money submitted_amount;
  std::string payer_id;
  bool payer_known = true;
  Timestamp created_at;
  Timestamp expires_at;  // of the authorization
  std::optional<LearnedForecast> learned{};
  ReviewBasis basis{};
  CashOdds cash{};  // of forecast.expected
};

}  // namespace tideover::domain
