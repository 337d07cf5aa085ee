#include "core/usecases/funding/disburse.hpp"

#include <algorithm>
#include <thread>

#include "core/faults/crash_point.hpp"
#include "core/usecases/allocation/payee_account.hpp"
#include "core/usecases/allocation/residual_due.hpp"
#include "core/usecases/claims/get_claim.hpp"
#include "core/usecases/rails/paid_claim.hpp"

namespace tideover::usecases {
namespace {

using domain::AttemptEvent;
using domain::AttemptState;
using domain::DisbursementAttempt;
using domain::Error;
using domain::ErrorCode;
using domain::Money;
using ports::RailOutcome;

/// Whether the rail ignores a second submit of this key because it still remembers the first.
bool drops_repeats(const ports::RailDescription& rail, const DisbursementAttempt& attempt, domain::Timestamp now) {
  return rail.recall == ports::RailRecall::dedup && now < attempt.created_at.plus_days(ports::kDedupRemembers_days);
}

/// Whether no further question helps: the rail answers no questions, answers about another payment, should have known
/// by now, or may have forgotten the key.
bool needs_operator(const ports::RailDescription& rail, const DisbursementAttempt& attempt, const RailOutcome& outcome,
                    domain::Timestamp now) {
  if (outcome.contradicts) return true;
  if (rail.recall == ports::RailRecall::blind) return true;
  if (rail.recall == ports::RailRecall::dedup)
    return outcome.kind == RailOutcome::Kind::not_found && !drops_repeats(rail, attempt, now);
  return rail.recall == ports::RailRecall::query && now >= attempt.created_at.plus_ms(rail.max_latency_s * 1000LL) &&
         attempt.resolve_tries > 0;
}

/// Whether the database lost the answer to a commit, so that the writes may be there. (A refusal because of an unknown
/// outcome at the rail is a certain answer of the database.)
bool is_uncertain(const Error& error) {
  return error.code == ErrorCode::service_unavailable &&
         std::any_of(error.details.begin(), error.details.end(),
                     [](const auto& detail) { return detail.first == "outcome" && detail.second == "uncertain"; });
}

bool sent_from_one_node(const ports::RailDescription& rail) {
  return rail.recall != ports::RailRecall::dedup;
}

/// The member of details that names the subject.
const char* id_member(const domain::PaymentSubject& subject) {
  return subject.settlement.empty() ? "payee_npi" : "settlement_id";
}

/// What a send needs to know, read in its transaction.
struct ToSend {
  domain::Sensitive<std::string> account;
  std::string claim_identifier{};  // of a settlement
  std::string void_code{};         // the reason why the payment is no longer to be made; empty: it is
};

domain::Result<ToSend> read_to_send(const ports::Records& records, const domain::TenantId& tenant,
                                    const DisbursementAttempt& attempt, AttemptState before) {
  const auto& subject = attempt.subject;
  if (attempt.purpose == domain::Purpose::payable) {
    // Once the rail may have it, a payout is sent again all the same: the next one nets a debt.
    const bool is_void = before == AttemptState::intent && (records.payees().due(tenant, subject.payee_npi) < Money{} ||
                                                            records.payees().is_takeback_open(tenant, attempt.id));
    return ToSend{payout_account_of(records, tenant, subject.payee_npi), "", is_void ? domain::kTakenBack : ""};
  }
  const auto stored = records.settlements().find(tenant, subject.settlement);
  if (!stored) return Error::of(ErrorCode::settlement_not_found, "Settlement not found.");
  ToSend send{stored->settlement.payout_account_token, stored->settlement.claim_identifier};
  if (attempt.purpose == domain::Purpose::residual) {
    if (residual_due(records, tenant, subject.settlement) < Money{} ||
        records.remittances().is_takeback_open(tenant, subject.settlement))
      send.void_code = domain::kTakenBack;
  } else if (before == AttemptState::intent) {  // it may have waited long since it was confirmed
    if (refuse_decided_claim(records.claims().find(tenant, send.claim_identifier)))
      send.void_code = domain::kClaimDecided;
    else if (refuse_disputed_claim(records, tenant, stored->settlement.claim_id))
      send.void_code = domain::kPaymentDisputed;
  }
  return send;
}

Error no_such_step(AttemptState from, AttemptEvent event) {
  return Error::of(ErrorCode::invalid_state, "An attempt that is " + std::string(name_of(from)) + " has no step " +
                                                 std::string(name_of(event)) + ".");
}

}  // namespace

Error fenced_out() {
  return Error::of(ErrorCode::idempotency_in_progress,
                   "Another worker is paying this settlement. Send the request again.")
      .retry_after(1);
}

Error rail_missing(const std::string& rail) {
  return Error::of(ErrorCode::rail_unavailable, "The rail " + rail + " is not configured on this service.")
      .retry_after(60);
}

Error outcome_unknown(const domain::PaymentSubject& subject) {
  return Error::of(ErrorCode::rail_outcome_unknown,
                   "The rail has not answered yet. The service keeps asking it and sends nothing twice.")
      .with("outcome", "uncertain")
      .with(id_member(subject), subject.text())
      .retry_after(5);
}

Error rail_rejected(const DisbursementAttempt& attempt) {
  const std::string end = attempt.reason.ends_with('.') ? "" : ".";
  auto error = Error::of(ErrorCode::rail_rejected, "The rail refused the payment: " + attempt.reason + end)
                   .with("code", attempt.reason_code)
                   .with("reason", attempt.reason)
                   .with("rail", attempt.rail)
                   .with(id_member(attempt.subject), attempt.subject.text());
  if (attempt.purpose != domain::Purpose::advance || attempt.reason_code == domain::kClaimDecided ||
      attempt.reason_code == domain::kPaymentDisputed)
    return error;
  const std::string change = "PATCH /v1/settlements/" + attempt.subject.text() + "/funding";
  error.message += " Use another rail or payout account with " + change + ", then confirm with a new Idempotency-Key.";
  error.details.emplace_back("change_funding", change);
  return error;
}

std::string Disburse::stored_key(const RequestContext& context) const {
  return context.idempotency
             ? digests_.digest("request-key-v1", context.caller.tenant.text() + '\n' + context.idempotency->key)
             : "";
}

std::string Disburse::rail_key(const domain::TenantId& tenant, const domain::PaymentSubject& subject,
                               domain::Purpose purpose, int number) const {
  const char* label = purpose == domain::Purpose::advance    ? "rail-key-v1"
                      : purpose == domain::Purpose::residual ? "rail-key-residual-v1"
                                                             : "rail-key-payable-v1";
  return digests_.digest(label, tenant.text() + '\n' + subject.text() + '\n' + std::to_string(number));
}

// Continue only from a step that is known to be written. When the database lost its answer, read the attempt: only its
// holder could have brought it to this state under this epoch.
domain::Status Disburse::commit_step(const domain::TenantId& tenant, const Attempt& after,
                                     const ports::Store::Unit& unit) {
  const auto done = store_.commit(unit, ports::Priority::interactive);
  if (done || !is_uncertain(done.error())) return done;
  for (const auto pause :
       {std::chrono::milliseconds(0), std::chrono::milliseconds(50), std::chrono::milliseconds(500)}) {
    std::this_thread::sleep_for(pause);
    const auto read = fetch(store_, [&](const ports::Records& records) {
      return records.settlements().latest_attempt(tenant, after.subject, after.purpose);
    });
    if (!read) continue;
    const auto& written = *read;
    if (written && written->id == after.id && written->epoch == after.epoch && written->state == after.state) return {};
  }
  return done;
}

/// Writes an audit row for a step without a request. Another unknown outcome is not worth a row.
OnOutcome Disburse::recorded_as(const domain::TenantId& tenant, const char* operation) {
  return [this, &tenant, operation](ports::Records& records, const domain::Settlement*,
                                    const Attempt& stands) -> domain::Status {
    if (stands.state != AttemptState::unknown)
      audit_rail_answer({records, tenant, stands.updated_at, ids_}, operation, stands);
    return {};
  };
}

bool Disburse::sends_here(ports::Records& records, const ports::RailDescription& rail, domain::Timestamp now) const {
  if (options_.node.empty() || !sent_from_one_node(rail)) return true;
  // A rail that does not recognise repeated keys has one sending node. The first one that serves it becomes that node.
  const auto sender = records.rail_senders().find(rail.rail);
  if (sender) return sender->node == options_.node;
  records.rail_senders().insert({rail.rail, options_.node, 1, now});  // with two first nodes, one gets `conflict`
  return true;
}

domain::Timestamp Disburse::next_question(const Attempt& attempt, domain::Timestamp now) const {
  const auto& waits = options_.resolve_after_s;
  const auto step = std::min<std::size_t>(static_cast<std::size_t>(attempt.resolve_tries), waits.size() - 1);
  return now.plus_ms(waits[step] * 1000LL);
}

// The database may have lost a payment under this key over another rail: the rail of a settlement can change, and the
// key does not say over which rail it was sent. Only that rail knows the payment.
domain::Status Disburse::follow_journal(Attempt& attempt) const {
  return journal_.visit([&](const ports::JournalledSend& sent) {
    if (sent.key != attempt.rail_key) return true;
    attempt.rail = sent.rail;
    return false;
  });
}

domain::Result<DisbursementAttempt> Disburse::carry_out(const domain::TenantId& tenant, Attempt attempt,
                                                        const OnOutcome& on_outcome) {
  // The journal may know more than a database that was restored or lost commits: ask about a payment that may have been
  // sent. The journal has real times; a clock only advances, so this one is never too late.
  if (journal_.may_hold(attempt.rail_key, attempt.created_at.plus_ms(-ports::TimeShift::current_ms()))) {
    if (auto read = follow_journal(attempt); !read) return read.error();
    auto lost = lose_track(tenant, std::move(attempt));
    if (!lost) return lost;
    return ask(tenant, *lost, on_outcome);
  }
  return send(tenant, std::move(attempt), AttemptEvent::submit, on_outcome);
}

domain::Result<DisbursementAttempt> Disburse::send(const domain::TenantId& tenant, Attempt attempt, AttemptEvent event,
                                                   const OnOutcome& on_outcome) {
  ports::FundingRail* rail = rails_.find(attempt.rail);
  if (!rail) return rail_missing(attempt.rail);

  ports::Disbursement disbursement{attempt.rail_key, attempt.amount, "", attempt.effective_date};
  const AttemptState before = attempt.state;
  bool elsewhere = false;
  std::string claim, void_code;
  const Lease lease(options_.lease);
  attempt.sent_by = options_.node;
  attempt.updated_at = clock_.now();
  attempt.hold_until(lease_end());
  if (!attempt.go(event)) return no_such_step(before, event);
  // Store `submitting` before anything is sent: after a crash this state means that the rail may have the payment.
  faults::crash_point("disburse.submitting.before");
  const auto marked = commit_step(tenant, attempt, [&](ports::Records& records) -> domain::Status {
    // Before any other row: the payer may take the money of a payout back at the same time.
    if (attempt.purpose != domain::Purpose::advance) records.clients().guard_matching(tenant);
    const auto to_send = read_to_send(records, tenant, attempt, before);
    if (!to_send) return to_send.error();
    void_code = to_send->void_code;
    // The error only rolls back this step. Code and flag say how to continue.
    if (!void_code.empty()) return fenced_out();
    if (!to_send->claim_identifier.empty()) claim = claim_digest(digests_, tenant, to_send->claim_identifier);
    disbursement.payout_account_token = to_send->account.reveal();
    elsewhere = !sends_here(records, rail->describe(), attempt.updated_at);
    if (elsewhere) return fenced_out();
    const bool ours = records.settlements().update_attempt(tenant, attempt, attempt.epoch, before);
    return ours ? domain::Status{} : fenced_out();
  });
  if (!void_code.empty()) {
    attempt.state = before;
    return end_unsent_or_ask(tenant, attempt, *rail, void_code, on_outcome);
  }
  if (elsewhere) {
    attempt.state = before;
    return attempt;
  }
  if (!marked) return marked.error().code == ErrorCode::conflict ? fenced_out() : marked.error();
  faults::crash_point("disburse.submitting.committed");
  return deliver(tenant, attempt, event, *rail, disbursement, claim, lease, on_outcome);
}

// The payer took back what this payout was to pay, or decided on the claim of this advance, or a rail may have paid the
// advance already. Where no rail saw the payment, it ends here. Else the rail may still have it: it is asked on, and
// nothing is sent again.
domain::Result<DisbursementAttempt> Disburse::end_unsent_or_ask(const domain::TenantId& tenant, const Attempt& attempt,
                                                                ports::FundingRail& rail, const std::string& void_code,
                                                                const OnOutcome& on_outcome) {
  RailOutcome outcome;
  outcome.kind = RailOutcome::Kind::not_found;
  if (attempt.state == AttemptState::intent) {
    outcome.kind = RailOutcome::Kind::rejected;
    outcome.reason_code = void_code;
    outcome.reason = void_code == domain::kTakenBack ? "The payer took back the money of this payout. It was not sent."
                     : void_code == domain::kClaimDecided
                         ? "The payer decided on the claim before the advance was sent. It was not sent."
                         : "A rail may have paid an advance on this claim before. Resolve the rail_disagreement task. "
                           "This payment was not sent.";
  }
  return finish(tenant, attempt, rail.describe(), outcome, on_outcome);
}

// The attempt is stored as `submitting`, and this worker holds it.
domain::Result<DisbursementAttempt> Disburse::deliver(const domain::TenantId& tenant, const Attempt& attempt,
                                                      AttemptEvent event, ports::FundingRail& rail,
                                                      const ports::Disbursement& disbursement, const std::string& claim,
                                                      const Lease& lease, const OnOutcome& on_outcome) {
  const auto witnessed =
      journal_.append({tenant, attempt.subject, attempt.purpose, attempt.number, attempt.rail, disbursement.key,
                       attempt.amount, attempt.epoch, real_now(clock_), std::nullopt, claim});
  if (!witnessed) return hold_back(tenant, attempt, witnessed.error());
  // A journal entry that was there before means that the payment may have been sent: only a deduplicating rail may get
  // it again, and only if it is the rail of that entry.
  const bool is_first = *witnessed == ports::Witnessed::now;
  Attempt sent = attempt;
  if (!is_first)
    if (const auto read = follow_journal(sent); !read) {
      const auto lost = lose_track(tenant, attempt);
      return lost ? outcome_unknown(attempt.subject) : lost.error();
    }
  const bool may_send = is_first || (rail.describe().recall == ports::RailRecall::dedup && sent.rail == attempt.rail);
  // A worker that was stopped past its lease may have been overtaken, and the attempt may have ended.
  if (!may_send || lease.is_over()) {
    auto lost = lose_track(tenant, sent);
    if (!lost) return lost;
    return ask(tenant, *lost, on_outcome);
  }
  // From here on the rail may have the payment: only its answer ends the attempt.
  faults::crash_point("rail.submit.before");
  const auto outcome = rail.submit(disbursement, options_.submit_timeout);
  faults::crash_point("rail.submit.answered");
  // Another rail may pay only after a refusal of a key that no rail got before: never after an unknown outcome. Another
  // node may have sent it before, and a damaged journal forgets: the attempt must not have been unknown either.
  const bool is_definite = outcome.kind == RailOutcome::Kind::rejected && is_first && event == AttemptEvent::submit;
  std::optional<Fallback> next;
  if (is_definite) next = plan_fallback(tenant, attempt);
  auto ended = finish(tenant, attempt, rail.describe(), outcome, on_outcome, next ? &*next : nullptr);
  // The rail was asked. When its answer cannot be stored, the outcome is unknown.
  if (!ended && ended.error().code != ErrorCode::idempotency_in_progress) return outcome_unknown(attempt.subject);
  if (ended && next && next->is_claimed) return carry_out(tenant, next->attempt, on_outcome);
  return ended;
}

// The journal could not be written, so the rail was not asked: back to `intent`, for the resolver.
Error Disburse::hold_back(const domain::TenantId& tenant, Attempt attempt, Error why) {
  attempt.updated_at = clock_.now();
  attempt.ask_at(next_question(attempt, attempt.updated_at));
  attempt.go(AttemptEvent::hold_back);
  const auto held = commit_step(tenant, attempt, [&](ports::Records& records) -> domain::Status {
    return records.settlements().update_attempt(tenant, attempt, attempt.epoch, AttemptState::submitting)
               ? domain::Status{}
               : fenced_out();
  });
  // If that failed too, the attempt stays `submitting`, and the rail is asked before anything is sent.
  why.message += held ? " This payment was not sent. The service sends it as soon as possible."
                      : " This payment was not sent. The service asks the rail and continues automatically.";
  return why;
}

domain::Result<DisbursementAttempt> Disburse::lose_track(const domain::TenantId& tenant, Attempt attempt) {
  const AttemptState before = attempt.state;
  attempt.updated_at = clock_.now();
  attempt.hold_until(lease_end());
  if (!attempt.go(AttemptEvent::lose_track)) return no_such_step(before, AttemptEvent::lose_track);
  const auto lost = commit_step(tenant, attempt, [&](ports::Records& records) -> domain::Status {
    return records.settlements().update_attempt(tenant, attempt, attempt.epoch, before) ? domain::Status{}
                                                                                        : fenced_out();
  });
  if (!lost) return lost.error();
  faults::crash_point("disburse.unknown.committed");
  return attempt;
}

// The attempt is stored as `unknown`, and this worker holds it.
domain::Result<DisbursementAttempt> Disburse::ask(const domain::TenantId& tenant, const Attempt& attempt,
                                                  const OnOutcome& on_outcome) {
  ports::FundingRail* rail = rails_.find(attempt.rail);
  if (!rail) return rail_missing(attempt.rail);
  const auto recall = rail->describe().recall;
  RailOutcome outcome;
  if (recall != ports::RailRecall::blind) {
    faults::crash_point("rail.query.before");
    outcome = rail->query(attempt.rail_key, attempt.amount, options_.submit_timeout);
    faults::crash_point("rail.query.answered");
  }
  if (outcome.kind == RailOutcome::Kind::not_found) {
    // Such a rail pays a key once, so sending it again is safe.
    if (drops_repeats(rail->describe(), attempt, clock_.now()))
      return send(tenant, attempt, AttemptEvent::resubmit, on_outcome);
    // The rail has blocked the key: a payment that is still on its way will be refused. A new attempt needs a new
    // confirm.
    if (recall == ports::RailRecall::fence) {
      outcome.kind = RailOutcome::Kind::rejected;
      outcome.reason_code = "never_received";
      outcome.reason = "The rail did not receive the payment.";
    }
  }
  return finish(tenant, attempt, rail->describe(), outcome, on_outcome);
}

domain::Result<DisbursementAttempt> Disburse::finish(const domain::TenantId& tenant, Attempt attempt,
                                                     const ports::RailDescription& rail, const RailOutcome& outcome,
                                                     const OnOutcome& on_outcome, Fallback* next) {
  const Origin origin{attempt.state, attempt.epoch};
  const domain::Timestamp now = clock_.now();
  attempt.updated_at = now;
  if (!outcome.reference.empty()) attempt.rail_reference = outcome.reference;
  attempt.reason_code = outcome.reason_code;
  attempt.reason = outcome.reason;
  attempt.ask_at(next_question(attempt, now));
  const auto event = event_of(outcome, origin.state, rail.final_on_accept);
  // The table of steps is the only way to change a state: an answer out of order cannot undo a paid attempt.
  if (!event || !attempt.go(*event)) return no_such_step(origin.state, event.value_or(AttemptEvent::lose_track));
  if (attempt.state == AttemptState::unknown && needs_operator(rail, attempt, outcome, now))
    attempt.go(AttemptEvent::hand_over);
  if (is_paid(attempt.state)) {
    attempt.resolve_tries = 0;  // the follow-up counts its own questions
    // A payment that was returned already is posted as paid first. The next question then posts the return.
    attempt.next_resolve_at =
        outcome.kind == RailOutcome::Kind::returned ? now : next_question_at(rail, attempt.state, now);
  }

  faults::crash_point("disburse.result.before");
  Attempt latest = attempt;  // after the commit; a fallback is the later attempt
  const auto done = commit_step(tenant, latest, [&](ports::Records& records) {
    const UnitOfWork unit{records, tenant, now, ids_, options_.rules};
    if (!next) return book_outcome(unit, attempt, origin, on_outcome);
    next->is_claimed = false;
    // Before any other row, in the order of a claim.
    records.clients().guard_matching(tenant);
    records.claims().guard(tenant, next->claim);
    auto booked = book_outcome(unit, attempt, origin, started_with(*next, tenant, on_outcome));
    latest = next->is_claimed ? next->attempt : attempt;
    return booked;
  });
  if (!done) return done.error().code == ErrorCode::conflict ? fenced_out() : done.error();
  faults::crash_point("disburse.result.committed");
  // Only a note: the database has the outcome already.
  journal_.note(attempt.rail_key, attempt.state, real_now(clock_));
  return attempt;
}

domain::Status Disburse::resolve(const domain::TenantId& tenant, Attempt attempt) {
  // Take the attempt over: from now on a late writer with the old epoch is fenced out.
  const int epoch = attempt.epoch;
  const AttemptState before = attempt.state;
  attempt.epoch = epoch + 1;
  attempt.updated_at = clock_.now();
  attempt.hold_until(lease_end());
  if (before == AttemptState::submitting) attempt.go(AttemptEvent::lose_track);
  if (before != AttemptState::intent) ++attempt.resolve_tries;
  faults::crash_point("resolve.take_over.before");
  // Not commit_step: two workers that take over at once would bring the attempt to the same state and epoch.
  const auto taken = store_.commit(
      [&](ports::Records& records) -> domain::Status {
        return records.settlements().update_attempt(tenant, attempt, epoch, before) ? domain::Status{} : fenced_out();
      },
      ports::Priority::background);
  if (!taken) return taken.error();
  faults::crash_point("resolve.take_over.committed");

  // In `intent` the rail was never asked, according to the database: continue where the worker stopped.
  const auto on_record = recorded_as(tenant, "resolve");
  const auto ended =
      attempt.state == AttemptState::intent ? carry_out(tenant, attempt, on_record) : ask(tenant, attempt, on_record);
  return ended ? domain::Status{} : domain::Status(ended.error());
}

domain::Result<DisbursementAttempt> Disburse::record(const domain::TenantId& tenant, Attempt attempt,
                                                     AttemptEvent event, const RailOutcome& outcome,
                                                     const OnOutcome& on_outcome) {
  const Origin origin{attempt.state, attempt.epoch};
  if (!attempt.go(event)) return no_such_step(origin.state, event);
  const domain::Timestamp now = clock_.now();
  // The epoch fences out a worker that still holds the attempt: this answer ends it.
  attempt.epoch = origin.epoch + 1;
  attempt.in_progress = false;
  attempt.updated_at = now;
  if (!outcome.reference.empty()) attempt.rail_reference = outcome.reference;
  attempt.reason_code = outcome.reason_code;
  attempt.reason = outcome.reason;
  if (is_paid(attempt.state)) {
    attempt.resolve_tries = 0;
    const ports::FundingRail* rail = rails_.find(attempt.rail);
    attempt.next_resolve_at = !rail ? kNeverAgain
                              : outcome.kind == RailOutcome::Kind::returned
                                  ? now
                                  : next_question_at(rail->describe(), attempt.state, now);
  }
  faults::crash_point("disburse.record.before");
  const auto recorded = on_outcome ? on_outcome : recorded_as(tenant, "record");
  const auto done = commit_step(tenant, attempt, [&](ports::Records& records) {
    return book_outcome({records, tenant, now, ids_, options_.rules}, attempt, origin, recorded);
  });
  if (!done) return done.error().code == ErrorCode::conflict ? fenced_out() : done.error();
  faults::crash_point("disburse.record.committed");
  journal_.note(attempt.rail_key, attempt.state, real_now(clock_));
  return attempt;
}

}  // namespace tideover::usecases
