#include "core/domain/reconciliation/answer.hpp"

#include <algorithm>

namespace tideover::domain {
namespace {

constexpr std::string_view kReversal = "22", kForwarded = "23", kPredetermination = "25";  // CLP02
constexpr std::string_view kRepeat = "18";                                                 // CARC

AnswerKind kind_of(std::string_view clp02) {
  if (clp02 == kForwarded) return AnswerKind::forwarded;
  if (clp02 == kPredetermination) return AnswerKind::predetermined;
  const auto status = claim_status_of_clp02(clp02);
  if (status == ClaimStatus::reversed) return AnswerKind::taken_back;
  if (status == ClaimStatus::denied) return AnswerKind::denied;
  return status ? AnswerKind::processed : AnswerKind::undecided;
}

bool decides(AnswerKind kind) {
  return kind == AnswerKind::processed || kind == AnswerKind::denied || kind == AnswerKind::forwarded;
}

/// The amount of the claim, and of its lines, that the adjustments of these reasons take.
template <class Is>
Money taken_by(const RemittanceClaim& claim, Is is_reason) {
  Money taken;
  const auto add = [&](const std::vector<Adjustment>& adjustments) {
    for (const auto& adjustment : adjustments)
      if (is_reason(adjustment)) taken += adjustment.amount;
  };
  add(claim.adjustments);
  for (const auto& line : claim.lines) add(line.adjustments);
  return taken;
}

bool is_refusal(const Adjustment& adjustment) {
  return std::any_of(kRefusals.begin(), kRefusals.end(), [&](const Refusal& refusal) {
    return refusal.group == adjustment.group && refusal.code == adjustment.code;
  });
}

bool is_refused_repeat(const Adjustment& adjustment) {
  return adjustment.code == kRepeat && (adjustment.group == "CO" || adjustment.group == "OA");
}

}  // namespace

ClaimAnswer answer_of(const RemittanceClaim& claim) {
  ClaimAnswer answer{kind_of(claim.status), std::max(claim.charge_amount, -claim.charge_amount), claim.paid_amount};
  const Money charge = claim.charge_amount, paid = claim.paid_amount;
  // Payers write the charge of a reversal with either sign, so only the payment counts.
  if (claim.status == kReversal) {
    if (paid > Money{}) answer.contradiction = "a reversal pays money";
  } else if (decides(answer.kind)) {
    if (paid < Money{} && charge <= Money{} && answer.kind != AnswerKind::forwarded)
      answer.kind = AnswerKind::taken_back;  // some payers do not use the code of a reversal
    else if (paid < Money{})
      answer.contradiction = "it takes money back and is no reversal";
    else if (charge < Money{})
      answer.contradiction = "it is charged below zero and is no reversal";
    // The reason must take the whole charge: a refused line among others does not deny the claim.
    else if (charge > Money{} && paid.is_zero() && answer.kind != AnswerKind::forwarded) {
      if (taken_by(claim, is_refusal) == charge) answer.kind = AnswerKind::denied;
      answer.is_repeat_refused = taken_by(claim, is_refused_repeat) == charge;
    }
  }
  return answer;
}

std::optional<ClaimStatus> claim_status_of(const ClaimAnswer& answer) {
  if (!answer.contradiction.empty()) return std::nullopt;
  switch (answer.kind) {
    case AnswerKind::processed:
      return ClaimStatus::paid;
    case AnswerKind::denied:
      return ClaimStatus::denied;
    case AnswerKind::taken_back:
      return ClaimStatus::reversed;
    default:
      return std::nullopt;
  }
}

std::string_view not_learnable(const RemittanceClaim& claim) {
  // One wrong line spoils the estimates of its procedure, so check all lines.
  const auto answer = answer_of(claim);
  if (!answer.contradiction.empty() || !decides(answer.kind)) return answer.contradiction;
  for (const auto& line : claim.lines) {
    if (line.charge_amount < Money{}) return "a service line is charged below zero";
    if (line.paid_amount < Money{}) return "a service line is paid below zero";
    if (line.allowed_amount.value_or(Money{}) < Money{}) return "a service line is allowed below zero";
  }
  return {};
}

}  // namespace tideover::domain
