#include "core/usecases/learning/learned_claim.hpp"

#include <algorithm>
#include <charconv>

#include "core/domain/claims/claim_input.hpp"

namespace tideover::usecases {
namespace {

using domain::Money;
using estimators::PayerClass;

constexpr const char* kChartPurpose = "learned-chart-v1";
constexpr std::int64_t kOneUnitMilli = 1000;
/// A claim with more lines is estimated as a whole: payers price it by stay or by case, and a waiting claim keeps data
/// of each of its lines.
constexpr std::size_t kMostEstimatedLines = domain::kMaxServiceLines;

/// Whether the amounts of the lines are per line, or per unit where only that adds up to the claim's amount.
bool are_unit_prices(const domain::ClaimDraft& draft) {
  Money lines, units;
  for (const auto& line : draft.service_lines) {
    const auto amount = line.amount.value_or(Money{});
    lines += amount;
    units += Money::cents(amount.cents() * line.units_milli / kOneUnitMilli);
  }
  return lines != draft.submitted_amount && units == draft.submitted_amount;
}

/// Lines without an amount share what the others leave of the claim's amount.
void share_rest(Money submitted, const domain::ClaimDraft& draft, std::vector<estimators::SubmittedLine>& lines) {
  Money known;
  std::int64_t missing = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    known += lines[i].amount;
    missing += draft.service_lines[i].amount ? 0 : 1;
  }
  const std::int64_t rest = std::max<std::int64_t>((submitted - known).cents(), 0);
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (!draft.service_lines[i].amount) lines[i].amount = Money::cents(rest / missing);
}

}  // namespace

PayerClass payer_class_of(const domain::Payer& payer) {
  if (payer.programs.empty()) return PayerClass::unknown;
  const std::string_view program = payer.programs.front();
  if (program.starts_with("medicare")) return PayerClass::medicare;
  if (program.starts_with("medicaid") || program.starts_with("chip")) return PayerClass::medicaid;
  if (program.starts_with("exchange")) return PayerClass::exchange;
  if (program.starts_with("workers")) return PayerClass::workers_comp;
  return PayerClass::commercial;
}

estimators::Submission submission_of(const domain::TenantId& tenant, const domain::ClaimId& id,
                                     const domain::ClaimDraft& draft, const domain::Payer& payer, domain::Date reviewed,
                                     const ports::KeyedDigest& digests) {
  estimators::Submission claim;
  claim.claim_id = id.text();
  claim.submitted = draft.date_of_submission.value_or(reviewed);
  claim.reviewed = reviewed;
  claim.payer_id = draft.payer_id;
  claim.payer_class = payer_class_of(payer);
  claim.billing_npi = draft.billing_npi;
  claim.servicer_npi = draft.servicer_npi;
  claim.facility = draft.facility;
  if (const auto& chart = draft.chart_identifier.reveal(); !chart.empty()) {
    const auto digest = digests.digest(kChartPurpose, tenant.text() + '\n' + chart);
    (void)std::from_chars(digest.data(), digest.data() + std::min<std::size_t>(digest.size(), 16), claim.chart, 16);
  }
  claim.date_of_service = draft.date_of_service;
  claim.amount = draft.submitted_amount;
  claim.timely_filing_days = payer.timely_filing_days;
  claim.prior_authorization = draft.details.prior_authorization;
  if (draft.service_lines.size() > kMostEstimatedLines) return claim;
  const bool by_unit = are_unit_prices(draft);
  for (const auto& line : draft.service_lines) {
    auto& submitted = claim.lines.emplace_back();
    submitted.code = line.cpt.empty() ? line.revenue_code : line.cpt;  // as a remittance names the line
    submitted.modifiers = line.modifier;
    submitted.units_milli = line.units_milli;
    const auto amount = line.amount.value_or(Money{});
    submitted.amount = by_unit ? Money::cents(amount.cents() * line.units_milli / kOneUnitMilli) : amount;
  }
  share_rest(draft.submitted_amount, draft, claim.lines);
  return claim;
}

void list_fees(estimators::Submission& claim, const std::vector<domain::ListedFee>& fees) {
  for (std::size_t i = 0; i < std::min(fees.size(), claim.lines.size()); ++i) {
    claim.lines[i].fee = fees[i].fee;
    claim.lines[i].global_days = fees[i].global_days;
    claim.lines[i].contract = fees[i].contract;
  }
}

void complete(estimators::Submission& claim, const domain::ReviewBasis& basis) {
  list_fees(claim, basis.fees);
  claim.fired = basis.fired;
}

std::vector<domain::FiredRule> fired_rules_of(const ports::DenialAssessment& assessed) {
  std::vector<domain::FiredRule> fired;
  const auto add = [&](const domain::Finding& finding, bool is_shadow) {
    if (finding.effect != domain::Finding::Effect::reason) return;
    auto& rule = fired.emplace_back();
    rule.rule_id = finding.rule_id;
    rule.family = finding.family;
    rule.carc = finding.carc.empty() ? finding.code : finding.carc;
    rule.line = finding.line;
    rule.weight_bps = finding.weight_bps > 0 ? finding.weight_bps : finding.probability_bps;
    rule.strength = finding.strength;
    rule.locked = finding.is_locked;
    rule.shadow = is_shadow;
    rule.hard = finding.severity == domain::Finding::Severity::high;
  };
  for (const auto& finding : assessed.findings) add(finding, false);
  for (const auto& finding : assessed.shadowed) add(finding, true);
  return fired;
}

}  // namespace tideover::usecases
