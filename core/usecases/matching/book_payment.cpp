#include "core/usecases/matching/book_payment.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "core/domain/basics/within.hpp"
#include "core/domain/reconciliation/answer.hpp"
#include "core/domain/reconciliation/carried_balance.hpp"
#include "core/domain/reconciliation/ledger.hpp"
#include "core/domain/reconciliation/match.hpp"
#include "core/faults/crash_point.hpp"
#include "core/usecases/matching/funds_pool.hpp"
#include "core/usecases/matching/residual_due.hpp"
#include "core/usecases/request/tasks.hpp"

namespace tideover::usecases {

namespace {

using domain::Deposit;
using domain::Money;
using domain::PaymentKind;
using domain::Remittance;
using domain::RemittanceClaimRecord;
using State = RemittanceClaimRecord::State;
using Ownership = AllocationTargets::Ownership;

/// Whether the answer moves no money when it pays nothing: a reversal, a forwarded or a predetermined claim.
bool moves_nothing(const domain::RemittanceClaim& claim) {
  using Kind = domain::AnswerKind;
  const auto answer = domain::answer_of(claim);
  return answer.contradiction.empty() &&
         (answer.kind == Kind::taken_back || answer.kind == Kind::forwarded || answer.kind == Kind::predetermined);
}

/// A takeback reverses a decided charge. Payers write that charge with either sign.
domain::Payment payment_of(const domain::RemittanceClaim& claim, PaymentKind kind) {
  const Money charge = domain::answer_of(claim).charge;
  return {claim.paid_amount, kind, kind == PaymentKind::taken_back ? -charge : charge};
}

/// Whether a payment of nothing denies what was decided before with a payment. It changes nothing then.
bool repeats_decision(const domain::RemittanceClaim& claim, const domain::Position& position, Money billed) {
  const auto answer = domain::answer_of(claim);
  if (position.paid <= Money{}) return false;
  return answer.is_repeat_refused ||
         (answer.kind == domain::AnswerKind::denied && position.charge + answer.charge > billed);
}

std::string not_processed(const domain::RemittanceClaim& claim) {
  const auto contradiction = domain::answer_of(claim).contradiction;
  if (contradiction.empty()) return "The claim status does not allow automatic posting (CLP02 " + claim.status + ").";
  return "The answer to a claim (CLP02 " + claim.status + ") contradicts itself: " + std::string(contradiction) +
         ". Only a reviewer can post it.";
}

/// Whether a claim with a target is not posted yet.
bool waits(const Remittance& remittance, const AllocationTargets& targets) {
  for (std::size_t i = 0; i < targets.of.size(); ++i)
    if (targets[i] && remittance.claims[i].state == State::waiting) return true;
  return false;
}

void spend(Deposit& deposit, Money amount) {
  deposit.matched_amount += amount;
  deposit.status =
      deposit.matched_amount == deposit.amount ? domain::MatchState::matched : domain::MatchState::partly_matched;
}

}  // namespace

void BookPayment::post_claims(Remittance& remittance, const AllocationTargets& targets, Deposit* deposit,
                              std::string_view matched_by) {
  // All or nothing: with too little money, no rule says which claim of the remittance stays unpaid.
  const bool covered = covers(remittance, targets, deposit);
  std::set<domain::SettlementId> unreversed;  // their corrections wait for the takeback in this remittance
  if (!covered)
    open_task(remittance,
              "The claims of this remittance pay more than its money and takebacks: held. Wait for the missing money, "
              "or accept it as a loss (accept_short).");
  // Takebacks go first: they free the money and the position that corrections in the same remittance need.
  for (const bool takebacks : {true, false})
    for (std::size_t i = 0; i < remittance.claims.size(); ++i) {
      auto& paid = remittance.claims[i];
      if (paid.state != State::waiting || (paid.claim.paid_amount < Money{}) != takebacks) continue;
      paid.settlement.reset();
      if (targets[i]) paid.settlement = targets[i]->settlement.id;  // its events re-evaluate this remittance
      if (covered && is_funded(targets[i]) && !unreversed.contains(*paid.settlement))
        claim(*targets[i], remittance, paid, deposit, matched_by);
      if (takebacks && targets[i] && paid.state == State::waiting) unreversed.insert(*paid.settlement);
      if (covered && !targets[i]) paid.state = State::unmatched;
      records_.remittances().update_claim(tenant_, remittance.id, paid);
    }
  records_.remittances().update_status(tenant_, remittance);
  if (covered) adjust(remittance, targets, deposit);
}

void BookPayment::adjust(Remittance& remittance, const AllocationTargets& targets, Deposit* deposit) {
  const Money carries = domain::carries_of(remittance.draft);
  const auto cover = cover_of(records_, tenant_, remittance, targets, deposit);
  Money carried = -cover.takes;
  const Money left = cover.left - kept_for_reviewers(remittance, targets);
  // A forward balance is posted only when no claim waits: until then its amount may still pay an advance.
  if (carries > remittance.carried && !remittance.draft.payer_id.empty() && !waits(remittance, targets))
    carried = domain::within(left, Money{}, carries - remittance.carried);
  // Provider adjustments come first, then the payments of claims without an advance, as far as the money suffices.
  const Money beside = std::max(domain::beside_claims_of(remittance.draft), Money{}),
              first = std::max(beside - remittance.paid_to_provider, Money{});
  // Recovering a forward balance (negative `carried`) adds no spare money: cover_of() counted it already.
  Money spare = std::max(left - std::max(carried, Money{}), Money{});
  // A loss that was accepted is reversed when more money comes than the advances need.
  const Money restored = std::min(remittance.withheld, spare);
  spare -= restored;
  const Money not_advanced = std::max(unposted(remittance, targets, Ownership::not_advanced), Money{}) +
                             unposted(remittance, targets, Ownership::released);
  const Money unadvanced =
      std::min(spare, std::max(beside + not_advanced - std::max(remittance.paid_to_provider, beside), Money{}));
  const Money paid = first + unadvanced;
  if (carries > remittance.carried && remittance.draft.payer_id.empty()) open_task(remittance, kRemitterUnknown);
  book_adjustments(remittance, carried, paid, deposit);
  book_loss(remittance, -restored, deposit);
}

domain::Status BookPayment::accept_missing(Remittance& remittance, const AllocationTargets& targets, Deposit* deposit) {
  const Money missing = std::max(Money{}, -left_over(records_, tenant_, remittance, targets, deposit));
  if (missing > acceptable_loss(records_, tenant_, remittance, targets))
    return domain::Error::of(
               domain::ErrorCode::invalid_state,
               "More money is missing than the advances and fees that this remittance pays back. A loss must "
               "not pay the provider. Wait for the money or for the payer's correction.")
        .with("remittance_id", remittance.id.text());
  // Within the limit the loss repays only advances and fees. No part of it reaches the provider.
  book_loss(remittance, missing, deposit);
  return {};
}

void BookPayment::book_loss(Remittance& remittance, Money loss, Deposit* deposit) {
  if (loss.is_zero()) return;
  domain::LedgerTransaction entry;
  entry.id = ids_.next<domain::LedgerTransactionId>();
  // The funder bears the loss: it moves into suspense, from where the claims are posted as if the money had come.
  entry.cause_kind = "withholding";
  entry.cause_id = remittance.id.text();
  entry.at = now_;
  entry.debit(std::string(domain::account::kLossOnReceivable), loss);
  // The loss adds funds that never came: spend() gets a negative amount, so that the claims can be posted in full.
  entry.credit(std::string(domain::account::kSuspenseUnmatched), loss);
  records_.ledger().append(tenant_, entry);
  remittance.withheld += loss;
  records_.remittances().update_adjustments(tenant_, remittance);
  if (deposit) spend(*deposit, -loss);
}

domain::Status BookPayment::undo_release(Deposit& deposit) {
  if (auto owed = owes(deposit.released, deposit.id.text()); !owed) return owed;
  book_release(deposit, -deposit.released);
  return {};
}

domain::Status BookPayment::undo_release(Remittance& remittance, Money amount, Deposit* deposit) {
  if (remittance.paid_to_provider < amount)
    return domain::Error::of(domain::ErrorCode::invalid_state, "This money is no longer credited to the provider.")
        .with("remittance_id", remittance.id.text());
  if (auto owed = owes(amount, remittance.id.text()); !owed) return owed;
  book_adjustments(remittance, {}, -amount, deposit);
  return {};
}

domain::Status BookPayment::owes(Money released, const std::string& object) const {
  const auto account = domain::account::provider_payable(tenant_);
  Money owed;  // the balance of a credit is negative
  for (const auto& balance : records_.ledger().balances(tenant_, account.substr(0, account.find(':')), 1))
    if (balance.account == account) owed = -balance.posted;
  // The account holds all releases of the tenant, so it bounds what can be taken back from the provider.
  if (owed < released)
    return domain::Error::of(domain::ErrorCode::invalid_state,
                             "The money was paid to the provider. It cannot be taken back.")
        .with("object_id", object);
  return {};
}

void BookPayment::book_release(Deposit& deposit, Money amount) {
  domain::LedgerTransaction entry;
  entry.id = ids_.next<domain::LedgerTransactionId>();
  entry.cause_kind = "deposit_release";
  entry.cause_id = deposit.id.text();
  entry.at = now_;
  entry.debit(std::string(domain::account::kSuspenseUnmatched), amount);
  entry.credit(domain::account::provider_payable(tenant_), amount);
  records_.ledger().append(tenant_, entry);
  deposit.released += amount;
  spend(deposit, amount);
}

void BookPayment::undo_adjustments(Remittance& remittance, Deposit* deposit) {
  book_adjustments(remittance, {}, -remittance.paid_to_provider, deposit);
  book_loss(remittance, -remittance.withheld, deposit);
}

void BookPayment::book_adjustments(Remittance& remittance, Money carried, Money paid, Deposit* deposit) {
  if (carried.is_zero() && paid.is_zero()) return;
  domain::LedgerTransaction entry;
  entry.id = ids_.next<domain::LedgerTransactionId>();
  entry.cause_kind = "provider_adjustments";
  entry.cause_id = remittance.id.text();
  entry.at = now_;
  // Deposits were booked into suspense when they came. Each allocation moves its amount out of suspense.
  entry.debit(std::string(domain::account::kSuspenseUnmatched), carried + paid);
  entry.credit(std::string(domain::account::kCarriedBalances), carried);
  entry.credit(domain::account::provider_payable(tenant_), paid);
  records_.ledger().append(tenant_, entry);
  remittance.carried += carried;
  remittance.paid_to_provider += paid;
  records_.remittances().update_adjustments(tenant_, remittance);
  faults::crash_point("reconciliation.adjusted");
  if (deposit) spend(*deposit, carried + paid);
  if (carried > Money{}) forwarded_payers_.push_back(remittance.draft.payer_id);
}

bool BookPayment::may_book(const Remittance& remittance, const AllocationTargets& targets,
                           const Deposit* deposit) const {
  if (!covers(remittance, targets, deposit)) return false;
  std::set<domain::SettlementId> unreversed;
  for (std::size_t i = 0; i < remittance.claims.size(); ++i) {
    const auto& paid = remittance.claims[i];
    if (paid.state == State::waiting && paid.claim.paid_amount < Money{} && is_funded(targets[i]) &&
        !may_take_back(records_, tenant_, *targets[i], -paid.claim.paid_amount))
      unreversed.insert(targets[i]->settlement.id);
  }
  for (std::size_t i = 0; i < remittance.claims.size(); ++i) {
    const auto& paid = remittance.claims[i];
    if (paid.state != State::waiting || !is_funded(targets[i]) || unreversed.contains(targets[i]->settlement.id) ||
        !automatic_kind(paid.claim))
      continue;
    const Money amount = paid.claim.paid_amount;
    if (amount < Money{}) return true;
    const auto position = position_of(records_, tenant_, *targets[i]);
    if (continues(position, amount, targets[i]->settlement.expected_reimbursement) &&
        domain::above_charge(position, amount, targets[i]->billed) <= Money{})
      return true;
  }
  return false;
}

void BookPayment::claim(const AllocationTarget& target, const Remittance& remittance, RemittanceClaimRecord& paid,
                        Deposit* deposit, std::string_view matched_by) {
  const Money amount = paid.claim.paid_amount;
  const auto kind = automatic_kind(paid.claim);
  if (!kind) {
    // A later confirmation without a payment changes nothing on a final settlement. It is stored as a duplicate.
    paid.state = State::unmatched;
    if (amount.is_zero() && moves_nothing(paid.claim)) return;
    return open_task(remittance, not_processed(paid.claim));
  }
  // The records are the position: read them again for each claim, because an earlier one may have added some.
  const auto before = records_.reconciliations().of(tenant_, target.settlement.id);
  const auto position = domain::position_of(before);
  if (amount.is_zero() && (is_final(position.split.status) || repeats_decision(paid.claim, position, target.billed))) {
    paid.state = State::duplicate;
    paid.record = before.back().id;
    return;
  }
  if (kind == PaymentKind::taken_back && !may_take_back(records_, tenant_, target, -amount))
    return open_task(
        remittance,
        "A claim takes back more than was paid for it and not accepted as a loss. It waits for that payment.");
  if (kind != PaymentKind::taken_back && !continues(position, amount, target.settlement.expected_reimbursement))
    return open_task(remittance,
                     "The payer pays more than expected for a settlement that is final, possibly the same payment "
                     "twice. It waits for a takeback.");
  if (const Money above = domain::above_charge(position, amount, target.billed);
      kind != PaymentKind::taken_back && above > Money{})
    return open_task(
        remittance,
        "The payer pays " + format_money(above) +
            " more for a claim than its charge: held. Accept it (accept_over), or wait for the payer's takeback.");
  payment(target, payment_of(paid.claim, *kind), deposit, &remittance, matched_by);
  paid.state = State::posted;
  paid.record = posted_.back().id;
}

void BookPayment::payment(const AllocationTarget& target, const domain::Payment& payment, Deposit* deposit,
                          const Remittance* remittance, std::string_view matched_by) {
  const auto& settlement = target.settlement;
  append_record(target, payment, advance_of(settlement), settlement.terms.fee_estimate, deposit, remittance,
                matched_by);
}

void BookPayment::advance_returned(const AllocationTarget& target) {
  const auto records = records_.reconciliations().of(tenant_, target.settlement.id);
  const auto position = domain::position_of(records);
  if (position.paid.is_zero() && position.charge.is_zero() && position.split.absorbed.is_zero()) return;
  // Reverse accepted losses remittance by remittance, so that the rest below is only money that really came.
  Money paid = position.paid;
  std::map<domain::RemittanceId, Money> paid_by;
  for (const auto& record : records)
    if (record.remittance) paid_by[*record.remittance] += record.payer_payment;
  for (const auto& [id, by_this] : paid_by) {
    auto remittance = records_.remittances().find(tenant_, id);
    const Money never_came = remittance ? std::min({remittance->withheld, by_this, paid}) : Money{};
    if (never_came <= Money{}) continue;
    auto pool = FundsPool::of(records_, tenant_, remittance->deposit);
    book_loss(*remittance, -never_came, pool.money());
    append_record(target, {-never_came, domain::PaymentKind::advance_returned, {}}, {}, {}, pool.money(), &*remittance,
                  domain::kFundingReturned);
    pool.keep(records_, tenant_);
    paid -= never_came;
  }
  if (paid == position.paid)
    append_record(target, {{}, domain::PaymentKind::advance_returned, {}}, {}, {}, nullptr, nullptr,
                  domain::kFundingReturned);
}

/// Appends one record to the settlement: the allocation of the payment with these amounts of advance and fee.
void BookPayment::append_record(const AllocationTarget& target, const domain::Payment& payment, Money advance,
                                Money fee, Deposit* deposit, const Remittance* remittance,
                                std::string_view matched_by) {
  const auto& settlement = target.settlement;
  const auto earlier = records_.reconciliations().of(tenant_, settlement.id);
  const auto before = domain::position_of(earlier);
  domain::ReconciliationRecord record;
  record.number = next_number(earlier);
  record.id = ids_.next<domain::ReconciliationId>();
  record.settlement = settlement.id;
  record.payer_payment = payment.amount;
  record.charge = payment.charge;
  record.split = continue_allocation(before, payment, {advance, fee, settlement.expected_reimbursement, target.billed});
  record.matched_by = matched_by;
  if (deposit) {
    record.deposit = deposit->id;
    record.trace_number = deposit->trace_number;
  }
  if (remittance) {
    record.remittance = remittance->id;
    record.trace_number = remittance->draft.trace_number;
  }
  record.posted_at = now_;
  post(std::move(record), before.split.status, deposit);
  // The question why the payment is late ends with the final payment only.
  const bool is_over = is_final(posted_.back().split.status);  // a partial payment keeps the task open
  if (is_over && now_.utc_date() > settlement.expected_payment_date)
    close_tasks(unit_, domain::kOverduePayment, settlement.id.text(), "matched");
}

void BookPayment::confirmation(const AllocationTarget& target, const Remittance& remittance,
                               RemittanceClaimRecord& paid, Deposit* deposit, std::string_view matched_by) {
  const auto standing = records_.reconciliations().of(tenant_, target.settlement.id).back();
  const auto kind = automatic_kind(paid.claim);
  paid.state = State::posted;
  paid.settlement = target.settlement.id;
  paid.record = standing.id;
  if (!kind || is_final(standing.split.status)) return;
  payment(target, {{}, *kind, domain::answer_of(paid.claim).charge}, deposit, &remittance, matched_by);
  paid.record = posted_.back().id;
}

void BookPayment::post(domain::ReconciliationRecord record, domain::FinalStatus before, Deposit* deposit) {
  records_.reconciliations().insert(tenant_, record);
  // The receivable closes with the final payment and opens again when a takeback or an undo reverses it.
  if (const bool is_open = !is_final(record.split.status); is_open == is_final(before))
    records_.settlements().set_receivable(tenant_, record.settlement, is_open);
  if (!record.split.residual.is_zero()) {
    records_.settlements().add_residual_due(tenant_, record.settlement, record.split.residual);
    if (record.number > 1) report_payouts_taken_back(unit_, record.settlement);
  }
  // Recovered and lost principal both reduce the exposure. Only losses count as losses.
  records_.settlements().add_to_portfolio(tenant_, record.settlement, now_.utc_date(),
                                          {-(record.split.recovered + record.split.principal_loss),
                                           {},
                                           record.split.principal_loss + record.split.residual_loss});
  faults::crash_point("reconciliation.recorded");

  domain::LedgerTransaction entry;
  entry.id = ids_.next<domain::LedgerTransactionId>();
  entry.cause_kind = "reconciliation";
  entry.cause_id = record.id.text();
  entry.settlement = record.settlement;
  entry.at = now_;
  // Payment plus losses equals recovered principal, lost principal, fee and residual: the entry balances.
  entry.debit(std::string(domain::account::kSuspenseUnmatched), record.payer_payment);
  entry.debit(std::string(domain::account::kLossOnReceivable),
              record.split.principal_loss + record.split.residual_loss);
  entry.credit(domain::account::purchased_receivable(record.settlement),
               record.split.recovered + record.split.principal_loss);
  entry.credit(std::string(domain::account::kFeeIncome), record.split.fee);
  entry.credit(domain::account::provider_payable(tenant_), record.split.residual);
  if (!entry.entries.empty()) records_.ledger().append(tenant_, entry);  // an unpaid part of the charge moves no money
  faults::crash_point("reconciliation.booked");

  if (deposit) spend(*deposit, record.payer_payment);
  records_.events().append(
      tenant_, {ids_.next<domain::EventId>(), now_,
                domain::ReconciliationPosted{record.id, record.settlement, record.number, record.payer_payment,
                                             record.split.fee, record.split.status}});
  posted_.push_back(std::move(record));
}

domain::Status BookPayment::claim_as_decided(const AllocationTarget& target, const Remittance& remittance,
                                             RemittanceClaimRecord& paid, Deposit* deposit) {
  if (const auto why = why_not(records_, tenant_, target, remittance, paid, deposit); !why.empty())
    return domain::Error::of(domain::ErrorCode::invalid_state, std::string(why));
  payment(target, payment_of(paid.claim, *kind_as_decided(paid.claim)), deposit, &remittance,
          name_of(domain::MatchStep::person));
  paid.state = State::posted;
  paid.settlement = target.settlement.id;
  paid.record = posted_.back().id;
  return {};
}

domain::Status BookPayment::undo(const domain::ReconciliationRecord& record, Deposit* deposit) {
  std::vector<domain::ReconciliationRecord> standing;
  auto all = records_.reconciliations().of(tenant_, record.settlement);
  const int number = next_number(all);
  for (auto& earlier : all)
    if (earlier.matched_by == domain::kUndone)
      standing.pop_back();
    else
      standing.push_back(std::move(earlier));
  // The allocation depends on all earlier payments, so only the last standing record can be undone.
  if (standing.empty() || standing.back().id != record.id)
    return domain::Error::of(domain::ErrorCode::invalid_state,
                             "A later payment was posted to the same advance. This one cannot be undone.")
        .with("settlement_id", record.settlement.text());
  if (record.split.residual > Money{} && record.split.residual > residual_due(records_, tenant_, record.settlement))
    return domain::Error::of(
               domain::ErrorCode::invalid_state,
               "The residual of this payment was paid out to the provider, or is being paid out. It cannot be undone.")
        .with("settlement_id", record.settlement.text());
  auto counter = record;
  counter.id = ids_.next<domain::ReconciliationId>();
  counter.number = number;
  counter.payer_payment = -record.payer_payment;
  counter.charge = -record.charge;
  counter.split = -record.split;
  counter.split.status =
      standing.size() > 1 ? standing[standing.size() - 2].split.status : domain::FinalStatus::pending;
  counter.matched_by = domain::kUndone;
  counter.posted_at = now_;
  post(std::move(counter), record.split.status, deposit);
  return {};
}

void BookPayment::open_task(const Remittance& remittance, std::string note) {
  open_task_once(unit_, {"match_ambiguous", remittance.id.text(), std::move(note)});
}

}  // namespace tideover::usecases
