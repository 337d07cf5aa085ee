#include "core/usecases/disburse.hpp"

#include <algorithm>

#include "core/usecases/get_claim.hpp"
#include "core/usecases/match_payments.hpp"

namespace tideover::usecases {
namespace {

using domain::AttemptState;
using domain::DisbursementAttempt;
using domain::Error;
using domain::ErrorCode;
using domain::FundingStatus;
using domain::SettlementEvent;
using ports::RailOutcome;

Error fenced_out() {
  return Error::of(ErrorCode::idempotency_in_progress, "Another worker is funding this settlement; ask again.").retry_after(1);
}

Error rail_missing(const std::string& rail) {
  return Error::of(ErrorCode::rail_unavailable, "The rail " + rail + " is not configured on this service.").retry_after(60);
}

/// Why this settlement cannot be funded now; nullopt when it can.
std::optional<Error> refusal_of(const domain::Settlement& settlement, domain::Timestamp now) {
  using domain::SettlementStatus;
  if (settlement.status == SettlementStatus::pending_confirmation && settlement.decision == domain::Decision::manual_review)
    return Error::of(ErrorCode::manual_review_pending, "A person has to decide on this settlement before it can be confirmed.");
  if (!next_status(settlement.status, settlement.decision, SettlementEvent::confirm))
    return Error::of(ErrorCode::invalid_state, "A settlement that is " + std::string(name_of(settlement.status)) + " cannot be confirmed.")
        .with("status", std::string(name_of(settlement.status)))
        .with_list("allowed", allowed_events(settlement.status, settlement.decision));
  if (settlement.expires_at <= now)
    return Error::of(ErrorCode::invalid_state, "The terms have expired; review the claim again.")
        .with("status", std::string(name_of(settlement.status)))
        .with("expires_at", format_timestamp(settlement.expires_at));
  return std::nullopt;
}

/// The plan as it is today: what was agreed on earlier may have lost its day or its cut-off since.
domain::Result<domain::FundingPlan> plan_again(ports::FundingRail& rail, const domain::FundingPlan& agreed, domain::Timestamp now, bool strict) {
  auto plan = rail.plan(agreed.desired_date, now, false);
  if (!plan && agreed.desired_date) plan = rail.plan(std::nullopt, now, false);
  if (!plan) return plan.error();
  plan->desired_date = agreed.desired_date;
  if (plan->effective_date == agreed.effective_date) {
    plan->adjusted = agreed.adjusted;
  } else if (strict) {
    return Error::of(ErrorCode::invalid_desired_date, "The money can no longer move on the agreed day; adjudicate again.")
        .with("effective_date", format_date(agreed.effective_date))
        .with("next_effective_date", format_date(plan->effective_date));
  } else {
    plan->adjusted = true;
  }
  return plan;
}

/// A rail that cannot be asked, or could have known by now, will not tell any more.
bool needs_a_person(const ports::RailDescription& rail, const DisbursementAttempt& attempt, domain::Timestamp now) {
  if (rail.recall == ports::RailRecall::blind) return true;
  return rail.recall == ports::RailRecall::query && now >= attempt.created_at.plus_ms(rail.max_latency_s * 1000LL) && attempt.resolve_tries > 0;
}

domain::LedgerTransaction advance_entry(const domain::Settlement& settlement, const DisbursementAttempt& attempt) {
  domain::LedgerTransaction entry;
  entry.cause_kind = "disbursement";
  entry.cause_id = attempt.id.text();
  entry.settlement = settlement.id;
  entry.debit(domain::account::purchased_receivable(settlement.id), attempt.amount);
  entry.credit(std::string(domain::account::kFundingCash), attempt.amount);
  return entry;
}

}  // namespace

Error outcome_unknown(const domain::SettlementId& settlement) {
  return Error::of(ErrorCode::rail_outcome_unknown, "The rail has not answered yet; the service keeps asking it. Nothing is sent twice.")
      .with("outcome", "uncertain")
      .with("settlement_id", settlement.text())
      .retry_after(5);
}

Error rail_rejected(const DisbursementAttempt& attempt) {
  return Error::of(ErrorCode::rail_rejected, "The rail refused the payment: " + attempt.reason)
      .with("code", attempt.reason_code)
      .with("reason", attempt.reason)
      .with("settlement_id", attempt.settlement.text());
}

domain::Result<DisbursementAttempt> Disburse::claim(const Act& act, const domain::Settlement& seen) {
  const auto& tenant = act.caller.tenant;
  const domain::SettlementId& id = seen.id;
  DisbursementAttempt attempt;
  const domain::Timestamp now = clock_.now();
  const std::string key = act.idempotency ? act.idempotency->key : "";

  // The rail's plugin is asked before the transaction, never inside one.
  ports::FundingRail* rail = rails_.find(seen.funding.rail);
  auto plan = rail ? plan_again(*rail, seen.funding, now, act.caller.profile == domain::ValidationProfile::strict)
                   : domain::Result<domain::FundingPlan>(rail_missing(seen.funding.rail));
  if (rail && rail->describe().status == "suspended")
    plan = Error::of(ErrorCode::rail_unavailable, "The rail " + seen.funding.rail + " is suspended; confirm again later.").retry_after(60);

  const auto transfer = ids_.next<domain::TransferId>();
  const auto pending = ids_.next<domain::LedgerTransactionId>();
  const auto done = store_.commit([&](ports::Records& records) -> domain::Status {
    records.claims().guard(tenant, seen.claim_id);
    auto stored = records.settlements().find(tenant, id);
    if (!stored) return Error::of(ErrorCode::settlement_not_found, "There is no such settlement.");
    auto& settlement = stored->settlement;
    if (settlement.funding_status == FundingStatus::unknown) return outcome_unknown(id);
    if (settlement.funding_status == FundingStatus::pending_submission) return fenced_out();
    if (settlement.status == domain::SettlementStatus::funded)
      return Error::of(ErrorCode::conflict, "This settlement was funded at the same moment.");
    if (auto refusal = refusal_of(settlement, now)) return *refusal;
    if (auto decided = refuse_decided_claim(records, tenant, settlement.claim_identifier)) return *decided;
    if (act.idempotency)
      if (const auto answer = records.answers().find(tenant, act.idempotency->scope); answer && answer->expires_at > now)
        return Error::of(ErrorCode::conflict, "This request has been answered already.");
    const auto last = records.settlements().latest_attempt(tenant, id);
    // A refusal that the resolver learnt has no stored answer: the retry under its key hears it here.
    if (last && last->state == AttemptState::rejected && !key.empty() && key == stored->confirm_key) return rail_rejected(*last);
    if (!plan) return plan.error();

    attempt = {};
    attempt.id = transfer;
    attempt.settlement = id;
    attempt.number = last ? last->number + 1 : 1;
    attempt.rail = settlement.funding.rail;
    attempt.rail_key = digests_.digest("rail-key-v1", tenant.text() + '\n' + id.text() + '\n' + std::to_string(attempt.number));
    attempt.amount = settlement.terms.advance_amount;
    attempt.pending_entry = pending;
    attempt.created_at = attempt.updated_at = now;
    attempt.next_resolve_at = now.plus_ms(options_.lease.count());
    records.settlements().insert_attempt(tenant, attempt);

    auto entry = advance_entry(settlement, attempt);
    entry.id = pending;
    entry.phase = domain::LedgerPhase::pending;
    entry.at = now;
    records.ledger().append(tenant, entry);

    settlement.funding_status = FundingStatus::pending_submission;
    settlement.funding = *plan;
    stored->confirm_key = key;
    leave_audit_row(records, act, ids_, id.text(), "claimed");
    return records.settlements().update(tenant, *stored) ? domain::Status{} : fenced_out();
  });
  if (!done) return done.error();
  return attempt;
}

domain::Result<DisbursementAttempt> Disburse::send(const domain::TenantId& tenant, DisbursementAttempt attempt,
                                                   const OnOutcome& on_outcome) {
  ports::FundingRail* rail = rails_.find(attempt.rail);
  if (!rail) return rail_missing(attempt.rail);

  // From here on the rail may have been asked: only its own word ends the attempt.
  ports::Disbursement disbursement{attempt.rail_key, attempt.amount, "", {}};
  const AttemptState before = attempt.state;
  attempt.state = AttemptState::submitting;
  attempt.updated_at = clock_.now();
  const auto marked = store_.commit([&](ports::Records& records) -> domain::Status {
    const auto stored = records.settlements().find(tenant, attempt.settlement);
    if (!stored) return Error::of(ErrorCode::settlement_not_found, "There is no such settlement.");
    disbursement.payout_account_token = stored->settlement.payout_account_token.reveal();
    disbursement.effective_date = stored->settlement.funding.effective_date;
    return records.settlements().update_attempt(tenant, attempt, attempt.epoch, before) ? domain::Status{} : fenced_out();
  });
  if (!marked) return marked.error();

  auto ended = finish(tenant, attempt, rail->describe(), rail->submit(disbursement, options_.submit_timeout), on_outcome);
  if (!ended && ended.error().code != ErrorCode::idempotency_in_progress) return outcome_unknown(attempt.settlement);
  return ended;
}

domain::Result<DisbursementAttempt> Disburse::finish(const domain::TenantId& tenant, DisbursementAttempt attempt,
                                                     const ports::RailDescription& rail, const RailOutcome& outcome, const OnOutcome& on_outcome) {
  const AttemptState before = attempt.state;
  const domain::Timestamp now = clock_.now();
  attempt.updated_at = now;
  attempt.rail_reference = outcome.reference;
  attempt.reason_code = outcome.reason_code;
  attempt.reason = outcome.reason;
  FundingStatus funding = FundingStatus::unknown;
  switch (outcome.kind) {
    case RailOutcome::Kind::accepted:
    case RailOutcome::Kind::returned:  // it moved before it came back: booked in that order, the return when asked again
      attempt.state = AttemptState::accepted;
      funding = FundingStatus::submitted;
      break;
    case RailOutcome::Kind::settled:
      attempt.state = AttemptState::settled;
      funding = FundingStatus::settled;
      break;
    case RailOutcome::Kind::rejected:
      attempt.state = AttemptState::rejected;
      funding = FundingStatus::rejected;
      break;
    case RailOutcome::Kind::not_found:
    case RailOutcome::Kind::unknown: {
      attempt.state = needs_a_person(rail, attempt, now) ? AttemptState::manual : AttemptState::unknown;
      const auto& waits = options_.resolve_after_s;
      const auto step = std::min<std::size_t>(static_cast<std::size_t>(attempt.resolve_tries), waits.size() - 1);
      attempt.next_resolve_at = now.plus_ms(waits[step] * 1000LL);
      break;
    }
  }
  const bool paid = attempt.state == AttemptState::accepted || attempt.state == AttemptState::settled;
  const bool refused = attempt.state == AttemptState::rejected;
  const bool handed_over = attempt.state == AttemptState::manual;
  const auto task = ids_.next<domain::TaskId>();
  const auto resolution = ids_.next<domain::LedgerTransactionId>();
  const auto event = ids_.next<domain::EventId>();

  const auto done = store_.commit([&](ports::Records& records) -> domain::Status {
    if (paid) records.clients().guard_matching(tenant);  // before any other row, as every matching does
    auto stored = records.settlements().find(tenant, attempt.settlement);
    if (!stored) return Error::of(ErrorCode::settlement_not_found, "There is no such settlement.");
    auto& settlement = stored->settlement;
    if (!records.settlements().update_attempt(tenant, attempt, attempt.epoch, before)) return fenced_out();
    const bool was_unknown = settlement.funding_status == FundingStatus::unknown;
    settlement.funding_status = funding;
    if (paid) {
      settlement.status = next_status(settlement.status, settlement.decision, SettlementEvent::confirm).value_or(settlement.status);
      settlement.funded_amount = attempt.amount;
      settlement.funded_at = now;
    }
    if (paid || refused) {
      auto entry = advance_entry(settlement, attempt);
      entry.id = resolution;
      entry.phase = paid ? domain::LedgerPhase::posted : domain::LedgerPhase::voided;
      entry.resolves = attempt.pending_entry;
      entry.at = now;
      records.ledger().append(tenant, entry);
    }
    if (!records.settlements().update(tenant, *stored)) return fenced_out();

    if (paid)
      records.events().append(tenant, {event, now, domain::SettlementFunded{settlement.id, attempt.id, attempt.rail, attempt.amount}});
    else if (refused)
      records.events().append(tenant, {event, now, domain::FundingRejected{settlement.id, attempt.id, attempt.rail, attempt.reason_code}});
    else if (!was_unknown)
      records.events().append(tenant, {event, now, domain::FundingUnclear{settlement.id, attempt.id, attempt.rail}});
    if (handed_over)
      records.tasks().open(tenant, {task, "funding_unknown", settlement.id.text(), "The rail cannot tell what became of the payment.", now});
    if (on_outcome) on_outcome(records, settlement, attempt);
    // Last, because it reads what was written above: the payer may have been quicker than the rail's answer.
    if (paid) MatchPayments(records, tenant, now, ids_).settlement_funded(settlement);
    return {};
  });
  if (!done) return done.error().code == ErrorCode::conflict ? fenced_out() : done.error();
  return attempt;
}

domain::Status Disburse::resolve(const domain::TenantId& tenant, DisbursementAttempt attempt) {
  // Take it over: from now on a late writer of the old epoch is fenced out.
  const int epoch = attempt.epoch;
  const AttemptState before = attempt.state;
  attempt.epoch = epoch + 1;
  attempt.updated_at = clock_.now();
  attempt.next_resolve_at = attempt.updated_at.plus_ms(options_.lease.count());
  if (before == AttemptState::submitting) attempt.state = AttemptState::unknown;
  if (before != AttemptState::intent) ++attempt.resolve_tries;
  const auto taken = store_.commit(
      [&](ports::Records& records) -> domain::Status {
        return records.settlements().update_attempt(tenant, attempt, epoch, before) ? domain::Status{} : fenced_out();
      },
      ports::Priority::background);
  if (!taken) return taken.error();

  // `intent` was never shown to the rail: go on where the worker stopped.
  if (attempt.state == AttemptState::intent) {
    const auto sent = send(tenant, attempt, nullptr);
    return sent ? domain::Status{} : domain::Status(sent.error());
  }
  ports::FundingRail* rail = rails_.find(attempt.rail);
  if (!rail) return rail_missing(attempt.rail);
  const auto recall = rail->describe().recall;
  RailOutcome outcome;
  if (recall != ports::RailRecall::blind) outcome = rail->query(attempt.rail_key, attempt.amount, options_.submit_timeout);
  if (outcome.kind == RailOutcome::Kind::not_found && recall == ports::RailRecall::dedup) {
    // The rail drops a second submit of this key, so asking again is safe.
    const auto sent = send(tenant, attempt, nullptr);
    return sent ? domain::Status{} : domain::Status(sent.error());
  }
  if (outcome.kind == RailOutcome::Kind::not_found && recall == ports::RailRecall::fence) {
    outcome.kind = RailOutcome::Kind::rejected;
    outcome.reason_code = "never_received";
    outcome.reason = "The rail never received the payment.";
  }
  const auto finished = finish(tenant, attempt, rail->describe(), outcome, nullptr);
  return finished ? domain::Status{} : domain::Status(finished.error());
}

}  // namespace tideover::usecases
