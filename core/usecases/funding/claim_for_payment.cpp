// The start of a payment: claims a settlement for its advance or for a payout of its residual (declared in
// disburse.hpp). A claim is one transaction: the attempt in `intent`, its pending ledger entry and the settlement. No
// rail gets a payment here.
#include <algorithm>

#include "core/faults/crash_point.hpp"
#include "core/usecases/allocation/residual_due.hpp"
#include "core/usecases/claims/get_claim.hpp"
#include "core/usecases/claims/get_settlement.hpp"
#include "core/usecases/funding/disburse.hpp"
#include "core/usecases/ledger/post_entry.hpp"
#include "core/usecases/matching/alike_advances.hpp"
#include "core/usecases/rails/paid_claim.hpp"
#include "core/usecases/rails/rail_checks.hpp"

namespace tideover::usecases {
namespace {

using domain::AttemptState;
using domain::DisbursementAttempt;
using domain::Error;
using domain::ErrorCode;
using domain::FundingStatus;
using domain::Money;
using domain::SettlementEvent;

Error rail_suspended(const std::string& rail) {
  return Error::of(ErrorCode::rail_unavailable, "The rail " + rail + " is suspended. Retry later.").retry_after(60);
}

/// The reason why this settlement cannot be funded now; nullopt when it can. `seen` is what the caller planned for.
std::optional<Error> refusal_of(const ports::Records& records, const domain::TenantId& tenant,
                                const domain::Settlement& settlement, const domain::Settlement& seen,
                                domain::Timestamp now) {
  if (settlement.funding.rail != seen.funding.rail || settlement.funding.desired_date != seen.funding.desired_date)
    return Error::of(ErrorCode::conflict, "The funding changed at the same time. Send the request again.");
  if (waits_for_review(settlement)) {
    auto waits = Error::of(ErrorCode::manual_review_pending,
                           "This settlement waits for a manual review. Confirm it after its task is approved.")
                     .with("settlement_id", settlement.id.text());
    if (const auto task = review_task_of(records, tenant, settlement))
      waits.details.emplace_back("task_id", task->text());
    return waits;
  }
  if (!next_status(settlement.status, settlement.decision, SettlementEvent::confirm))
    return Error::of(ErrorCode::invalid_state,
                     "A settlement that is " + std::string(name_of(settlement.status)) + " cannot be confirmed.")
        .with("status", std::string(name_of(settlement.status)))
        .with_list("allowed", allowed_events(settlement.status, settlement.decision));
  if (settlement.expires_at <= now)
    return Error::of(ErrorCode::invalid_state, "The terms have expired. Review the claim and adjudicate it again.")
        .with("status", std::string(name_of(settlement.status)))
        .with("expires_at", format_timestamp(settlement.expires_at));
  return std::nullopt;
}

Error attempts_used_up(const domain::Settlement& settlement) {
  return Error::of(ErrorCode::invalid_state,
                   "The advance was rejected " + std::to_string(domain::kMostAttempts) +
                       " times. Cancel the settlement and adjudicate the authorization again.")
      .with("settlement_id", settlement.id.text())
      .with("status", std::string(name_of(settlement.status)));
}

/// The plan for today: the agreed day or cut-off may have passed.
domain::Result<domain::FundingPlan> plan_again(ports::FundingRail& rail, const domain::FundingPlan& agreed,
                                               domain::Timestamp now, bool strict) {
  auto plan = plan_for_day(rail, agreed.desired_date, now, false);
  if (!plan) return plan.error();
  if (plan->effective_date == agreed.effective_date) {
    plan->adjusted = agreed.adjusted;
  } else if (strict) {
    return Error::of(ErrorCode::invalid_desired_date,
                     "The rail cannot pay on the agreed day any more. Adjudicate again.")
        .with("effective_date", format_date(agreed.effective_date))
        .with("next_effective_date", format_date(plan->effective_date));
  } else {
    plan->adjusted = true;
  }
  return plan;
}

Error held_back(const domain::SettlementId& settlement, domain::Date until) {
  return Error::of(ErrorCode::invalid_state, "The terms of this advance hold its residual for some days.")
      .with("settlement_id", settlement.text())
      .with("held_until", format_date(until));
}

/// The residual that a payout may claim now, or why it may not. Reads only.
domain::Result<Money> residual_to_claim(const ports::Records& records, const domain::TenantId& tenant,
                                        const domain::Settlement& settlement,
                                        const std::vector<DisbursementAttempt>& payouts, const PayoutOrder& order,
                                        const ports::FundingRail& rail, domain::Date today) {
  // One request never makes two payouts, even when its stored response is lost.
  const bool is_asked_again =
      !order.request_key.empty() && std::any_of(payouts.begin(), payouts.end(), [&](const DisbursementAttempt& made) {
        return made.request_key == order.request_key;
      });
  if (is_asked_again)
    return Error::of(ErrorCode::conflict,
                     "This request made its payout before. Send it again to get the stored response.");
  if (settlement.payout_status == FundingStatus::unknown) return outcome_unknown(settlement.id);
  if (settlement.payout_status == FundingStatus::pending_submission) return fenced_out();
  const bool was_returned = settlement.funding_status == FundingStatus::returned;
  if (settlement.status != domain::SettlementStatus::funded &&
      !was_returned)  // after a returned advance, the payer's money is due to the provider
    return Error::of(ErrorCode::invalid_state, "Only a funded settlement pays out a residual.")
        .with("status", std::string(name_of(settlement.status)));
  // A takeback that waits for a reviewer may reduce the residual: pay nothing until it is decided.
  if (records.remittances().is_takeback_open(tenant, settlement.id))
    return Error::of(ErrorCode::invalid_state,
                     "A takeback of the payer on this settlement waits for a reviewer. Decide "
                     "on its task first.")
        .with("settlement_id", settlement.id.text());
  if (const auto until = held_until(records, tenant, settlement, today)) return held_back(settlement.id, *until);
  const Money due = residual_due(records, tenant, settlement.id);
  const bool may_be_asked_again =
      !order.request_key.empty() && !payouts.empty() && payouts.back().request_key == ports::kAnyKey;
  if (due <= Money{} && may_be_asked_again)
    return Error::of(ErrorCode::conflict,
                     "The whole residual was paid out by a request whose key the database has lost.");
  if (due < std::max(order.at_least, rail.describe().min_amount))
    return Error::of(ErrorCode::invalid_state,
                     due < Money{}   ? "Nothing is due: the payer took back money that was paid out of this residual."
                     : due.is_zero() ? "No residual is due for this settlement."
                                     : "The residual that is due is below the smallest payment of the rail.")
        .with("residual_due", format_money(due));
  return due;
}

}  // namespace

std::optional<Error> Disburse::refusal_of_claim(const ports::Records& records, const domain::TenantId& tenant,
                                                const domain::Settlement& settlement, domain::Date today) const {
  const auto claim = records.claims().find(tenant, settlement.claim_identifier);
  if (auto decided = refuse_decided_claim(claim)) return decided;  // guarded: no answer comes in between
  if (auto answered = refusal_of_alike(records, tenant, settlement, claim, today)) return answered;
  if (auto paid = refuse_paid_claim(records, tenant, settlement.claim_id,
                                    claim_digest(digests_, tenant, settlement.claim_identifier), settlement.id))
    return paid;
  return refuse_disputed_claim(records, tenant, settlement.claim_id);
}

domain::Result<DisbursementAttempt> Disburse::claim(const RequestContext& context, const domain::Settlement& seen) {
  const auto& tenant = context.caller.tenant;
  const domain::SettlementId& id = seen.id;
  DisbursementAttempt attempt;
  const domain::Timestamp now = clock_.now(), lease_ends = lease_end();
  const std::string key = stored_key(context);

  // Ask the rail's plugin before the transaction, never inside one.
  ports::FundingRail* rail = rails_.find(seen.funding.rail);
  auto plan = rail ? plan_again(*rail, seen.funding, now, context.caller.profile == domain::ValidationProfile::strict)
                   : domain::Result<domain::FundingPlan>(rail_missing(seen.funding.rail));
  if (rail && rail->describe().status == "suspended") plan = rail_suspended(seen.funding.rail);

  // Without a writable journal, start nothing: a payment without a journal entry could be sent twice after a restore.
  if (auto witness = journal_.ready(); !witness) return witness.error();
  attempt.id = ids_.next<domain::TransferId>();
  attempt.pending_entry = ids_.next<domain::LedgerTransactionId>();
  attempt.subject = id;
  faults::crash_point("disburse.claim.before");
  const auto unit = [&](ports::Records& records) -> domain::Status {
    // Before any other row, as in every matching: no remittance is matched without this advance in the meantime.
    records.clients().guard_matching(tenant);
    records.claims().guard(tenant, seen.claim_id);
    auto stored = records.settlements().find(tenant, id);
    if (!stored) return Error::of(ErrorCode::settlement_not_found, "Settlement not found.");
    auto& settlement = stored->settlement;
    if (settlement.funding_status == FundingStatus::unknown) return outcome_unknown(id);  // it may have paid
    if (settlement.funding_status == FundingStatus::pending_submission) return fenced_out();
    if (settlement.status == domain::SettlementStatus::funded)
      return Error::of(ErrorCode::conflict, "This settlement was funded at the same time. Read it again.");
    if (auto refusal = refusal_of(records, tenant, settlement, seen, now)) return *refusal;
    if (auto refusal = refusal_of_claim(records, tenant, settlement, now.utc_date())) return *refusal;
    if (context.idempotency)
      if (const auto answer = records.answers().find(tenant, context.idempotency->scope);
          answer && answer->expires_at > context.real_now())
        return Error::of(ErrorCode::conflict,
                         "This request was answered before. Send it again to get the stored response.");
    const auto last = records.settlements().latest_attempt(tenant, id, attempt.purpose);
    // The resolver learned of the refusal, so no response is stored: answer the retry under this key here. If a later
    // attempt was lost, the retry takes it up.
    if (last && last->state == AttemptState::rejected && !key.empty() && key == stored->confirm_key) {
      const auto is_lost = has_lost_fallback(tenant, *last);
      if (!is_lost) return outcome_unknown(id);
      if (!*is_lost) return rail_rejected(*last);
    }
    if (last && last->number >= domain::kMostAttempts) return attempts_used_up(settlement);
    if (!plan) return plan.error();

    attempt.number = last ? last->number + 1 : 1;
    attempt.rail = settlement.funding.rail;
    attempt.rail_key = rail_key(tenant, id, attempt.purpose, attempt.number);
    attempt.amount = settlement.terms.advance_amount;
    attempt.effective_date = plan->effective_date;
    attempt.created_at = attempt.updated_at = now;
    // Another node that sends over this rail may take the attempt immediately.
    sends_here(records, rail->describe(), now) ? attempt.hold_until(lease_ends) : attempt.ask_at(now);
    records.settlements().insert_attempt(tenant, attempt);
    post_entry({records, tenant, now, ids_}, pending_payment(tenant, attempt, settlement));
    faults::crash_point("disburse.claim.booked");

    settlement.funding_status = FundingStatus::pending_submission;
    settlement.funding = *plan;
    stored->confirm_key = key;
    leave_audit_row(records, context, ids_, id.text(), "claimed");
    return records.settlements().update(tenant, *stored) ? domain::Status{} : fenced_out();
  };
  if (auto done = commit_step(tenant, attempt, unit); !done) return done.error();
  faults::crash_point("disburse.claim.committed");
  return attempt;
}

// As before an advance: ask the plugin before the transaction, and start nothing without a writable journal.
domain::Result<DisbursementAttempt> Disburse::start_payout(const std::string& rail_name) {
  ports::FundingRail* rail = rails_.find(rail_name);
  if (!rail) return rail_missing(rail_name);
  if (rail->describe().status == "suspended") return rail_suspended(rail_name);
  const domain::Timestamp now = clock_.now();
  const auto plan = rail->plan(std::nullopt, now, false);
  if (!plan) return plan.error();
  if (auto witness = journal_.ready(); !witness) return witness.error();
  DisbursementAttempt attempt;
  attempt.id = ids_.next<domain::TransferId>();
  attempt.pending_entry = ids_.next<domain::LedgerTransactionId>();
  attempt.rail = rail_name;
  attempt.effective_date = plan->effective_date;
  attempt.created_at = attempt.updated_at = now;
  return attempt;
}

domain::Result<DisbursementAttempt> Disburse::claim_residual(const domain::TenantId& tenant,
                                                             const domain::SettlementId& id, const PayoutOrder& order,
                                                             const OnOutcome& on_claimed) {
  const auto missing = Error::of(ErrorCode::settlement_not_found, "Settlement not found.");
  std::optional<domain::Date> until;
  const auto seen = fetch(store_, missing, [&](const ports::Records& records) {
    auto stored = records.settlements().find(tenant, id);
    if (stored) until = held_until(records, tenant, stored->settlement, clock_.now().utc_date());
    return stored;
  });
  if (!seen) return seen.error();
  if (until) return held_back(id, *until);  // rounds ask often: write nothing
  const std::string& rail_name = seen->settlement.funding.rail;
  auto started = start_payout(rail_name);
  if (!started) return started.error();
  DisbursementAttempt attempt = std::move(*started);
  const ports::FundingRail* rail = rails_.find(rail_name);
  const domain::Timestamp now = attempt.created_at, lease_ends = lease_end();
  attempt.subject = id;
  attempt.purpose = domain::Purpose::residual;
  attempt.request_key = order.request_key;
  faults::crash_point("disburse.claim.before");
  const auto unit = [&](ports::Records& records) -> domain::Status {
    // Before any other row: the payer may take the residual back at the same time.
    records.clients().guard_matching(tenant);
    auto stored = records.settlements().find(tenant, id);
    if (!stored) return missing;
    auto& settlement = stored->settlement;
    const auto payouts = records.settlements().payouts_of(tenant, id);
    const auto due = residual_to_claim(records, tenant, settlement, payouts, order, *rail, now.utc_date());
    if (!due) return due.error();

    attempt.number = payouts.empty() ? 1 : payouts.back().number + 1;
    attempt.rail_key = rail_key(tenant, id, attempt.purpose, attempt.number);
    // A larger residual is paid in parts: the rest stays due and is claimed again.
    attempt.amount = std::min(*due, rail->describe().max_amount);
    const bool waits_here = !order.for_the_resolver && sends_here(records, rail->describe(), now);
    waits_here ? attempt.hold_until(lease_ends) : attempt.ask_at(now);
    records.settlements().insert_attempt(tenant, attempt);
    post_entry({records, tenant, now, ids_}, pending_payment(tenant, attempt, settlement));
    // Reduce the due residual with the claim, so that no second payout pays the same money.
    records.settlements().add_residual_due(tenant, id, -attempt.amount);
    faults::crash_point("disburse.claim.booked");
    settlement.payout_status = FundingStatus::pending_submission;
    if (auto noted = on_claimed(records, &settlement, attempt); !noted) return noted;
    return records.settlements().update(tenant, *stored) ? domain::Status{} : fenced_out();
  };
  if (auto done = commit_step(tenant, attempt, unit); !done) return done.error();
  faults::crash_point("disburse.claim.committed");
  return attempt;
}

}  // namespace tideover::usecases
