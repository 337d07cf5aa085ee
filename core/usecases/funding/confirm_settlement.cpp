#include "core/usecases/funding/confirm_settlement.hpp"

#include <thread>

#include "core/domain/basics/scope_exit.hpp"
#include "core/domain/funding/sandbox.hpp"
#include "core/faults/crash_point.hpp"

namespace tideover::usecases {
namespace {

using domain::AttemptState;
using domain::DisbursementAttempt;
using domain::Error;
using domain::ErrorCode;

constexpr auto kFirstPause = std::chrono::milliseconds(10);
constexpr auto kLongestPause = std::chrono::milliseconds(200);

Error not_found() {
  return Error::of(ErrorCode::settlement_not_found, "Settlement not found.");
}

}  // namespace

domain::Result<ConfirmSettlement::Snapshot> ConfirmSettlement::read(const domain::TenantId& tenant,
                                                                    const domain::SettlementId& id) const {
  return fetch(store_, not_found(), [&](const ports::Records& records) -> std::optional<Snapshot> {
    auto stored = records.settlements().find(tenant, id);
    if (!stored) return std::nullopt;
    return Snapshot{std::move(*stored), records.settlements().latest_attempt(tenant, id, domain::Purpose::advance)};
  });
}

domain::Result<ConfirmSettlement::Snapshot> ConfirmSettlement::wait(const domain::TenantId& tenant,
                                                                    const domain::SettlementId& id) {
  const auto until = std::chrono::steady_clock::now() + options_.wait;
  const bool may_wait = ++waiting_ <= options_.most_waiting;
  const domain::ScopeExit counted([this] { --waiting_; });
  auto pause = kFirstPause;
  auto current = read(tenant, id);
  while (may_wait && current && current->last && is_in_flight(current->last->state) &&
         std::chrono::steady_clock::now() < until) {
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, kLongestPause);
    current = read(tenant, id);
  }
  return current;
}

std::optional<Error> ConfirmSettlement::refusal_of_portfolio(const RequestContext& context,
                                                             const domain::Settlement& settlement) {
  // A reviewer who approved has seen the exposure, so only decisions of rules are checked.
  const bool by_rules = settlement.status == domain::SettlementStatus::pending_confirmation &&
                        settlement.decision == domain::Decision::approved;
  const bool is_trigger =
      context.caller.environment == domain::Environment::sandbox && domain::sandbox_trigger(settlement.payer_id);
  if (!by_rules || is_trigger) return std::nullopt;
  std::optional<domain::Review> review;
  domain::Portfolio portfolio;
  domain::ClaimDetails details;
  const auto read = store_.read([&](const ports::Records& records) {
    review = records.reviews().find(context.caller.tenant, settlement.authorization_id);
    const auto claim = records.claims().find(context.caller.tenant, settlement.claim_identifier);
    if (claim) details = claim->claim.draft.details;
    portfolio = records.settlements().portfolio(context.caller.tenant, settlement.payer_id,
                                                claim ? claim->claim.draft.billing_npi : "", context.now.utc_date());
  });
  if (!read) return read.error();
  if (!review) return std::nullopt;
  const auto proposed_with = [&](const domain::Portfolio& out) {
    return rules_.propose_terms({*review, settlement.funding.rail, context.now.utc_date(), true, out, false, details})
        .proposal;
  };
  const auto now = proposed_with(portfolio);
  // Refuse only when the exposure makes the difference: other changes of the rules since do not matter.
  if (now.decision == domain::Decision::approved || proposed_with({}).decision != domain::Decision::approved)
    return std::nullopt;
  return Error::of(
             ErrorCode::invalid_state,
             "The exposure has grown since these terms were made, and a reviewer has to decide: cancel the settlement, "
             "review the claim and adjudicate again.")
      .with("settlement_id", settlement.id.text())
      .with_list("decision_reasons", now.reasons);
}

bool ConfirmSettlement::may_have_lost_fallback(const domain::TenantId& tenant,
                                               const DisbursementAttempt& refused) const {
  const auto is_lost = disburse_.has_lost_fallback(tenant, refused);
  return !is_lost || *is_lost;
}

OnOutcome ConfirmSettlement::response_stored(const RequestContext& context, const domain::SettlementId& id,
                                             const Render<Confirmation>& render, const Render<Error>& render_refusal,
                                             std::string& body) {
  return [this, &context, &id, &render, &render_refusal, &body](ports::Records& records,
                                                                const domain::Settlement* settlement,
                                                                const DisbursementAttempt& attempt) -> domain::Status {
    // An unclear outcome is not stored as the response: a retry under the same key gets the final one.
    if (is_unclear(attempt.state)) {
      leave_audit_row(records, context, ids_, id.text(), name_of(ErrorCode::rail_outcome_unknown));
      return {};
    }
    // The next rail of the fallback is tried, or was before the database lost it: its result is the response.
    if (attempt.state == AttemptState::rejected && (settlement->funding_status != domain::FundingStatus::rejected ||
                                                    may_have_lost_fallback(context.caller.tenant, attempt))) {
      leave_audit_row(records, context, ids_, id.text(), name_of(ErrorCode::rail_rejected));
      return {};
    }
    if (attempt.state == AttemptState::rejected) {
      const Error refusal = rail_rejected(attempt);
      leave_trace(records, context, ids_, id.text(), render_refusal(refusal), &refusal);
      return {};
    }
    body = render({*settlement, attempt.id});
    leave_trace(records, context, ids_, id.text(), body);
    return {};
  };
}

domain::Result<StoredResponse> ConfirmSettlement::operator()(const RequestContext& context,
                                                             const std::string& settlement_id,
                                                             const Render<Confirmation>& render,
                                                             const Render<Error>& render_refusal) {
  const auto& tenant = context.caller.tenant;
  const auto id = domain::SettlementId::parse(settlement_id);
  if (!id) return not_found();
  // Read outside a transaction first: a repeated confirm needs no write.
  faults::crash_point("confirm.received");
  auto current = read(tenant, *id);
  if (!current) return current.error();

  const std::string key = disburse_.stored_key(context);
  // A settlement is funded once: a repeated confirm gets the settlement as it was funded.
  const auto funded = [&](const Snapshot& seen, bool replayed) -> domain::Result<StoredResponse> {
    // Another key is another request: it must not get the stored response of the first.
    const auto& confirmed_by = seen.stored.confirm_key;
    if (!key.empty() && key != confirmed_by && confirmed_by != ports::kAnyKey)
      return Error::of(ErrorCode::settlement_already_funded,
                       "This settlement was funded under another Idempotency-Key.")
          .with("settlement_id", id->text());
    return StoredResponse{render({seen.stored.settlement, seen.last->id}), replayed};
  };
  const auto is_funded = [](const Snapshot& seen) {
    return seen.stored.settlement.status == domain::SettlementStatus::funded && seen.last;
  };
  if (is_funded(*current)) return funded(*current, true);

  const auto refused_by = [&](const DisbursementAttempt& last) {
    return may_have_lost_fallback(tenant, last) ? outcome_unknown(*id) : rail_rejected(last);
  };

  // The result of another worker that has, or had, the attempt.
  const auto outcome_of_others = [&](bool claimed) -> domain::Result<StoredResponse> {
    const auto seen = wait(tenant, *id);
    if (!seen) return seen.error();
    // A funded settlement is the final answer, whatever its last attempt is: check it first.
    if (is_funded(*seen)) return funded(*seen, !claimed);
    if (seen->last && seen->last->state == AttemptState::rejected) return refused_by(*seen->last);
    if (claimed || (seen->last && is_unclear(seen->last->state))) return outcome_unknown(*id);
    return Error::of(ErrorCode::idempotency_in_progress,
                     "Another worker is paying this settlement. Send the request again.")
        .retry_after(1);
  };

  if (!current->last || current->last->state == AttemptState::rejected)
    if (const auto refusal = refusal_of_portfolio(context, current->stored.settlement)) return *refusal;

  // From here on the payment may reach the rail. carry_out() ends it, or leaves it to the resolver.
  auto claimed = disburse_.claim(context, current->stored.settlement);
  if (!claimed && claimed.error().code == ErrorCode::idempotency_in_progress) return outcome_of_others(false);
  if (!claimed) return claimed.error();

  std::string body;
  const auto ended = disburse_.carry_out(tenant, *claimed, response_stored(context, *id, render, render_refusal, body));
  if (!ended && ended.error().code == ErrorCode::idempotency_in_progress) return outcome_of_others(true);
  if (!ended) return ended.error();
  if (is_in_flight(ended->state)) return outcome_of_others(true);  // another node sends over this rail
  if (ended->state == AttemptState::rejected) return refused_by(*ended);
  if (is_unclear(ended->state)) return outcome_unknown(*id);
  faults::crash_point("confirm.answering");
  return StoredResponse{std::move(body)};
}

}  // namespace tideover::usecases
