// Posts the next state of a payout to a practice (declared in book_outcome.hpp).
#include "core/domain/funding/payable.hpp"
#include "core/faults/crash_point.hpp"
#include "core/usecases/allocation/payee_account.hpp"
#include "core/usecases/funding/book_outcome.hpp"
#include "core/usecases/ledger/post_entry.hpp"
#include "core/usecases/request/tasks.hpp"

namespace tideover::usecases {
namespace {

using domain::AttemptState;
using domain::DisbursementAttempt;
using domain::Error;
using domain::ErrorCode;

/// Posts the entries of the pending transaction in another phase, or in reverse.
domain::Status book_again(const UnitOfWork& unit, const DisbursementAttempt& attempt, domain::LedgerPhase phase,
                          bool in_reverse) {
  const auto pending = unit.records.ledger().find(unit.tenant, attempt.pending_entry);
  if (!pending)
    return Error::of(ErrorCode::internal_error, "The ledger has lost the pending entry of a payout to a practice.");
  auto entry = domain::LedgerTransaction::of(
      unit.ids.next<domain::LedgerTransactionId>(),
      {std::string(in_reverse ? domain::kPracticePayoutReturn : domain::kPracticePayout), attempt.id.text()},
      attempt.updated_at, in_reverse ? std::nullopt : attempt_takes_effect_on(attempt, phase));
  entry.phase = phase;
  if (!in_reverse) entry.resolves = attempt.pending_entry;
  for (const auto& line : pending->entries)
    entry.entries.push_back({line.account, in_reverse ? -line.amount : line.amount, line.party});
  post_entry(unit, std::move(entry));
  return {};
}

const char* failure_of(const DisbursementAttempt& attempt) {
  if (attempt.state == AttemptState::returned)
    return "A payout to a practice was returned. Set another account for the practice, or request the payout again.";
  if (attempt.reason_code == domain::kTakenBack)
    return "A payer took back money of a payout to a practice. The payout was not sent. The rest is paid with the next "
           "payout.";
  return "The rail refused a payout to a practice. Set another account for the practice, or request the payout again.";
}

}  // namespace

domain::Status book_practice_payout(const UnitOfWork& unit, const DisbursementAttempt& attempt, Origin origin,
                                    const OnOutcome& on_outcome) {
  const auto& [records, tenant, now, ids, rules] = unit;
  const auto& npi = attempt.subject.payee_npi;
  // Before any other row: a new account of the practice is not lost.
  records.clients().guard_matching(tenant);
  // The first write is the attempt: its epoch refuses a worker whose attempt was taken over in the meantime.
  if (!records.settlements().update_attempt(tenant, attempt, origin.epoch, origin.state)) return taken_over();
  const bool newly_paid = is_paid(attempt.state) && !is_paid(origin.state);
  const bool refused = attempt.state == AttemptState::rejected;
  const bool returned = attempt.state == AttemptState::returned;
  domain::Status booked;
  if (newly_paid) booked = book_again(unit, attempt, domain::LedgerPhase::posted, false);
  // The ledger opens the payables of the practice again.
  if (refused) booked = book_again(unit, attempt, domain::LedgerPhase::voided, false);
  if (returned) booked = book_again(unit, attempt, domain::LedgerPhase::posted, true);
  if (!booked) return booked;
  faults::crash_point("disburse.result.booked");

  const auto account = records.payees().account(tenant, npi);
  const auto status = account ? account->payout_status : domain::FundingStatus::none;
  const auto last = records.settlements().latest_attempt(tenant, attempt.subject, attempt.purpose);
  const bool is_last = !last || last->number == attempt.number;
  // The claim set the status to pending. So `returned` is that of an earlier payout whose return came since: no payout
  // that was on its way meanwhile clears it.
  const bool failed_meanwhile = status == domain::FundingStatus::returned && !is_paid(origin.state);
  if (returned || (is_last && (refused || !failed_meanwhile))) {
    // A payout that was not sent does not stop the next one.
    const bool is_free = refused && attempt.reason_code == domain::kTakenBack;
    set_payout_status(records, tenant, npi, is_free ? domain::FundingStatus::none : funding_status_of(attempt.state));
  }
  const auto status_before = is_last                    ? status
                             : is_unclear(origin.state) ? domain::FundingStatus::unknown
                                                        : domain::FundingStatus::none;
  if (auto data = payout_event(attempt, origin.state, status_before))
    records.events().append(tenant, {ids.next<domain::EventId>(), now, std::move(*data)});
  if (refused || returned) open_task_once(unit, {domain::kPayoutFailed, npi, failure_of(attempt)});
  if (attempt.state == AttemptState::manual && origin.state != AttemptState::manual)
    open_task(unit, {domain::kPayoutUnknown, npi,
                     "The rail cannot say whether it made the payment. Ask the rail's operator, then decide."});
  // The caller may still refuse, which rolls back the whole step.
  if (on_outcome)
    if (auto added = on_outcome(records, nullptr, attempt); !added) return added;
  if (origin.state == AttemptState::manual && attempt.state != AttemptState::manual)
    close_tasks(unit, domain::kPayoutUnknown, npi, domain::kAnsweredByRail);
  if (newly_paid && is_last && !failed_meanwhile) close_tasks(unit, domain::kPayoutFailed, npi, "paid");
  return {};
}

}  // namespace tideover::usecases
