#include "core/usecases/funding/book_outcome.hpp"

#include <algorithm>

#include "core/domain/basics/bank_calendar.hpp"
#include "core/faults/crash_point.hpp"
#include "core/usecases/allocation/book_payment.hpp"
#include "core/usecases/allocation/residual_due.hpp"
#include "core/usecases/ledger/post_entry.hpp"
#include "core/usecases/matching/match_payments.hpp"
#include "core/usecases/request/tasks.hpp"

namespace tideover::usecases {
namespace {

using domain::AttemptEvent;
using domain::AttemptState;
using domain::DisbursementAttempt;
using domain::Error;
using domain::ErrorCode;
using domain::FundingStatus;
using domain::Purpose;
using domain::SettlementEvent;
using ports::RailOutcome;

bool is_advance(const DisbursementAttempt& attempt) {
  return attempt.purpose == Purpose::advance;
}

/// The account that the payment is booked to: an advance buys the receivable, a payout settles what is owed.
std::string paid_account(const domain::TenantId& tenant, const DisbursementAttempt& attempt) {
  return is_advance(attempt) ? domain::account::purchased_receivable(attempt.subject.settlement)
                             : domain::account::provider_payable(tenant);
}

domain::LedgerParty paid_party(const DisbursementAttempt& attempt, const domain::Settlement& settlement) {
  return is_advance(attempt) ? domain::LedgerParty{} : party_of(settlement);
}

domain::LedgerTransaction payment(const domain::TenantId& tenant, domain::LedgerTransactionId id,
                                  const DisbursementAttempt& attempt, const domain::Settlement& settlement,
                                  domain::LedgerPhase phase) {
  auto entry = domain::LedgerTransaction::of(
      std::move(id), {is_advance(attempt) ? "disbursement" : "payout", attempt.id.text(), attempt.subject.settlement},
      attempt.updated_at, attempt_takes_effect_on(attempt, phase));
  entry.phase = phase;
  entry.debit(paid_account(tenant, attempt), attempt.amount, paid_party(attempt, settlement));
  entry.credit(std::string(domain::account::kFundingCash), attempt.amount);
  return entry;
}

/// The payment in reverse: the money did not reach the provider.
domain::LedgerTransaction reversal(const domain::TenantId& tenant, domain::LedgerTransactionId id,
                                   const DisbursementAttempt& attempt, const domain::Settlement& settlement) {
  auto entry = domain::LedgerTransaction::of(
      std::move(id),
      {is_advance(attempt) ? "disbursement_return" : "payout_return", attempt.id.text(), attempt.subject.settlement},
      attempt.updated_at);
  entry.debit(std::string(domain::account::kFundingCash), attempt.amount);
  entry.credit(paid_account(tenant, attempt), attempt.amount, paid_party(attempt, settlement));
  return entry;
}

/// `version`: of the settlement with this step.
std::optional<domain::EventData> event_for(const DisbursementAttempt& attempt, AttemptState before,
                                           FundingStatus status_before, int version) {
  if (!is_advance(attempt)) return payout_event(attempt, before, status_before);
  const auto& settlement = attempt.subject.settlement;
  switch (attempt.state) {
    case AttemptState::accepted:
    case AttemptState::settled:
      if (!is_paid(before))
        return domain::SettlementFunded{settlement, attempt.id, attempt.rail, attempt.amount, version};
      if (before != attempt.state) return domain::FundingSettled{settlement, attempt.id, attempt.rail, version};
      return std::nullopt;
    case AttemptState::rejected:
      return domain::FundingRejected{settlement, attempt.id, attempt.rail, attempt.reason_code, version};
    case AttemptState::returned:
      return domain::FundingReturned{settlement,          attempt.id,     attempt.rail,
                                     attempt.reason_code, attempt.amount, version};
    case AttemptState::unknown:
    case AttemptState::manual:
      if (status_before == FundingStatus::unknown) return std::nullopt;
      return domain::FundingUnclear{settlement, attempt.id, attempt.rail, version};
    case AttemptState::intent:
    case AttemptState::submitting:
      return std::nullopt;
  }
  return std::nullopt;
}

/// The step of an attempt to its next state, inside its transaction.
struct Change {
  const UnitOfWork& unit;
  const DisbursementAttempt& attempt;  // in its next state
  AttemptState before;

  bool newly_paid() const { return is_paid(attempt.state) && !is_paid(before); }
  bool refused() const { return attempt.state == AttemptState::rejected; }
  bool returned() const { return attempt.state == AttemptState::returned; }
  void open_task(std::string_view kind, const char* note) const {
    usecases::open_task(unit, {kind, attempt.subject.text(), note});
  }
};

/// The settlement of an advance that was paid or returned.
void move_settlement(const Change& change, domain::Settlement& settlement) {
  if (change.newly_paid()) {
    auto next = next_status(settlement.status, settlement.decision, SettlementEvent::confirm);
    // A database that had lost the payment canceled the settlement. The payer owes this advance like any other.
    if (!next && settlement.status == domain::SettlementStatus::canceled &&
        !change.unit.records.settlements().live_of(change.unit.tenant, settlement.claim_id))
      next = domain::SettlementStatus::funded;  // cancel_reason keeps the reason
    // The payment is posted all the same: the money is gone.
    if (!next)
      change.open_task(domain::kPaymentUnexpected,
                       "The rail paid an advance on a settlement that had ended. Find out how the payment was made, "
                       "and claim the money back from the provider or keep the advance.");
    settlement.status = next.value_or(settlement.status);
    // The rail journal may have found the payment on a rail that the settlement had before.
    settlement.funding.rail = change.attempt.rail;
    settlement.funded_amount = change.attempt.amount;
    settlement.funded_at = change.unit.now;
  }
  // A returned advance ends the settlement: the payer's money is then credited to the provider.
  if (change.returned()) {
    if (const auto next = next_status(settlement.status, settlement.decision, SettlementEvent::funding_returned)) {
      settlement.status = *next;
      // A settlement that was canceled before its lost payment was found keeps that reason: its event named it.
      if (settlement.cancel_reason.empty()) settlement.cancel_reason = name_of(SettlementEvent::funding_returned);
    }
  }
}

/// The ledger entries of the step, and the exposure of an advance.
void book_money(const Change& change, const domain::Settlement& settlement) {
  const auto& [records, tenant, now, ids, rules] = change.unit;
  const auto& attempt = change.attempt;
  const bool newly_paid = change.newly_paid();
  // The pending entry of the claim ends here: posted when the money left, voided when it did not.
  if (newly_paid || change.refused()) {
    auto entry = payment(tenant, ids.next<domain::LedgerTransactionId>(), attempt, settlement,
                         newly_paid ? domain::LedgerPhase::posted : domain::LedgerPhase::voided);
    entry.resolves = attempt.pending_entry;
    post_entry(change.unit, std::move(entry));
  }
  if (change.returned()) {
    post_entry(change.unit, reversal(tenant, ids.next<domain::LedgerTransactionId>(), attempt, settlement));
    if (is_advance(attempt))
      BookPayment(change.unit).advance_returned({settlement, {}});  // the payer may have paid before the return
  }
  if (is_advance(attempt) && (newly_paid || change.returned())) {
    // Exposure grows when the money leaves, not with the claim for funding: a refused attempt never was exposure.
    const auto moved = newly_paid ? attempt.amount : -attempt.amount;
    // A returned advance never was exposure: subtract it on the day on which it was added.
    records.settlements().add_to_portfolio(tenant, attempt.subject.settlement,
                                           settlement.funded_at.value_or(now).utc_date(), {moved, moved, {}});
  }
}

/// A payout that claimed a residual did not reach the provider: the amount is due again, and a client decides when to
/// send it again.
void make_due_again(const Change& change) {
  const auto& [unit, attempt, before] = change;
  unit.records.settlements().add_residual_due(unit.tenant, attempt.subject.settlement, attempt.amount);
  open_task_once(
      unit,
      {domain::kPayoutFailed, attempt.subject.text(),
       change.returned() ? "A payout of the residual was returned. Request a payout again to pay what is due."
       : attempt.reason_code == domain::kTakenBack
           ? "The payer took back the money of a payout of the residual. The payout was not sent. Request a payout "
             "when a residual is due again."
           : "The rail refused a payout of the residual. Request a payout again to pay what is due."});
  report_payouts_taken_back(unit, attempt.subject.settlement);
}

}  // namespace

std::optional<domain::Date> attempt_takes_effect_on(const DisbursementAttempt& attempt, domain::LedgerPhase phase) {
  switch (phase) {
    case domain::LedgerPhase::pending:
      return std::min(attempt.effective_date, attempt.updated_at.utc_date());
    case domain::LedgerPhase::posted:
      return attempt.effective_date;
    case domain::LedgerPhase::voided:
      break;
  }
  return std::nullopt;
}

Error taken_over() {
  return Error::of(ErrorCode::conflict, "Another worker took this attempt over. Send the request again.");
}

std::optional<domain::EventData> payout_event(const DisbursementAttempt& attempt, AttemptState before,
                                              FundingStatus status_before) {
  using Step = domain::PayoutMoved::Step;
  const auto moved = [&](Step step) {
    return domain::PayoutMoved{step, attempt.subject, attempt.id, attempt.rail, attempt.reason_code, attempt.amount};
  };
  switch (attempt.state) {
    case AttemptState::accepted:
    case AttemptState::settled:
      if (!is_paid(before)) return moved(Step::paid);
      if (before != attempt.state) return moved(Step::settled);
      return std::nullopt;
    case AttemptState::rejected:
      return moved(Step::rejected);
    case AttemptState::returned:
      return moved(Step::returned);
    case AttemptState::unknown:
    case AttemptState::manual:
      // One event per unclear outcome, not one per question to the rail.
      if (status_before == FundingStatus::unknown) return std::nullopt;
      return moved(Step::unknown);
    case AttemptState::intent:
    case AttemptState::submitting:
      return std::nullopt;
  }
  return std::nullopt;
}

std::optional<AttemptEvent> event_of(const RailOutcome& outcome, AttemptState state, bool final_on_accept) {
  const bool paid = is_paid(state);
  switch (outcome.kind) {
    case RailOutcome::Kind::accepted:
      if (state == AttemptState::settled) return std::nullopt;
      return final_on_accept ? AttemptEvent::settle : AttemptEvent::accept;
    case RailOutcome::Kind::settled:
      return state == AttemptState::settled ? std::nullopt : std::optional(AttemptEvent::settle);
    // A rail that took the money first and refuses it later has returned it.
    case RailOutcome::Kind::rejected:
      return paid ? AttemptEvent::return_ : AttemptEvent::reject;
    // The money must have left before it could return: post the payment now, and the return when the rail is asked
    // again.
    case RailOutcome::Kind::returned:
      return paid ? AttemptEvent::return_ : AttemptEvent::accept;
    // No certain answer: a payment that was posted stays posted, and an operator's case stays with the operator.
    case RailOutcome::Kind::not_found:
    case RailOutcome::Kind::unknown:
      break;
  }
  return paid || state == AttemptState::manual ? std::nullopt : std::optional(AttemptEvent::lose_track);
}

domain::Timestamp next_question_at(const ports::RailDescription& rail, AttemptState state, domain::Timestamp now) {
  constexpr std::int64_t kSoon_ms = 1000;
  if (state == AttemptState::accepted) return now.plus_ms(kSoon_ms);
  if (state != AttemptState::settled || rail.final_on_accept || rail.return_window_days == 0) return kNeverAgain;
  // Returns are counted in banking days, so the last question comes after that many of them.
  auto last_day = now.utc_date();
  for (int i = 0; i <= rail.return_window_days; ++i) last_day = domain::next_banking_day(last_day);
  return domain::Timestamp::from_ms(last_day.days() * std::int64_t{86'400'000});
}

FundingStatus funding_status_of(AttemptState state) {
  switch (state) {
    case AttemptState::intent:
    case AttemptState::submitting:
      return FundingStatus::pending_submission;
    case AttemptState::accepted:
      return FundingStatus::submitted;
    case AttemptState::settled:
      return FundingStatus::settled;
    case AttemptState::rejected:
      return FundingStatus::rejected;
    case AttemptState::returned:
      return FundingStatus::returned;
    case AttemptState::unknown:
    case AttemptState::manual:
      return FundingStatus::unknown;
  }
  return FundingStatus::unknown;
}

FundingStatus& status_of(domain::Settlement& settlement, Purpose purpose) {
  return purpose == Purpose::advance ? settlement.funding_status : settlement.payout_status;
}

domain::LedgerTransaction pending_payment(const domain::TenantId& tenant, const DisbursementAttempt& attempt,
                                          const domain::Settlement& settlement) {
  return payment(tenant, attempt.pending_entry, attempt, settlement, domain::LedgerPhase::pending);
}

domain::Status book_outcome(const UnitOfWork& unit, DisbursementAttempt& attempt, Origin origin,
                            const OnOutcome& on_outcome) {
  if (attempt.purpose == Purpose::payable) return book_practice_payout(unit, attempt, origin, on_outcome);
  const auto& [records, tenant, now, ids, rules] = unit;
  const Change change{unit, attempt, origin.state};
  const bool of_advance = is_advance(attempt);
  const bool newly_paid = change.newly_paid();
  const bool returned = change.returned();

  // Before any other row: all matchings take their locks in this order. A step that books money also waits for the
  // close of a period.
  if (newly_paid || returned || change.refused()) records.clients().guard_matching(tenant);
  auto stored = records.settlements().find(tenant, attempt.subject.settlement);
  if (!stored) return Error::of(ErrorCode::settlement_not_found, "Settlement not found.");
  if (const auto expected = stored->settlement.funding.expected_settlement_at;
      of_advance && newly_paid && attempt.state == AttemptState::accepted && attempt.next_resolve_at > now &&
      expected && *expected > attempt.next_resolve_at)
    attempt.next_resolve_at = *expected;
  // The first write is the attempt: its epoch refuses a worker whose attempt was taken over in the meantime.
  const bool ours = records.settlements().update_attempt(tenant, attempt, origin.epoch, origin.state);
  if (!ours) return taken_over();

  auto& settlement = stored->settlement;
  FundingStatus& status = status_of(settlement, attempt.purpose);
  const FundingStatus status_before = status;
  status = funding_status_of(attempt.state);
  if (of_advance) move_settlement(change, settlement);
  book_money(change, settlement);
  faults::crash_point("disburse.result.booked");
  if (!records.settlements().update(tenant, *stored)) return taken_over();
  if (!of_advance && (change.refused() || returned)) make_due_again(change);

  // The events are part of the transaction: no webhook reports a state that is not stored.
  const int version = settlement.version + 1;  // update() raised it
  const auto report = [&](domain::EventData data) {
    records.events().append(tenant, {ids.next<domain::EventId>(), now, std::move(data)});
  };
  if (auto data = event_for(attempt, origin.state, status_before, version)) report(*std::move(data));
  if (of_advance && newly_paid && attempt.state == AttemptState::accepted)
    report(domain::FundingSubmitted{attempt.subject.settlement, attempt.id, attempt.rail, attempt.effective_date,
                                    version});
  const auto unknown = of_advance ? domain::kFundingUnknown : domain::kPayoutUnknown;
  if (attempt.state == AttemptState::manual && origin.state != AttemptState::manual)
    change.open_task(unknown, "The rail cannot say whether it made the payment. Ask the rail's operator, then decide.");
  // The caller may still refuse, which rolls back the whole step.
  if (on_outcome)
    if (auto added = on_outcome(records, &settlement, attempt); !added) return added;
  if (origin.state == AttemptState::manual &&
      attempt.state != AttemptState::manual)  // open unless an operator closed it
    close_tasks(unit, unknown, attempt.subject.text(), domain::kAnsweredByRail);
  if (of_advance && returned) MatchPayments(unit).settlement_ended(settlement.id);
  if (!newly_paid) return {};
  if (!of_advance)
    close_tasks(unit, domain::kPayoutFailed, attempt.subject.text(), "paid");
  else  // last, because it reads the rows above: the payer may have paid before the rail answered
    MatchPayments(unit).settlement_funded(settlement);
  return {};
}

void audit_rail_answer(const UnitOfWork& unit, std::string_view operation, const DisbursementAttempt& attempt) {
  unit.records.audit().append(unit.tenant, {unit.ids.next<domain::AuditId>(),
                                            {},
                                            "",
                                            std::string(operation),
                                            attempt.subject.text(),
                                            std::string(name_of(attempt.state)),
                                            unit.now});
}

}  // namespace tideover::usecases
