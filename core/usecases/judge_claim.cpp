#include "core/usecases/judge_claim.hpp"

#include <algorithm>
#include <iterator>
#include <optional>

#include "core/domain/bank_calendar.hpp"
#include "core/domain/forecast.hpp"
#include "core/domain/sandbox.hpp"

namespace tideover::usecases {
namespace {

using domain::Error;
using domain::ErrorCode;
using domain::Finding;

// What the sandbox payer TEST-SLOW does to a forecast (contract section 14).
constexpr int kSlowDays = 60;
constexpr int kSlowConfidenceBps = 3500;

/// A strict tenant wants a 400 for what a lenient one only hears of.
std::optional<Error> refusal_of(const std::vector<Finding>& findings) {
  std::optional<Error> error;
  for (const auto& finding : findings) {
    if (finding.effect != Finding::Effect::refusal) continue;
    if (!error) error = Error::of(ErrorCode::validation_error, "The claim violates rules that are strict for this tenant; see details.fields.");
    error->fields.push_back({finding.field.empty() ? finding.code : finding.field, finding.description});
  }
  return error;
}

/// The finding that the sandbox payer TEST-CARC-<n> forces; nullopt for a code that the catalogue does not hold.
std::optional<Finding> forced_denial(const std::string& code, const std::vector<domain::ReasonCode>& catalogue) {
  const auto known = std::find_if(catalogue.begin(), catalogue.end(), [&](const domain::ReasonCode& entry) { return entry.code == code; });
  if (known == catalogue.end()) return std::nullopt;
  Finding finding;
  finding.rule_id = "sandbox.trigger";
  finding.code = code;
  finding.group = known->group_codes.empty() ? "CO" : known->group_codes.front();
  finding.description = known->description;
  finding.fix = known->recommended_action;
  finding.probability_bps = 9900;
  return finding;
}

}  // namespace

domain::Result<domain::Review> judge_claim(const ports::ClaimFacts& facts, ports::DenialAssessment assessed, domain::Environment environment,
                                           const std::vector<domain::ReasonCode>& catalogue) {
  if (auto refusal = refusal_of(assessed.findings)) return *refusal;

  const domain::ClaimDraft& draft = facts.claim;
  domain::Review review;
  std::vector<Finding> reasons;
  int confidence_cap_bps = domain::kOneInBps;
  for (auto& finding : assessed.findings) {
    confidence_cap_bps = std::min(confidence_cap_bps, finding.confidence_cap_bps);
    (finding.effect == Finding::Effect::reason ? reasons : review.warnings).push_back(std::move(finding));
  }
  const auto trigger = environment == domain::Environment::sandbox ? domain::sandbox_trigger(draft.payer_id) : std::nullopt;
  if (trigger && trigger->deny_with)
    if (auto forced = forced_denial(*trigger->deny_with, catalogue)) reasons.push_back(std::move(*forced));
  review.forecast = domain::make_forecast(draft.submitted_amount, reasons, facts.payer.rates, assessed.policy,
                                          draft.date_of_submission.value_or(facts.today), facts.today, confidence_cap_bps);
  if (trigger && trigger->slow) {
    review.forecast.payment_date = domain::banking_day_on_or_after(review.forecast.payment_date.plus(kSlowDays));
    review.forecast.confidence_bps = kSlowConfidenceBps;
  }

  std::stable_sort(reasons.begin(), reasons.end(),
                   [](const Finding& a, const Finding& b) { return a.probability_bps > b.probability_bps; });
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

}  // namespace tideover::usecases
