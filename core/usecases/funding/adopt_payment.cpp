// Payments that the rail journal proves and the database does not have (declared in disburse.hpp): they enter the
// database as attempts. Nothing is sent here.
#include "core/faults/crash_point.hpp"
#include "core/usecases/allocation/residual_due.hpp"
#include "core/usecases/funding/disburse.hpp"
#include "core/usecases/ledger/post_entry.hpp"
#include "core/usecases/request/tasks.hpp"

namespace tideover::usecases {

using domain::AttemptEvent;
using domain::AttemptState;
using domain::DisbursementAttempt;
using domain::Error;
using domain::ErrorCode;
using domain::FundingStatus;
using domain::Money;
using ports::RailOutcome;

// The journal proves the payment, so it reduces what is due even below zero.
domain::Status Disburse::insert_adopted(ports::Records& records, const ports::JournalledSend& sent, Attempt& attempt,
                                        const std::optional<domain::Date>& planned) {
  const auto& subject = sent.subject;
  records.clients().guard_matching(sent.tenant);  // before any other row
  std::optional<ports::StoredSettlement> stored;
  if (sent.purpose != domain::Purpose::payable) {
    stored = records.settlements().find(sent.tenant, subject.settlement);
    if (!stored) return Error::of(ErrorCode::settlement_not_found, "Settlement not found.");
    records.claims().guard(sent.tenant, stored->settlement.claim_id);
  }
  const auto last = records.settlements().latest_attempt(sent.tenant, subject, sent.purpose);
  // An attempt number is used once: this one, or a later one, was adopted or made before.
  if (last && last->number >= sent.attempt) return Error::of(ErrorCode::conflict, "The database has this attempt.");
  // Adopt in order: an earlier open attempt may still pay the same money.
  const bool of_advance = sent.purpose == domain::Purpose::advance;
  const bool last_ended = !last || last->state == AttemptState::rejected ||
                          (!of_advance && (is_paid(last->state) || is_undone(last->state)));
  if (!last_ended) return fenced_out();
  attempt.effective_date =
      planned.value_or(stored ? stored->settlement.funding.effective_date : attempt.updated_at.utc_date());
  records.settlements().insert_attempt(sent.tenant, attempt);
  audit_rail_answer({records, sent.tenant, attempt.updated_at, ids_}, "take up", attempt);
  if (!stored) {
    insert_adopted_practice_payout(records, sent.tenant, attempt);
    return {};
  }
  post_entry({records, sent.tenant, attempt.updated_at, ids_},
             pending_payment(sent.tenant, attempt, stored->settlement));
  status_of(stored->settlement, sent.purpose) = FundingStatus::unknown;
  if (of_advance) {
    stored->confirm_key = ports::kAnyKey;
  } else {
    records.settlements().add_residual_due(sent.tenant, subject.settlement, -attempt.amount);
    if (residual_due(records, sent.tenant, subject.settlement) < Money{})
      open_task_once({records, sent.tenant, attempt.updated_at, ids_},
                     {domain::kPaymentUnexpected, subject.text(), kMorePaidThanDue});
  }
  return records.settlements().update(sent.tenant, *stored) ? domain::Status{} : fenced_out();
}

domain::Result<DisbursementAttempt> Disburse::adopt(const ports::JournalledSend& sent, const RailOutcome& outcome) {
  ports::FundingRail* rail = rails_.find(sent.rail);
  if (!rail) return rail_missing(sent.rail);
  // The journal has the real time, the books of the tenant have its own.
  const ports::InTimeOf in_time(clock_, sent.tenant);
  const domain::Timestamp now = clock_.now();
  Attempt attempt;
  attempt.id = ids_.next<domain::TransferId>();
  attempt.pending_entry = ids_.next<domain::LedgerTransactionId>();
  attempt.subject = sent.subject;
  attempt.purpose = sent.purpose;
  attempt.number = sent.attempt;
  attempt.rail = sent.rail;
  attempt.rail_key = sent.key;
  attempt.amount = sent.amount;
  if (sent.purpose != domain::Purpose::advance)
    attempt.request_key = ports::kAnyKey;  // an advance has its key in the settlement
  attempt.sent_by = options_.node;
  attempt.epoch = sent.epoch + 1;
  attempt.created_at = sent.at.plus_ms(ports::TimeShift::current_ms());  // from then on the rail remembers its key
  attempt.updated_at = now;
  attempt.hold_until(lease_end());
  // Start from `unknown`, the only safe state of a payment that the database did not send.
  attempt.go(AttemptEvent::lose_track);
  std::optional<domain::Date> planned;
  if (sent.purpose != domain::Purpose::advance)
    if (const auto plan = rail->plan(std::nullopt, now, false)) planned = plan->effective_date;
  const auto adopted = commit_step(sent.tenant, attempt, [&](ports::Records& records) -> domain::Status {
    return insert_adopted(records, sent, attempt, planned);
  });
  if (!adopted) return adopted.error();
  faults::crash_point("disburse.adopt.committed");
  return finish(sent.tenant, attempt, rail->describe(), outcome, recorded_as(sent.tenant, "adopt"));
}

}  // namespace tideover::usecases
