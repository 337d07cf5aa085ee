#include "core/usecases/matching/match_payments.hpp"

#include <algorithm>
#include <set>

#include "core/domain/reconciliation/answer.hpp"
#include "core/domain/reconciliation/carried_balance.hpp"
#include "core/usecases/claims/move_claim_status.hpp"
#include "core/usecases/request/tasks.hpp"

namespace tideover::usecases {
namespace {

using domain::Deposit;
using domain::MatchReasons;
using domain::MatchStep;
using domain::MatchVerdict;
using domain::Money;
using domain::Remittance;
using domain::RemittanceClaimRecord;
using domain::Settlement;
using State = domain::RemittanceClaimRecord::State;
namespace mismatch = domain::mismatch;

constexpr const char* kPayerUnknown =
    "The payer of this deposit is unknown. Assign the payer (assign_payer), or wait for its remittance.";

/// Remittances that may have recovered a forward balance before it was announced.
constexpr std::size_t kMostTaking = 200;

/// Remittances that a reviewer was asked about because of an advance that then ended.
constexpr std::size_t kMostAsked = 1000;

constexpr const char* kSeveralSums = "Deposits of this payer add up to remittances in several ways.";

/// A secondary or tertiary payment (CLP02) is credited to the provider: the advance covers what the primary payer owes.
bool is_another_payers_share(const domain::RemittanceClaim& paid, const MatchReasons& reasons) {
  return domain::is_behind_another_payer(paid.status) && reasons == MatchReasons{mismatch::kPayer};
}

}  // namespace

void MatchPayments::deposit_arrived(Deposit& deposit) {
  find_remittance(deposit);
  reevaluate_waiting();
}

void MatchPayments::remittance_arrived(Remittance& remittance) {
  find_money(remittance);
  if (!remittance.deposit && remittance.draft.payment_amount > Money{} && balance_of(remittance.draft).balanced())
    announce(remittance);
  reevaluate_waiting();
}

void MatchPayments::find_remittance(Deposit& deposit) {
  // The trace number is the strongest evidence, so a deposit with several fitting remittances goes to a reviewer now.
  auto by_trace = Found::none;
  if (!deposit.trace_number.empty()) by_trace = find_remittance_by_trace(deposit);
  if (by_trace == Found::one) return;
  if (by_trace == Found::several)
    return open_task("match_ambiguous", deposit.id.text(),
                     "Several remittances have this trace number and amount. Accept the right one.");

  // Without a known payer an amount proves nothing: the weaker steps are skipped.
  if (!deposit.payer_id.empty()) {
    auto found = find_remittance_by_amount(deposit);
    if (found == Found::several)
      return open_task("match_ambiguous", deposit.id.text(),
                       "Several remittances fit payer, amount and date. Accept the right one.");
    if (found != Found::one) found = find_sum_of(deposit);
    if (found == Found::several) return open_task("match_ambiguous", deposit.id.text(), kSeveralSums);
    // A deposit with a trace number waits in suspense for the remittance of that number.
    if (found != Found::one && deposit.trace_number.empty()) found = find_settlement(deposit);
    if (found == Found::several)
      return open_task("deposit_unmatched", deposit.id.text(),
                       "Several settlements fit payer, amount and date. Accept the right one.");
    if (found == Found::one) return;
  }
  if (deposit.payer_id.empty())
    open_task("deposit_unmatched", deposit.id.text(), kPayerUnknown);
  else if (by_trace == Found::none_that_fits)
    open_task("deposit_unmatched", deposit.id.text(), kNamesakeDiffers);
  else if (deposit.trace_number.empty())
    open_task("deposit_unmatched", deposit.id.text(), "No remittance or settlement fits payer, amount and date.");
  else
    report_alike_trace(deposit);
}

void MatchPayments::find_money(Remittance& remittance) {
  report_reused_trace(remittance);
  if (!balance_of(remittance.draft).balanced())
    return open_task(
        "remittance_unbalanced", remittance.id.text(),
        "The claims less the provider adjustments differ from the payment: held. Wait for a corrected remittance.");
  // The claim's status follows the payer's answer, even before the money comes.
  move_statuses(remittance);
  // A remittance that only takes back comes without money: the payer withholds the amount from later payments.
  const bool is_unknown = remittance.draft.payer_id.empty();
  if (remittance.draft.payment_amount <= Money{}) {
    if (is_unknown && !domain::carries_of(remittance.draft).is_zero())
      open_task("match_ambiguous", remittance.id.text(), kRemitterUnknown);
    return post_claims(remittance, nullptr, MatchStep::claim_identifier);
  }

  // From strong to weak evidence: trace number, late confirmation, amount and date, sums, money posted alone.
  const auto by_trace = remittance.draft.trace_number.empty() ? Found::none : find_money_by_trace(remittance);
  if (by_trace == Found::one || announce_late(remittance)) return;
  if (by_trace == Found::several)
    return open_task("match_ambiguous", remittance.id.text(),
                     "Several deposits have this trace number and amount. Accept the right one.");
  const auto by_amount = find_money_by_amount(remittance);
  if (by_amount == Found::one) return;
  const auto in_sum = by_amount == Found::several ? Found::none : find_sum_of(remittance);
  if (in_sum == Found::one) return;
  const auto alone =
      by_amount == Found::several || in_sum == Found::several ? Found::none : find_money_posted_alone(remittance);
  if (alone == Found::one) return;
  // Nothing matched: tell the reviewer what came close.
  if (by_trace == Found::none_that_fits) report_namesakes(remittance);
  report_alike_trace(remittance);
  if (is_unknown && remittance.draft.trace_number.empty())
    open_task("match_ambiguous", remittance.id.text(), kRemitterUnknown);
  if (by_amount == Found::several || alone == Found::several)
    open_task("match_ambiguous", remittance.id.text(),
              "Several deposits fit payer, amount and date. Accept the right one.");
  if (in_sum == Found::several) open_task("match_ambiguous", remittance.id.text(), kSeveralSums);
}

void MatchPayments::announce(Remittance& remittance) {
  for (auto& paid : remittance.claims) {
    const auto target = judge(remittance, paid, false).target;
    if (!target || paid.settlement) continue;
    keep({remittance.id.text(), paid.index}, MatchStep::claim_identifier, target->settlement.id.text(),
         MatchVerdict::taken, {});
    paid.settlement = target->settlement.id;
    records_.remittances().update_claim(tenant_, remittance.id, paid);
  }
}

void MatchPayments::settlement_funded(const Settlement& settlement) {
  const auto waiting = records_.remittances().waiting_for(tenant_, settlement.id);
  reevaluate({waiting.begin(), waiting.end()});
  reevaluate_waiting();
}

void MatchPayments::settlement_ended(const domain::SettlementId& settlement) {
  auto waiting = records_.remittances().waiting_for(tenant_, settlement);
  // Unmatched claims that a reviewer was asked about because of this advance no longer belong to it.
  for (const auto& asked : records_.matches().remittances_about(tenant_, settlement, kMostAsked)) {
    const auto remittance = with_claims(asked);
    if (std::any_of(remittance.claims.begin(), remittance.claims.end(),
                    [](const auto& paid) { return paid.state == State::unmatched; }))
      waiting.push_back(asked);
  }
  // Nothing waits for the advance: its end needs no guard.
  if (waiting.empty()) return;
  records_.clients().guard_matching(tenant_);
  // A set, because both searches may find the same remittance.
  for (const auto& id : std::set(waiting.begin(), waiting.end())) {
    auto remittance = with_claims(id);
    reevaluate(remittance,
               [&](const AllocationTargets&, const Deposit*) { return balance_of(remittance.draft).balanced(); });
  }
  reevaluate_waiting();
}

void MatchPayments::payer_assigned(Deposit& deposit, const std::string& payer_id) {
  deposit.payer_id = payer_id;
  records_.deposits().set_payer(tenant_, deposit.id, payer_id);
  deposit_arrived(deposit);
}

void MatchPayments::payer_assigned(Remittance& remittance, const std::string& payer_id) {
  remittance.draft.payer_id = payer_id;
  records_.remittances().set_payer(tenant_, remittance.id, payer_id);
  // The money has not come: search for it under this payer. Otherwise only the claims are compared again.
  if (!remittance.deposit && remittance.draft.payment_amount > Money{}) return remittance_arrived(remittance);
  move_statuses(remittance);
  reopen_claims(remittance);
  reevaluate(remittance,
             [&](const AllocationTargets&, const Deposit*) { return balance_of(remittance.draft).balanced(); });
  reevaluate_waiting();
}

void MatchPayments::reevaluate_waiting() {
  const auto& posted = booking_.posted();
  const auto& forwarded_payers = booking_.forwarded_payers();
  // Posting may free further remittances, so repeat until no new record or balance appears.
  while (reevaluated_ < posted.size() || balances_seen_ < forwarded_payers.size()) {
    if (reevaluated_ < posted.size()) {
      // Many records may free the same waiting remittance: re-evaluate it once for all of them.
      std::set<domain::RemittanceId> waiting;
      for (; reevaluated_ < posted.size(); ++reevaluated_)
        for (auto& id : records_.remittances().waiting_for(tenant_, posted[reevaluated_].settlement))
          waiting.insert(std::move(id));
      reevaluate(waiting);
    } else {
      const auto payer = forwarded_payers[balances_seen_++];  // a copy: posting appends to the list
      for (const auto& id : records_.remittances().taking_of(tenant_, payer, kMostTaking)) {
        // The balance is used up, so no further remittance can recover it.
        if (records_.remittances().carried_by(tenant_, payer) <= Money{}) break;
        auto remittance = with_claims(id);
        reevaluate(remittance, [&](const AllocationTargets& targets, const Deposit* money) {
          return balance_of(remittance.draft).balanced() && booking_.covers(remittance, targets, money);
        });
      }
    }
  }
}

void MatchPayments::reevaluate(const std::set<domain::RemittanceId>& waiting) {
  for (const auto& id : waiting) {
    auto remittance = with_claims(id);
    reevaluate(remittance, [&](const AllocationTargets& targets, const Deposit* money) {
      return booking_.may_book(remittance, targets, money);
    });
  }
}

template <class May>
void MatchPayments::reevaluate(Remittance& remittance, May may) {
  if (!remittance.deposit && remittance.draft.payment_amount > Money{})
    return;  // it waits for its money, even when its claims with a target net to a takeback
  auto pool = FundsPool::of(records_, tenant_, remittance.deposit);
  auto* money = pool.money();
  if (!may(targets_of(remittance, false), money)) return;
  has_reevaluated_ = true;
  if (!holds_open_question(remittance)) close_tasks(unit_, "match_ambiguous", remittance.id.text(), "matched");
  post_claims(remittance, money, money ? joined_by(remittance) : MatchStep::claim_identifier);
  pool.keep(records_, tenant_);
}

/// Whether a claim with the number of an advanced claim is unmatched: its task stays open.
bool MatchPayments::holds_open_question(const Remittance& remittance) {
  const auto targets = targets_of(remittance, false);
  return std::any_of(remittance.claims.begin(), remittance.claims.end(), [&](const RemittanceClaimRecord& paid) {
    const auto ownership = targets.ownership[static_cast<std::size_t>(paid.index)];
    return paid.state == State::unmatched &&
           (ownership == AllocationTargets::Ownership::in_question ||
            (ownership == AllocationTargets::Ownership::of_advance && !paid.claim.paid_amount.is_zero()));
  });
}

// Posting of matched money.

void MatchPayments::join(Remittance& remittance, Deposit& deposit, MatchStep step) {
  (void)join(remittance, FundsPool::pool({deposit}), step);  // cannot fail: no loss is accepted
  deposit = *records_.deposits().find(tenant_, deposit.id);
}

/// The payer of the deposit is the payer of the remittance: its claims are compared with advances on that payer.
void MatchPayments::take_payer_of(const Deposit& money, Remittance& remittance) {
  remittance.draft.payer_id = money.payer_id;
  records_.remittances().set_payer(tenant_, remittance.id, money.payer_id);
  keep({remittance.id.text()}, MatchStep::trace_number, "", MatchVerdict::taken, {kPayerOfMoney});
  numbered_ = {};  // the cached charges depend on the payer
  move_statuses(remittance);
}

void MatchPayments::reopen_claims(Remittance& remittance) {
  for (auto& paid : remittance.claims) {
    if (paid.state != State::unmatched) continue;
    paid.state = State::waiting;
    records_.remittances().update_claim(tenant_, remittance.id, paid);
  }
}

domain::Status MatchPayments::join(Remittance& remittance, FundsPool pool, MatchStep step, Missing missing) {
  auto& money = *pool.money();
  // Before the claims are compared: an unknown payer fits no advance.
  if (remittance.draft.payer_id.empty() && !money.payer_id.empty()) take_payer_of(money, remittance);
  remittance.deposit = money.id;
  records_.remittances().link_deposit(tenant_, remittance.id, money.id);
  close_tasks(unit_, "match_ambiguous", remittance.id.text(), "matched");
  for (const auto& part : pool.parts())
    for (const char* kind : {"deposit_unmatched", "match_ambiguous"})
      close_tasks(unit_, kind, part.id.text(), "matched");
  // Book the loss before the claims: then the money covers them.
  if (missing == Missing::is_a_loss)
    if (auto accepted = booking_.accept_missing(remittance, targets_of(remittance, false), &money); !accepted)
      return accepted;
  post_claims(remittance, &money, step);
  // Even a deposit whose remittance has no advanced claim is announced: no other remittance may take it.
  if (money.status == domain::MatchState::unmatched) money.status = domain::MatchState::partly_matched;
  pool.keep(records_, tenant_);
  return {};
}

void MatchPayments::post_claims(Remittance& remittance, Deposit* deposit, MatchStep step) {
  booking_.post_claims(remittance, targets_of(remittance, true), deposit, name_of(step));
}

AllocationTargets MatchPayments::targets_of(const Remittance& remittance, bool report) {
  using Ownership = AllocationTargets::Ownership;
  AllocationTargets targets;
  const auto released = released_claims(records_, tenant_, remittance);
  std::vector<Judged> judged;
  std::map<domain::SettlementId, Money> paid_by_number;
  std::set<domain::SettlementId>
      answered;  // paid in full by their own number: charge and date match no other claim with them
  for (const auto& paid : remittance.claims) {
    auto& one = judged.emplace_back();
    // A released claim stays with the provider and is not compared again.
    if (!released.contains(paid.index)) one = judge(remittance, paid, report && paid.state == State::waiting);
    if (!one.target) continue;
    const auto& id = one.target->settlement.id;
    const auto& terms = one.target->settlement.terms;
    if ((paid_by_number[id] += paid.claim.paid_amount) >= terms.advance_amount + terms.fee_estimate)
      answered.insert(id);
  }
  // A claim stays in question until a reviewer decides, even when the advance is paid in the meantime.
  std::map<int, std::vector<domain::SettlementId>> asked;
  if (std::any_of(remittance.claims.begin(), remittance.claims.end(),
                  [](const auto& paid) { return paid.state == State::unmatched; }))
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
    const auto& paid = remittance.claims[i];
    auto& [target, may_be_ours, except, is_of_known_claim] = judged[i];
    // A claim without an advance that was credited to the provider stays so, whatever is advanced later.
    const bool is_open =
        paid.state == State::waiting ||
        (paid.state == State::unmatched && (asked.contains(paid.index) || remittance.paid_to_provider.is_zero()));
    if (is_open && !target && !may_be_ours && !released.contains(paid.index))
      may_be_ours = is_asked(paid) ||
                    is_alike(remittance, paid, {remittance.draft, paid.claim, is_of_known_claim, answered, except},
                             report && paid.state == State::waiting);
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
        move_status(remittance, paid.claim);
}

void MatchPayments::move_status(const Remittance& remittance, const domain::RemittanceClaim& paid) {
  const auto status = domain::claim_status_of(domain::answer_of(paid));
  const auto claim = status ? claim_of(paid) : std::nullopt;
  // A repeated or outdated answer moves nothing.
  if (!claim || !domain::may_move(claim->status.status, *status, domain::StatusSource::payer)) return;
  if (!is_about(remittance.draft, paid, claim->claim)) return;
  if (!move_claim_status(unit_, claim->status, *status, domain::StatusSource::payer)) collided_ = true;
}

/// Compares with the claim as it is billed now, and as it was when it was advanced.
bool MatchPayments::is_about(const domain::RemittanceDraft& draft, const domain::RemittanceClaim& paid,
                             const domain::Claim& claim) const {
  if (differences(draft, paid, claim.draft).empty()) return true;
  const auto live = records_.settlements().live_of(tenant_, claim.id);
  return live && differences(draft, paid, as_advanced(claim.draft, live->settlement)).empty();
}

/// The step `claim_identifier`: the patient control number, then the payer's claim number.
std::optional<ports::StoredClaim> MatchPayments::claim_of(const domain::RemittanceClaim& paid) const {
  auto claim = records_.claims().find(tenant_, paid.claim_identifier);
  if (!claim && !paid.payer_claim_number.empty()) claim = records_.claims().find(tenant_, paid.payer_claim_number);
  return claim;
}

/// The sum of charges under this number that the remittance decides on, or takes back, for this claim. Computed once
/// for all of them, because a hostile remittance may give thousands of claims the same number.
Money MatchPayments::fitting_charge(const Remittance& remittance, const RemittanceClaimRecord& paid,
                                    const domain::ClaimId& id, const domain::ClaimDraft& claim) {
  if (numbered_ != remittance.id) {
    numbered_ = remittance.id;
    by_number_.clear();
    for (std::size_t i = 0; i < remittance.claims.size(); ++i)
      by_number_[remittance.claims[i].claim.claim_identifier].positions.push_back(i);
  }
  auto& namesakes = by_number_[paid.claim.claim_identifier];
  const auto [fitting, is_new] = namesakes.fitting.try_emplace(id);
  auto& [charge, taken_back] = fitting->second;
  if (is_new)
    for (const auto position : namesakes.positions) {
      const auto& other = remittance.claims[position].claim;
      const auto answer = domain::answer_of(other);
      // An answer that decides nothing, or contradicts itself, is no part of the decision.
      using Kind = domain::AnswerKind;
      const bool decides =
          answer.kind == Kind::processed || answer.kind == Kind::denied || answer.kind == Kind::taken_back;
      if (!decides || !answer.contradiction.empty()) continue;
      if (differences(remittance.draft, other, claim).empty())
        (answer.kind == domain::AnswerKind::taken_back ? taken_back : charge) += answer.charge;
    }
  return domain::answer_of(paid.claim).kind == domain::AnswerKind::taken_back ? taken_back : charge;
}

/// Finds the live settlement of a remittance claim. CLP01 is not unique, so payer, charge and service date must agree.
/// A charge is decided once, possibly in parts, and so is a reversal. When claims with this number exceed the charge,
/// some belong to another claim, and a reviewer has to decide which.
MatchPayments::Judged MatchPayments::judge(const Remittance& remittance, const RemittanceClaimRecord& paid,
                                           bool report) {
  const auto claim = claim_of(paid.claim);
  const auto live = claim ? records_.settlements().live_of(tenant_, claim->claim.id) : std::nullopt;
  if (!live) {
    Judged judged;
    // Two known claims may name one visit, and only one of them may be advanced: such a claim is compared as well.
    judged.is_of_known_claim = claim && differences(remittance.draft, paid.claim, claim->claim.draft).empty() &&
                               !has_visit_of_another(records_, tenant_, claim->claim);
    return judged;
  }
  const auto draft = as_advanced(claim->claim.draft, live->settlement);
  auto reasons = differences(remittance.draft, paid.claim, draft);
  const Money fitting = fitting_charge(remittance, paid, claim->claim.id, draft);
  const bool is_another_s =
      !reasons.empty() && fitting >= draft.submitted_amount;  // other claims with this number cover the whole charge
  // Together they claim more than the charge: posting all of them would pay a claim twice.
  const bool several_fit = reasons.empty() && fitting > draft.submitted_amount;
  if (several_fit) reasons.emplace_back(mismatch::kSeveralFit);
  const bool fits = reasons.empty();
  // A later payer's share is credited to the provider, as long as all payments stay within the charge.
  const bool is_share = is_another_payers_share(paid.claim, reasons) &&
                        above_charge(records_, tenant_, live->settlement, paid.claim.paid_amount) <= Money{};
  const bool may_be_ours = fits || !(is_another_s || is_share);
  if (report && !fits && may_be_ours)
    open_task_once(
        unit_,
        {"match_ambiguous", remittance.id.text(),
         remittance.draft.payer_id.empty() ? kRemitterUnknown
         : several_fit                     ? "Several claims of this remittance fit one settlement."
                       : "A claim has the number of an advanced one, but another payer, charge or service date."});
  if (report && (!fits || paid.settlement != live->settlement.id))  // otherwise the trail has it already
    keep({remittance.id.text(), paid.index}, MatchStep::claim_identifier, live->settlement.id.text(),
         fits ? MatchVerdict::taken : MatchVerdict::rejected, std::move(reasons));
  if (!fits) return {std::nullopt, may_be_ours, live->settlement.id};
  return {AllocationTarget{live->settlement, draft.submitted_amount}, true, live->settlement.id};
}

void MatchPayments::open_task(const char* kind, const std::string& object, std::string note) {
  usecases::open_task(unit_, {kind, object, std::move(note)});
}

}  // namespace tideover::usecases
