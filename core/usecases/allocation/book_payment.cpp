#include "core/usecases/allocation/book_payment.hpp"

#include <algorithm>

#include "core/domain/reconciliation/answer.hpp"
#include "core/domain/reconciliation/ledger.hpp"
#include "core/domain/reconciliation/match.hpp"
#include "core/faults/crash_point.hpp"
#include "core/usecases/allocation/residual_due.hpp"
#include "core/usecases/ledger/post_entry.hpp"
#include "core/usecases/request/tasks.hpp"

namespace tideover::usecases {

namespace {

using domain::Deposit;
using domain::Money;
using domain::PaymentKind;
using domain::Remittance;
using domain::RemittanceClaimRecord;
using State = RemittanceClaimRecord::State;

/// The day on which a payment takes effect: of the return of its deposit, else as its remittance says, but not before
/// its deposit. Nothing: the day of posting, as for a write-off.
std::optional<domain::Date> effective_day(const Deposit* deposit, const Remittance* remittance) {
  if (deposit && deposit->returned_date) return deposit->returned_date;
  const auto announced = remittance ? remittance->draft.payment_date : std::nullopt;
  if (!deposit) return announced;
  return std::max(announced.value_or(domain::paid_on(*deposit)), domain::paid_on(*deposit));
}

}  // namespace

void spend(Deposit& deposit, Money amount) {
  deposit.matched_amount += amount;
  deposit.status =
      deposit.matched_amount == deposit.amount ? domain::MatchState::matched : domain::MatchState::partly_matched;
}

domain::Status BookPayment::undo_release(Deposit& deposit) {
  if (auto owed = owes("", deposit.released, deposit.id.text()); !owed) return owed;
  release(deposit, -deposit.released);
  return {};
}

domain::Status BookPayment::owes(const std::string& practice, Money released, const std::string& object) const {
  const auto account = domain::account::provider_payable(tenant_);
  Money owed;  // the balance of a credit is negative
  for (const auto& balance : records_.ledger().balances(tenant_, account.substr(0, account.find(':')), 1))
    if (balance.account == account) owed = -balance.posted;
  // Of no known practice: the account holds all releases of the tenant, so it bounds what can be taken back.
  if (!practice.empty()) owed = records_.payees().due(tenant_, practice);
  if (owed < released)
    return domain::Error::of(domain::ErrorCode::invalid_state,
                             "The money was paid to the provider. It cannot be taken back.")
        .with("object_id", object);
  return {};
}

void BookPayment::release(Deposit& deposit, Money amount) {
  auto entry = domain::LedgerTransaction::of(ids_.next<domain::LedgerTransactionId>(),
                                             {"deposit_release", deposit.id.text()}, now_, deposit.returned_date);
  entry.debit(std::string(domain::account::kSuspenseUnmatched), amount);
  entry.credit(domain::account::provider_payable(tenant_), amount, {deposit.payer_id, ""});
  post_entry(unit_, std::move(entry));
  deposit.released += amount;
  spend(deposit, amount);
}

void BookPayment::payment(const AllocationTarget& target, const domain::Payment& payment, Deposit* deposit,
                          const Remittance* remittance, std::string_view matched_by) {
  append_record(target, payment, true, deposit, remittance, matched_by);
}

void BookPayment::advance_returned(const AllocationTarget& target) {
  const auto records = records_.reconciliations().of(tenant_, target.settlement.id);
  const auto position = domain::position_of(records);
  if (position.paid.is_zero() && position.charge.is_zero() && position.split.absorbed.is_zero()) return;
  append_record(target, {{}, domain::PaymentKind::advance_returned, {}}, false, nullptr, nullptr,
                domain::kFundingReturned);
}

/// Appends one record to the settlement: the allocation of the payment.
void BookPayment::append_record(const AllocationTarget& target, const domain::Payment& payment, bool is_advanced,
                                Deposit* deposit, const Remittance* remittance, std::string_view matched_by) {
  const auto& settlement = target.settlement;
  const auto earlier = records_.reconciliations().of(tenant_, settlement.id);
  const auto before = domain::position_of(earlier);
  domain::AdvanceTerms terms{{}, {}, settlement.expected_reimbursement, target.billed};
  if (is_advanced) {
    terms.advance = advance_of(settlement);
    terms.fee = fee_on(deposit ? deposit->received_date : now_.utc_date(), records_, tenant_, settlement, earlier);
  }
  domain::ReconciliationRecord record;
  record.number = next_number(earlier);
  record.id = ids_.next<domain::ReconciliationId>();
  record.settlement = settlement.id;
  record.payer_payment = payment.amount;
  record.charge = payment.charge;
  record.split = continue_allocation(before, payment, terms);
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
  post(std::move(record), before.split.status, deposit, party_of(settlement), effective_day(deposit, remittance));
  recourse_.of_record(settlement, posted_.back(), before, payment, terms);
  report_payouts();
  // The question why the payment is late ends with the final payment only.
  const bool is_over = is_final(posted_.back().split.status);  // a partial payment keeps the task open
  if (is_over && now_.utc_date() > settlement.expected_payment_date)
    for (const auto kind : {domain::kOverduePayment, domain::kWriteOffProposed})
      close_tasks(unit_, kind, settlement.id.text(), matched_by == domain::kWriteOff ? "written_off" : "matched");
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

void BookPayment::post(domain::ReconciliationRecord record, domain::FinalStatus before, Deposit* deposit,
                       const domain::LedgerParty& party, std::optional<domain::Date> effective) {
  records_.reconciliations().insert(tenant_, record);
  // The receivable closes with the final payment and opens again when a takeback or an undo reverses it.
  if (const bool is_open = !is_final(record.split.status); is_open == is_final(before))
    records_.settlements().set_receivable(tenant_, record.settlement, is_open);
  if (!record.split.residual.is_zero())
    records_.settlements().add_residual_due(tenant_, record.settlement, record.split.residual);
  // Recovered and lost principal both reduce the exposure. Only losses count as losses.
  records_.settlements().add_to_portfolio(tenant_, record.settlement, now_.utc_date(),
                                          {-(record.split.recovered + record.split.principal_loss),
                                           {},
                                           record.split.principal_loss + record.split.residual_loss});
  faults::crash_point("reconciliation.recorded");

  auto entry = domain::LedgerTransaction::of(ids_.next<domain::LedgerTransactionId>(),
                                             {"reconciliation", record.id.text(), record.settlement}, now_, effective);
  // Payment plus losses equals recovered principal, lost principal, fee and residual: the entry balances.
  entry.debit(std::string(domain::account::kSuspenseUnmatched), record.payer_payment);
  entry.debit(std::string(domain::account::kLossOnReceivable),
              record.split.principal_loss + record.split.residual_loss);
  entry.credit(domain::account::purchased_receivable(record.settlement),
               record.split.recovered + record.split.principal_loss);
  entry.credit(std::string(domain::account::kFeeIncome), record.split.fee);
  entry.credit(domain::account::provider_payable(tenant_), record.split.residual, party);
  if (!entry.entries.empty()) post_entry(unit_, std::move(entry));  // an unpaid part of the charge moves no money
  faults::crash_point("reconciliation.booked");

  if (deposit) spend(*deposit, record.payer_payment);
  records_.events().append(
      tenant_, {ids_.next<domain::EventId>(), now_,
                domain::ReconciliationPosted{record.id, record.settlement, record.number, record.payer_payment,
                                             record.split.fee, record.split.status}});
  posted_.push_back(std::move(record));
}

/// After the last record and what it moved to or from a reserve.
void BookPayment::report_payouts() {
  const auto& record = posted_.back();
  if (!record.split.residual.is_zero() && record.number > 1) report_payouts_taken_back(unit_, record.settlement);
}

std::vector<domain::ReconciliationRecord> BookPayment::standing_of(const domain::SettlementId& settlement) const {
  return standing(records_.reconciliations().of(tenant_, settlement));
}

domain::Status BookPayment::reverse(const domain::SettlementId& settlement, const domain::ReconciliationId& id,
                                    Deposit* deposit) {
  if (undo(settlement, id, deposit)) return {};
  const auto standing = standing_of(settlement);
  const auto record = std::find_if(standing.begin(), standing.end(), [&](const auto& one) { return one.id == id; });
  const auto stored = records_.settlements().find(tenant_, settlement);
  if (record == standing.end() || !stored)
    return domain::Error::of(domain::ErrorCode::invalid_state, "The payment was undone in the meantime.")
        .with("settlement_id", settlement.text());
  // After a return of the advance, all payments are the practice's: nothing of it is lost now.
  const bool is_advance_returned = std::any_of(
      standing.begin(), standing.end(), [](const auto& one) { return one.matched_by == domain::kFundingReturned; });
  const auto kind = is_advance_returned ? PaymentKind::taken_back : PaymentKind::money_returned;
  const domain::Payment payment{-record->payer_payment, kind, -record->charge};
  const AllocationTarget target{stored->settlement, stored->settlement.billed.charge};
  append_record(target, payment, !is_advance_returned, deposit, nullptr, domain::kDepositReturned);
  return {};
}

domain::Status BookPayment::undo(const domain::SettlementId& settlement, const domain::ReconciliationId& id,
                                 Deposit* deposit) {
  const auto standing = standing_of(settlement);
  // The allocation depends on all earlier payments, so only the last standing record can be undone.
  if (standing.empty() || standing.back().id != id)
    return domain::Error::of(domain::ErrorCode::invalid_state,
                             "A later payment was posted to the same advance. This one cannot be undone.")
        .with("settlement_id", settlement.text());
  const auto& record = standing.back();
  if (record.split.residual > Money{} && record.split.residual > residual_due(records_, tenant_, record.settlement) &&
      record.split.residual > residual_due(records_, tenant_, record.settlement) + recourse_.held_by(record))
    return domain::Error::of(
               domain::ErrorCode::invalid_state,
               "The residual of this payment was paid out to the provider, or is being paid out. It cannot be undone.")
        .with("settlement_id", record.settlement.text());
  auto counter = record;
  counter.id = ids_.next<domain::ReconciliationId>();
  counter.number = next_number(records_.reconciliations().of(tenant_, settlement));
  counter.payer_payment = -record.payer_payment;
  counter.charge = -record.charge;
  counter.split = -record.split;
  counter.split.status =
      standing.size() > 1 ? standing[standing.size() - 2].split.status : domain::FinalStatus::pending;
  counter.matched_by = domain::kUndone;
  counter.posted_at = now_;
  const auto stored = records_.settlements().find(tenant_, settlement);
  post(std::move(counter), record.split.status, deposit, stored ? party_of(stored->settlement) : domain::LedgerParty{},
       deposit ? deposit->returned_date : std::nullopt);
  recourse_.undo_record(record);
  report_payouts();
  return {};
}

}  // namespace tideover::usecases
