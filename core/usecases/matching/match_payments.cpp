#include "core/usecases/matching/match_payments.hpp"

#include <algorithm>
#include <set>

#include "core/domain/reconciliation/carried_balance.hpp"
#include "core/usecases/request/tasks.hpp"

namespace tideover::usecases {
namespace {

using domain::Deposit;
using domain::MatchStep;
using domain::MatchVerdict;
using domain::Money;
using domain::Remittance;
using domain::RemittanceClaimRecord;
using domain::Settlement;
using State = domain::RemittanceClaimRecord::State;

constexpr const char* kPayerUnknown =
    "The payer of this deposit is unknown. Assign the payer (assign_payer), or wait for its remittance.";

constexpr const char* kSeveralPayers =
    "The payer of this remittance is unknown, and its claims are of several payers: held. Assign the payer "
    "(assign_payer).";

/// Read at once: remittances that recovered a forward balance before it was announced.
constexpr std::size_t kRecoveriesPerPage = 200;

/// Remittances that a reviewer was asked about because of an advance that then ended.
constexpr std::size_t kMostAsked = 1000;

constexpr const char* kSums =
    "Deposits of this payer add up to a remittance, but their trace numbers do not say so. Accept the right proposal.";

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
    if (found != Found::one && may_be_sum(deposit.payer_id, deposit.id.text(), matching_days(deposit)))
      return open_task("match_ambiguous", deposit.id.text(), kSums);
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
  const auto& announced = remittance.draft.payment_date;
  const bool is_in_sum = by_amount != Found::several && !is_unknown && announced &&
                         may_be_sum(remittance.draft.payer_id, remittance.id.text(), matching_days(*announced));
  const auto alone = by_amount == Found::several || is_in_sum ? Found::none : find_money_posted_alone(remittance);
  if (alone == Found::one) return;
  // Nothing matched: tell the reviewer what came close.
  if (by_trace == Found::none_that_fits) report_namesakes(remittance);
  report_alike_trace(remittance);
  if (is_unknown && remittance.draft.trace_number.empty())
    open_task("match_ambiguous", remittance.id.text(), kRemitterUnknown);
  if (by_amount == Found::several || alone == Found::several)
    open_task("match_ambiguous", remittance.id.text(),
              "Several deposits fit payer, amount and date. Accept the right one.");
  if (is_in_sum) open_task("match_ambiguous", remittance.id.text(), kSums);
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
  const auto waiting = waiting_for(settlement.id);
  reevaluate({waiting.begin(), waiting.end()});
  reevaluate_waiting();
}

void MatchPayments::settlement_ended(const domain::SettlementId& settlement) {
  auto waiting = waiting_for(settlement);
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
    if (records_.postings().set_again(tenant_, id, true)) continue;
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
  // Posting may free further remittances, so repeat until no new record or balance appears.
  for (auto payers = posting_.take_forwarded_payers(); reevaluated_ < posted.size() || !payers.empty();) {
    // Many records may free the same waiting remittance: re-evaluate it once for all of them.
    std::set<domain::SettlementId> settlements;
    for (; reevaluated_ < posted.size(); ++reevaluated_) settlements.insert(posted[reevaluated_].settlement);
    std::set<domain::RemittanceId> waiting;
    for (const auto& settlement : settlements)
      for (auto& id : waiting_for(settlement)) waiting.insert(std::move(id));
    reevaluate(waiting);
    for (const auto& payer : payers) use_balances(payer);
    payers = posting_.take_forwarded_payers();
  }
}

std::vector<domain::RemittanceId> MatchPayments::waiting_for(const domain::SettlementId& settlement) const {
  auto waiting = records_.remittances().waiting_for(tenant_, settlement);
  for (auto& id : records_.matches().held_recoveries(tenant_, settlement, kMostHeldRecoveries))
    waiting.push_back(std::move(id));
  return waiting;
}

void MatchPayments::use_balances(const std::string& payer) {
  auto balances = balances_of(records_, tenant_, payer);
  domain::RemittanceId last;
  for (bool is_end = balances.empty(); !is_end;) {
    const auto page = records_.allocations().charged_recoveries(tenant_, payer, last, kRecoveriesPerPage);
    for (const auto& id : page) {
      auto remittance = with_claims(id);
      if (!may_use(records_, tenant_, remittance, balances)) continue;
      if (finish_posting(id)) remittance = with_claims(id);
      auto pool = FundsPool::of(records_, tenant_, remittance.deposit);
      if (!posting_.use_balances(remittance, targets_of(remittance, false), pool.money(),
                                 pool.money() ? name_of(joined_by(remittance)) : name_of(MatchStep::claim_identifier)))
        continue;
      pool.keep(records_, tenant_);
      has_reevaluated_ = true;
      balances = balances_of(records_, tenant_, payer);
      if (balances.empty()) return;
    }
    is_end = page.size() < kRecoveriesPerPage;
    if (!is_end) last = page.back();
  }
}

void MatchPayments::reevaluate(const std::set<domain::RemittanceId>& waiting) {
  for (const auto& id : waiting) {
    if (records_.postings().set_again(tenant_, id, true)) continue;  // its posting looks at all claims again
    auto remittance = with_claims(id);
    reevaluate(remittance, [&](const AllocationTargets& targets, const Deposit* money) {
      return posting_.may_post(remittance, targets, money);
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
  std::vector<RemittanceClaimRecord> unmatched;
  for (const auto& paid : remittance.claims)
    if (paid.state == State::unmatched) unmatched.push_back(paid);
  auto answered = answered_before(records_, tenant_, remittance);
  const auto targets =
      targets_of({remittance, unmatched, released_claims(records_, tenant_, remittance), answered}, false);
  for (std::size_t i = 0; i < unmatched.size(); ++i)
    if (targets.ownership[i] == AllocationTargets::Ownership::in_question ||
        (targets.ownership[i] == AllocationTargets::Ownership::of_advance && !unmatched[i].claim.paid_amount.is_zero()))
      return true;
  return false;
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
  std::set<int> allocated;
  for (const auto& row : domain::standing(records_.allocations().of(tenant_, remittance.id)))
    if (row.line == domain::AllocationLine::claim) allocated.insert(row.index);
  for (auto& paid : remittance.claims) {
    if (paid.state != State::unmatched || allocated.contains(paid.index)) continue;
    paid.state = State::waiting;
    records_.remittances().update_claim(tenant_, remittance.id, paid);
  }
}

domain::Status MatchPayments::join(Remittance& remittance, FundsPool pool, MatchStep step,
                                   const domain::TaskId* accepts_short) {
  auto& money = *pool.money();
  // Before the claims are compared: an unknown payer fits no advance.
  if (remittance.draft.payer_id.empty() && !money.payer_id.empty() &&
      !has_claims_of_several_payers(records_, tenant_, remittance))
    take_payer_of(money, remittance);
  remittance.deposit = money.id;
  records_.remittances().link_deposit(tenant_, remittance.id, money.id);
  close_tasks(unit_, "match_ambiguous", remittance.id.text(), "matched");
  for (const auto& part : pool.parts())
    for (const char* kind : {"deposit_unmatched", "match_ambiguous"})
      close_tasks(unit_, kind, part.id.text(), "matched");
  if (!accepts_short && is_long(remittance, money))
    start_posting(remittance, step);
  else if (!accepts_short)
    post_claims(remittance, &money, step);
  else if (auto posted = posting_.post_short(remittance, targets_of(remittance, true), &money, *accepts_short); !posted)
    return posted;
  // Even a deposit whose remittance has no advanced claim is announced: no other remittance may take it.
  if (money.status == domain::MatchState::unmatched) money.status = domain::MatchState::partly_matched;
  pool.keep(records_, tenant_);
  return {};
}

void MatchPayments::post_claims(Remittance& remittance, Deposit* deposit, MatchStep step) {
  if (has_claims_of_several_payers(records_, tenant_, remittance))
    return open_task("match_ambiguous", remittance.id.text(), kSeveralPayers);
  posting_.post(remittance, targets_of(remittance, true), deposit, name_of(step));
}

void MatchPayments::open_task(const char* kind, const std::string& object, std::string note) {
  usecases::open_task(unit_, {kind, object, std::move(note)});
}

}  // namespace tideover::usecases
