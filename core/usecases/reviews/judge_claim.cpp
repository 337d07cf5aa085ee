#include "core/usecases/reviews/judge_claim.hpp"

#include <algorithm>
#include <iterator>
#include <optional>

#include "core/domain/basics/bank_calendar.hpp"
#include "core/domain/funding/sandbox.hpp"
#include "core/domain/reviews/forecast.hpp"
#include "core/usecases/learning/learned_claim.hpp"
#include "core/usecases/reviews/weigh_record.hpp"

namespace tideover::usecases {
namespace {

using domain::Error;
using domain::ErrorCode;
using domain::Finding;

// The effect of the sandbox payer TEST-SLOW on a forecast (core/docs/contract.md#sandbox).
constexpr int kSlowDays = 60;
constexpr int kSlowConfidenceBps = 3500;

constexpr const char* kOftenDenied = "OFTEN_DENIED";
constexpr const char* kPayerUnknown = "PAYER_UNKNOWN";

/// A strict tenant gets status 400 where a lenient one gets a reason.
std::optional<Error> refusal_of(const std::vector<Finding>& findings) {
  std::optional<Error> error;
  for (const auto& finding : findings) {
    if (finding.effect != Finding::Effect::refusal) continue;
    if (!error)
      error = Error::of(ErrorCode::validation_error,
                        "The claim violates rules that are strict for this tenant. See details.fields.");
    error->fields.push_back({finding.field.empty() ? finding.code : finding.field, finding.description});
  }
  return error;
}

const domain::ReasonCode* known_as(const std::string& code, const std::vector<domain::ReasonCode>& catalogue) {
  const auto known = std::find_if(catalogue.begin(), catalogue.end(),
                                  [&](const domain::ReasonCode& entry) { return entry.code == code; });
  return known == catalogue.end() ? nullptr : &*known;
}

/// The finding that the sandbox payer TEST-CARC-<n> forces; nullopt when the catalogue lacks the code.
std::optional<Finding> forced_denial(const std::string& code, const std::vector<domain::ReasonCode>& catalogue) {
  const auto* known = known_as(code, catalogue);
  if (!known) return std::nullopt;
  Finding finding;
  finding.rule_id = "sandbox.trigger";
  finding.code = code;
  finding.group = known->group_codes.empty() ? "CO" : known->group_codes.front();
  finding.description = known->description;
  finding.fix = known->recommended_action;
  finding.probability_bps = 9900;
  return finding;
}

/// What the values of the sandbox add: a forced denial, or a warning that the payer names an unknown code.
void add_forced(const domain::ClaimDraft& draft, const std::optional<domain::SandboxTrigger>& trigger,
                const std::vector<domain::ReasonCode>& catalogue, std::vector<Finding>& reasons,
                std::vector<Finding>& warnings) {
  if (domain::is_not_enrolled(draft.billing_npi) || domain::is_not_enrolled(draft.servicer_npi))
    if (auto forced = forced_denial(std::string(domain::kNotEnrolledCode), catalogue))
      reasons.push_back(std::move(*forced));
  if (!trigger || !trigger->deny_with) return;
  if (auto forced = forced_denial(*trigger->deny_with, catalogue)) {
    reasons.push_back(std::move(*forced));
    return;
  }
  Finding finding;
  finding.rule_id = "sandbox.trigger";
  finding.code = "TEST_CODE_UNKNOWN";
  finding.group = "OA";
  finding.field = "patient_primary_payor_id";
  finding.description = "TEST-CARC-" + *trigger->deny_with + " forces no denial: the catalogue lacks this reason code";
  finding.fix = "Use a code of GET /v1/metadata/reason-codes";
  warnings.push_back(std::move(finding));
}

/// Puts the causes of the record first, strongest first. A cause that no rule found becomes a reason of its own.
void rank(std::vector<Finding>& reasons, const std::vector<estimators::Reason>& causes, int denial_bps,
          const std::vector<domain::ReasonCode>& catalogue) {
  std::size_t ranked = 0;
  for (const auto& cause : causes) {
    const auto rest = reasons.begin() + static_cast<std::ptrdiff_t>(ranked);
    const auto is_same = [&](const Finding& finding) {
      return cause.rule_id.empty() ? finding.carc == cause.carc || finding.code == cause.carc
                                   : finding.rule_id == cause.rule_id;
    };
    if (const auto found = std::find_if(rest, reasons.end(), is_same); found != reasons.end()) {
      std::rotate(rest, found, found + 1);
      ++ranked;
      continue;
    }
    const auto* known = cause.rule_id.empty() ? known_as(cause.carc, catalogue) : nullptr;
    if (!known || std::any_of(reasons.begin(), rest, is_same)) continue;
    Finding finding;
    finding.rule_id = "record." + std::string(name_of(cause.record));
    finding.code = finding.carc = known->code;
    finding.group = known->group_codes.empty() ? "CO" : known->group_codes.front();
    finding.description = known->description;
    finding.fix = known->recommended_action;
    finding.probability_bps = denial_bps * cause.share_bps / domain::kOneInBps;
    reasons.insert(rest, std::move(finding));
    ++ranked;
  }
}

/// The record predicts a denial whose code the catalogue lacks: its strongest cause gets the code for "often denied".
void explain_by_record(std::vector<Finding>& reasons, const std::vector<estimators::Reason>& causes, int denial_bps,
                       const std::vector<domain::ReasonCode>& catalogue) {
  const auto* known = known_as(kOftenDenied, catalogue);
  if (!known) return;
  Finding finding;
  finding.rule_id = causes.empty() ? "record" : "record." + std::string(name_of(causes.front().record));
  finding.code = known->code;
  finding.group = known->group_codes.empty() ? "CO" : known->group_codes.front();
  finding.description = known->description;
  finding.fix = known->recommended_action;
  finding.probability_bps = denial_bps;
  reasons.push_back(std::move(finding));
}

/// What the review is made from, so that it can be repeated. The features of the record come with its prediction.
domain::ReviewBasis basis_of(const ports::ClaimFacts& facts, const ports::DenialAssessment& assessed,
                             const TenantRecord* record) {
  domain::ReviewBasis basis;
  basis.profile = facts.profile;
  basis.duplicates = facts.duplicates;
  basis.denial_threshold_bps = assessed.policy.denial_threshold_bps;
  basis.date_quantile_bps = assessed.policy.date_quantile_bps;
  basis.fired = fired_rules_of(assessed);
  basis.near_payer = facts.near_payer;
  basis.fees = assessed.fees;
  if (record) basis.snapshot = record->snapshot;
  return basis;
}

}  // namespace

domain::Result<domain::Review> judge_claim(const ports::ClaimFacts& facts, ports::DenialAssessment assessed,
                                           domain::Environment environment,
                                           const std::vector<domain::ReasonCode>& catalogue, const TenantRecord* record,
                                           ReviewExplanation* explanation) {
  if (auto refusal = refusal_of(assessed.findings)) return *refusal;

  const domain::ClaimDraft& draft = facts.claim;
  domain::Review review;
  auto& basis = review.basis;
  basis = basis_of(facts, assessed, record);
  std::vector<Finding> reasons;
  int confidence_cap_bps = domain::kOneInBps;
  const bool is_sandbox = environment == domain::Environment::sandbox;
  const auto trigger = is_sandbox ? domain::sandbox_trigger(draft.payer_id) : std::nullopt;
  for (auto& finding : assessed.findings) {
    if (trigger && finding.code == kPayerUnknown) continue;  // TEST-CARC-<n> is in no directory
    confidence_cap_bps = std::min(confidence_cap_bps, finding.confidence_cap_bps);
    (finding.effect == Finding::Effect::reason ? reasons : review.warnings).push_back(std::move(finding));
  }
  if (is_sandbox) add_forced(draft, trigger, catalogue, reasons, review.warnings);
  review.forecast = domain::make_forecast(draft.submitted_amount, reasons, facts.payer.rates, assessed.policy,
                                          draft.date_of_submission.value_or(facts.today), facts.today,
                                          confidence_cap_bps, contracted_amount(draft, basis.fees, facts.payer.rates));
  review.cash =
      domain::CashOdds::all_or_nothing(final_nonpayment_bps(review.forecast.denial_probability_bps, assessed.policy));
  if (explanation != nullptr)
    *explanation = {std::move(assessed.explained), facts.payer.rates, review.forecast, std::nullopt};
  std::vector<estimators::Reason> causes;
  if (record && !trigger && record->state.answered_claims() >= assessed.policy.learn_from_answers) {
    auto claim = record->claim;
    claim.fired = basis.fired;
    auto predicted = record->state.predict(claim, policy_of(basis));
    auto weighed = weigh_record(review.forecast, facts.payer.rates, assessed.policy, claim, predicted,
                                record->payer_responses, confidence_cap_bps);
    review.forecast = weighed.forecast;
    review.learned = weighed.learned;
    review.cash = weighed.cash;
    basis.features.assign(predicted.features.begin(), predicted.features.end());
    if (explanation != nullptr) explanation->record = predicted;
    causes = std::move(predicted.reasons);
  }
  leave_remainder(review.forecast, review.learned ? &*review.learned : nullptr, draft.details,
                  review.cash.nonpayment_bps);
  if (trigger && trigger->slow) {
    review.forecast.payment_date = domain::banking_day_on_or_after(review.forecast.payment_date.plus(kSlowDays));
    review.forecast.confidence_bps = kSlowConfidenceBps;
  }

  std::stable_sort(reasons.begin(), reasons.end(),
                   [](const Finding& a, const Finding& b) { return a.probability_bps > b.probability_bps; });
  if (review.forecast.denial_predicted) {
    rank(reasons, causes, review.forecast.denial_probability_bps, catalogue);
    if (reasons.empty()) explain_by_record(reasons, causes, review.forecast.denial_probability_bps, catalogue);
  }
  auto& shown = review.forecast.denial_predicted ? review.denial_reasons : review.warnings;
  shown.insert(shown.end(), std::make_move_iterator(reasons.begin()), std::make_move_iterator(reasons.end()));
  review.claim_identifier = draft.claim_identifier;
  review.rule_faults = std::move(assessed.faults);
  review.rules = std::move(assessed.rules);
  review.submitted_amount = draft.submitted_amount;
  review.payer_id = draft.payer_id;
  review.payer_known = facts.payer_known;
  return review;
}

domain::Result<domain::Review> review_with(ports::ClaimFacts facts, const Subject& subject, ports::RulePolicy& rules,
                                           const ports::KeyedDigest& digests, domain::Environment environment,
                                           const std::vector<domain::ReasonCode>& catalogue,
                                           ReviewExplanation* explanation) {
  facts.explain = explanation != nullptr;
  const auto* state = subject.state;
  facts.answered_claims = state ? state->answered_claims() : 0;
  if (facts.answered_claims == 0) {
    auto review = judge_claim(facts, rules.assess_denial(facts), environment, catalogue, nullptr, explanation);
    if (review) review->basis.snapshot = subject.snapshot;
    return review;
  }
  TenantRecord record{*state, subject.snapshot,
                      submission_of(subject.tenant, subject.claim, facts.claim, facts.payer, facts.today, digests)};
  domain::ClaimHistory history;
  facts.history_of = [&](const std::vector<domain::ListedFee>& fees) {
    list_fees(record.claim, fees);
    history = state->history_of(record.claim);
    record.payer_responses = history.payer.responses;
    return &history;
  };
  return judge_claim(facts, rules.assess_denial(facts), environment, catalogue, &record, explanation);
}

}  // namespace tideover::usecases
