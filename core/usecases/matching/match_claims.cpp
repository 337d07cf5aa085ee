// Which advance each claim of a remittance belongs to (declared in match_payments.hpp).
#include <algorithm>
#include <set>

#include "core/domain/claims/claim_number.hpp"
#include "core/domain/reconciliation/answer.hpp"
#include "core/usecases/claims/move_claim_status.hpp"
#include "core/usecases/matching/match_payments.hpp"
#include "core/usecases/request/tasks.hpp"

namespace tideover::usecases {
namespace {

using domain::MatchReasons;
using domain::MatchStep;
using domain::MatchVerdict;
using domain::Money;
using domain::Remittance;
using domain::RemittanceClaimRecord;
using State = domain::RemittanceClaimRecord::State;
namespace mismatch = domain::mismatch;

/// A secondary or tertiary payment (CLP02) is credited to the provider: the advance covers what the primary payer owes.
bool is_another_payers_share(const domain::RemittanceClaim& paid, const MatchReasons& reasons) {
  return domain::is_behind_another_payer(paid.status) && reasons == MatchReasons{mismatch::kPayer};
}

bool is_paid(domain::ClaimStatus status) {
  return status == domain::ClaimStatus::paid || status == domain::ClaimStatus::partially_paid;
}

}  // namespace

AllocationTargets MatchPayments::targets_of(const Remittance& remittance, bool report) {
  AnsweredAdvances answered;
  return targets_of({remittance, remittance.claims, released_claims(records_, tenant_, remittance), answered}, report);
}

AllocationTargets MatchPayments::targets_of(const ClaimsToJudge& scope, bool report) {
  using Ownership = AllocationTargets::Ownership;
  AllocationTargets targets;
  const auto& [remittance, claims, released, answered, postponed] = scope;
  std::vector<Judged> judged;
  for (const auto& paid : claims) {
    auto& one = judged.emplace_back();
    // A released claim stays with the provider and is not compared again.
    if (!released.contains(paid.index)) one = judge(remittance, paid, report && paid.state == State::waiting);
    if (one.target) answered.count(paid.index, one.target->settlement, paid.claim.paid_amount);
  }
  // A claim stays in question until a reviewer decides, even when the advance is paid in the meantime.
  std::map<int, std::vector<domain::SettlementId>> asked;
  if (std::any_of(claims.begin(), claims.end(), [](const auto& paid) { return paid.state == State::unmatched; }))
    for (auto& [claim, settlement] : records_.matches().asked_alike(tenant_, remittance.id))
      asked[claim].push_back(std::move(settlement));
  const auto is_asked = [&](const RemittanceClaimRecord& paid) {
    const auto about = asked.find(paid.index);
    return paid.state == State::unmatched && about != asked.end() &&
           std::any_of(about->second.begin(), about->second.end(), [&](const auto& id) {
             const auto settlement = records_.settlements().find(tenant_, id);
             return settlement && is_live(settlement->settlement);
           });
  };
  for (std::size_t i = 0; i < judged.size(); ++i) {
    const auto& paid = claims[i];
    auto& [target, may_be_ours, except, is_of_known_claim] = judged[i];
    // A claim without an advance that was credited to the provider stays so, whatever is advanced later.
    const bool is_open =
        paid.state == State::waiting ||
        (paid.state == State::unmatched && (asked.contains(paid.index) || remittance.paid_to_provider.is_zero()));
    if (is_open && !target && !may_be_ours && !released.contains(paid.index)) {
      may_be_ours = is_asked(paid) ||
                    is_alike(remittance, paid, {remittance.draft, paid.claim, is_of_known_claim, answered.full, except},
                             report && !postponed && paid.state == State::waiting);
      if (postponed && may_be_ours) postponed->insert(paid.index);
    }
    targets.ownership.push_back(released.contains(paid.index) ? Ownership::released
                                : target                      ? Ownership::of_advance
                                : may_be_ours                 ? Ownership::in_question
                                                              : Ownership::not_advanced);
    targets.of.push_back(std::move(target));
  }
  return targets;
}

bool MatchPayments::is_alike(const Remittance& remittance, const RemittanceClaimRecord& paid, const AlikeSearch& search,
                             bool report) {
  auto alike = alike_advances(records_, tenant_, search);
  if (!report || alike.empty()) return !alike.empty();
  for (auto& [settlement, reasons] : alike)
    keep({remittance.id.text(), paid.index}, MatchStep::scored_search, settlement.text(), MatchVerdict::rejected,
         std::move(reasons));
  open_task_once(unit_,
                 {"match_ambiguous", remittance.id.text(),
                  "A claim has the number of no advance but resembles an open advance: its number in another form, the "
                  "payer's own number, or charge and service date. Its money waits. Accept a proposal, or release the "
                  "money to the provider."});
  return true;
}

void MatchPayments::move_statuses(const Remittance& remittance) {
  for (const bool reversals : {true, false})  // corrections go last, wherever they are in the file
    for (const auto& paid : remittance.claims)
      if ((domain::answer_of(paid.claim).kind == domain::AnswerKind::taken_back) == reversals)
        move_status(remittance, paid);
}

void MatchPayments::move_status(const Remittance& remittance, const RemittanceClaimRecord& paid) {
  const auto status = domain::claim_status_of(domain::answer_of(paid.claim));
  const auto claim = status ? claim_of(remittance, paid) : std::nullopt;
  // A payer that denies what it paid before does not say that it takes the payment back.
  if (claim && *status == domain::ClaimStatus::denied && is_paid(claim->status.status)) return;
  // A repeated or outdated answer moves nothing.
  if (!claim || !domain::may_move(claim->status.status, *status, domain::StatusSource::payer)) return;
  if (!move_claim_status(unit_, claim->status, *status, domain::StatusSource::payer)) collided_ = true;
}

/// The claim that an answer is about: that of its advance, else the one with its number. It is compared as it is billed
/// now, and as it was when it was advanced.
std::optional<ports::StoredClaim> MatchPayments::claim_of(const Remittance& remittance,
                                                          const RemittanceClaimRecord& paid) {
  if (const auto target = judge(remittance, paid, false).target)
    return records_.claims().find(tenant_, target->settlement.claim_id.text());
  auto claim = records_.claims().find(tenant_, paid.claim.claim_identifier);
  if (!claim || contradictions(records_, tenant_, remittance.draft, paid.claim, claim->claim.draft).empty())
    return claim;
  const auto live = records_.settlements().live_of(tenant_, claim->claim.id);
  const bool is_about = live && contradictions(records_, tenant_, remittance.draft, paid.claim,
                                               as_advanced(claim->claim.draft, live->settlement))
                                    .empty();
  return is_about ? std::move(claim) : std::nullopt;
}

/// Finds the claims of the remittance by their numbers. Reads a long remittance once.
void MatchPayments::index_numbers(const Remittance& remittance) {
  if (numbered_ == remittance.id) return;
  numbered_ = remittance.id;
  fitting_.clear();
  if (!numbers_ || numbers_->of != remittance.id) numbers_ = numbers_of(remittance);
}

std::shared_ptr<const ClaimNumbers> numbers_of(const Remittance& remittance) {
  auto numbers = std::make_shared<ClaimNumbers>();
  numbers->of = remittance.id;
  for (std::size_t i = 0; i < remittance.claims.size(); ++i) {
    const auto& claim = remittance.claims[i].claim;
    numbers->by_number[claim.claim_identifier].push_back(i);
    if (auto form = domain::normal_number(claim.claim_identifier); form != claim.claim_identifier)
      numbers->by_number[std::move(form)].push_back(i);
    numbers->by_payers_number[domain::normal_number(claim.payer_claim_number)].push_back(i);
  }
  return numbers;
}

/// The claims of the remittance that have the number of this advance in any form.
std::set<std::size_t> MatchPayments::namesakes_of(const NumberedAdvance& advance, const std::string& payers_number) {
  std::set<std::size_t> positions;
  const auto add = [&](const auto& index, const std::string& number) {
    if (const auto found = index.find(number); found != index.end())
      positions.insert(found->second.begin(), found->second.end());
  };
  add(numbers_->by_number, advance.claim.claim_identifier);
  for (const auto& form : domain::normal_forms(advance.claim.claim_identifier)) add(numbers_->by_number, form);
  if (advance.is_by_payers_number) add(numbers_->by_payers_number, payers_number);
  return positions;
}

/// What the remittance decides on this advance, and takes back of it. Computed once for all claims, because a hostile
/// remittance may give thousands of claims the same number.
const MatchPayments::Fitting& MatchPayments::fitting_of(const Remittance& remittance, const RemittanceClaimRecord& paid,
                                                        const NumberedAdvance& advance) {
  using Kind = domain::AnswerKind;
  index_numbers(remittance);
  const auto payers_number =
      advance.is_by_payers_number ? domain::normal_number(paid.claim.payer_claim_number) : std::string();
  const auto [known, is_new] = fitting_.try_emplace({advance.settlement.id, payers_number});
  auto& fit = known->second;
  if (!is_new) return fit;
  const auto positions = namesakes_of(advance, payers_number);
  const Money billed = advance.claim.submitted_amount;
  for (const bool takebacks : {true, false})  // a correction needs the takeback beside it
    for (const auto position : positions) {
      const auto& other = remittance.claims[position].claim;
      const auto answer = domain::answer_of(other);
      // An answer that decides nothing, contradicts itself or refuses a repeat is no part of the decision.
      const bool takes_back = answer.kind == Kind::taken_back;
      const bool decides = answer.kind == Kind::processed || answer.kind == Kind::denied || takes_back;
      if (!decides || !answer.contradiction.empty() || answer.is_repeat_refused || takes_back != takebacks) continue;
      const auto reasons = contradictions(records_, tenant_, remittance.draft, other, advance.claim);
      const bool corrects = reasons == MatchReasons{mismatch::kCharge} && fit.taken_back.whole == billed;
      if (!reasons.empty() && !corrects) continue;
      auto& decided = takes_back ? fit.taken_back : fit.paid;
      (answer.charge < billed ? decided.parts : decided.whole) += answer.charge;
      ++decided.claims;
      fit.is_corrected = fit.is_corrected || corrects;
    }
  return fit;
}

/// Removes the charge from what contradicts for a correction beside the takeback of the whole claim. Adds it for a part
/// beside the whole charge, and for a part of more than the payer has still to decide.
void MatchPayments::weigh_charge(const Remittance& remittance, const RemittanceClaimRecord& paid,
                                 NumberedAdvance& advance) {
  const auto answer = domain::answer_of(paid.claim);
  const bool takes_back = answer.kind == domain::AnswerKind::taken_back;
  const Money charge = answer.charge, billed = advance.claim.submitted_amount;
  if (!takes_back && charge > billed && advance.reasons == MatchReasons{mismatch::kCharge} &&
      fitting_of(remittance, paid, advance).is_corrected)
    advance.reasons.clear();
  if (!advance.reasons.empty() || charge >= billed) return;
  const auto& fit = fitting_of(remittance, paid, advance);
  bool contradicts = (takes_back ? fit.taken_back : fit.paid).whole > Money{};
  const bool is_open = paid.state == State::waiting || paid.state == State::unmatched;
  if (!takes_back && is_open && !answer.paid.is_zero()) {
    const auto position = domain::position_of(records_.reconciliations().of(tenant_, advance.settlement.id));
    contradicts = contradicts || position.charge - fit.taken_back.decided() + charge > billed;
  }
  if (contradicts) advance.reasons.emplace_back(mismatch::kCharge);
}

/// Finds the live settlement of a remittance claim. CLP01 is not unique, so payer, charge, service date and practice
/// must agree, and no other advance may fit. A charge is decided once, possibly in parts, and so is a reversal. When
/// claims with this number exceed the charge, some belong to another claim, and a reviewer has to decide which.
MatchPayments::Judged MatchPayments::judge(const Remittance& remittance, const RemittanceClaimRecord& paid,
                                           bool report) {
  const auto known = records_.claims().find(tenant_, paid.claim.claim_identifier);
  auto advances = numbered_advances(records_, tenant_, remittance.draft, paid.claim);
  for (auto& advance : advances) weigh_charge(remittance, paid, advance);
  const bool is_advanced = !advances.empty() && advances.front().is_exact;
  Judged judged;
  // Two known claims may name one visit, and only one of them may be advanced: such a claim is compared as well.
  judged.is_of_known_claim =
      known && !is_advanced &&
      contradictions(records_, tenant_, remittance.draft, paid.claim, known->claim.draft).empty() &&
      !has_visit_of_another(records_, tenant_, known->claim);
  if (judged.is_of_known_claim) return judged;
  const auto fits = fitting(advances, charge_of(paid.claim));
  if (fits.size() > 1) return judge_several(remittance, paid, fits, report);
  // Only the claim's own number leads to an advance that contradicts. Other forms of it are compared by alike_advances.
  if (fits.empty() && !is_advanced) return judged;
  return judge_one(remittance, paid, fits.empty() ? advances.front() : *fits.front(), report);
}

MatchPayments::Judged MatchPayments::judge_several(const Remittance& remittance, const RemittanceClaimRecord& paid,
                                                   const std::vector<const NumberedAdvance*>& fits, bool report) {
  if (report) {
    for (const auto* advance : fits)
      keep({remittance.id.text(), paid.index}, MatchStep::scored_search, advance->settlement.id.text(),
           MatchVerdict::rejected, {mismatch::kSeveralFit});  // this step makes it a proposal
    open_task_once(unit_, {"match_ambiguous", remittance.id.text(),
                           "The number of a claim fits several advances. Accept the right one."});
  }
  return {std::nullopt, true, fits.front()->settlement.id};
}

MatchPayments::Judged MatchPayments::judge_one(const Remittance& remittance, const RemittanceClaimRecord& paid,
                                               const NumberedAdvance& advance, bool report) {
  const auto& settlement = advance.settlement;
  const Money billed = advance.claim.submitted_amount;
  auto reasons = advance.reasons;
  const auto& fit = fitting_of(remittance, paid, advance);
  const bool takes_back = domain::answer_of(paid.claim).kind == domain::AnswerKind::taken_back;
  const Money decided = (takes_back ? fit.taken_back : fit.paid).decided();
  const bool is_another_s =
      !reasons.empty() && decided >= billed;  // other claims with this number cover the whole charge
  // Together they claim more than the charge: posting all of them would pay a claim twice.
  const bool is_one_correction = !takes_back && fit.is_corrected && fit.paid.claims == 1;
  const bool several_fit = reasons.empty() && decided > billed && !is_one_correction;
  if (several_fit) reasons.emplace_back(mismatch::kSeveralFit);
  const bool fits = reasons.empty();
  // A later payer's share is credited to the provider, as long as all payments stay within the charge.
  const bool is_share = is_another_payers_share(paid.claim, reasons) &&
                        above_charge(records_, tenant_, settlement, paid.claim.paid_amount) <= Money{};
  const bool may_be_ours = fits || !(is_another_s || is_share);
  if (report && !fits && may_be_ours)
    open_task_once(
        unit_, {"match_ambiguous", remittance.id.text(),
                remittance.draft.payer_id.empty() ? kRemitterUnknown
                : several_fit                     ? "Several claims of this remittance fit one settlement."
                              : "A claim has the number of an advanced one, but another payer, charge, service date or "
                                "practice."});
  // An advance with the number in another form is a proposal only by the step of the search.
  const auto step = fits || advance.is_exact ? MatchStep::claim_identifier : MatchStep::scored_search;
  if (report && (!fits || paid.settlement != settlement.id))  // otherwise the trail has it already
    keep({remittance.id.text(), paid.index}, step, settlement.id.text(),
         fits ? MatchVerdict::taken : MatchVerdict::rejected, std::move(reasons));
  if (!fits) return {std::nullopt, may_be_ours, settlement.id};
  return {AllocationTarget{settlement, billed}, true, settlement.id};
}

}  // namespace tideover::usecases
