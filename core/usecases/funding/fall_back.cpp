// The next rail of a settlement's `fallback`, after the rail before it refused the advance (declared in disburse.hpp).
// The transaction that books the reject also starts the next attempt, in `intent` and under a key of its own. A crash
// after it leaves an attempt that the resolver carries out; a crash before it leaves an attempt whose outcome is asked
// for, and no other rail is tried then. No rail gets a payment here.
#include "core/usecases/funding/disburse.hpp"
#include "core/usecases/ledger/post_entry.hpp"
#include "core/usecases/rails/rail_checks.hpp"

namespace tideover::usecases {

// A rail that cannot pay this advance on the agreed day, or on the next one after it, is passed over.
std::optional<Disburse::Fallback> Disburse::plan_fallback(const domain::TenantId& tenant, const Attempt& refused) {
  if (refused.purpose != domain::Purpose::advance) return std::nullopt;
  bool strict = false;
  const auto stored = fetch(store_, [&](const ports::Records& records) {
    const auto owner = records.clients().tenant(tenant);
    strict = owner && owner->profile == domain::ValidationProfile::strict;
    return records.settlements().find(tenant, refused.subject.settlement);
  });
  if (!stored || !*stored || !journal_.ready()) return std::nullopt;
  const auto& settlement = (*stored)->settlement;
  const domain::Timestamp now = clock_.now();
  for (auto name = settlement.fallback.begin(); name != settlement.fallback.end(); ++name) {
    ports::FundingRail* rail = rails_.find(*name);
    if (!rail || refusal_of_rail(rail->describe(), refused.amount)) continue;
    auto plan = plan_for_day(*rail, settlement.funding.desired_date, now, strict);
    if (!plan) continue;
    Fallback next;
    next.attempt.id = ids_.next<domain::TransferId>();
    next.attempt.pending_entry = ids_.next<domain::LedgerTransactionId>();
    next.attempt.subject = refused.subject;
    next.attempt.number = refused.number + 1;
    next.attempt.rail = *name;
    next.attempt.rail_key = rail_key(tenant, refused.subject, refused.purpose, next.attempt.number);
    next.attempt.amount = refused.amount;
    next.attempt.effective_date = plan->effective_date;
    next.attempt.created_at = next.attempt.updated_at = now;
    next.plan = std::move(*plan);
    next.rails_left.assign(name + 1, settlement.fallback.end());
    next.claim = settlement.claim_id;
    next.lease_end = lease_end();
    return next;
  }
  return std::nullopt;
}

domain::Result<bool> Disburse::has_lost_fallback(const domain::TenantId& tenant, const Attempt& refused) const {
  if (refused.purpose != domain::Purpose::advance) return false;
  const std::string key = rail_key(tenant, refused.subject, refused.purpose, refused.number + 1);
  if (!journal_.may_hold(key, refused.created_at.plus_ms(-ports::TimeShift::current_ms()))) return false;
  // An incomplete journal may hold each key: only its entries tell.
  bool is_there = false;
  const auto read = journal_.visit([&](const ports::JournalledSend& sent) {
    is_there = sent.key == key;
    return !is_there;
  });
  if (!read) return read.error();
  return is_there;
}

OnOutcome Disburse::started_with(Fallback& next, const domain::TenantId& tenant, const OnOutcome& on_outcome) {
  return [this, &next, &tenant, &on_outcome](ports::Records& records, const domain::Settlement* settlement,
                                             const Attempt& ended) -> domain::Status {
    std::optional<ports::StoredSettlement> changed;
    if (ended.state == domain::AttemptState::rejected) {
      if (auto claimed = claim_fallback(records, tenant, ended, next); !claimed) return claimed;
      changed = records.settlements().find(tenant, ended.subject.settlement);
    }
    if (!on_outcome) return {};
    return on_outcome(records, changed ? &changed->settlement : settlement, ended);
  };
}

// The checks of a claim for funding, except those that only a request can fail.
domain::Status Disburse::claim_fallback(ports::Records& records, const domain::TenantId& tenant, const Attempt& refused,
                                        Fallback& next) {
  auto stored = records.settlements().find(tenant, refused.subject.settlement);
  if (!stored) return {};
  auto& settlement = stored->settlement;
  auto& attempt = next.attempt;
  if (attempt.number > domain::kMostAttempts) return {};
  if (!next_status(settlement.status, settlement.decision, domain::SettlementEvent::confirm)) return {};
  if (refusal_of_claim(records, tenant, settlement, attempt.created_at.utc_date())) return {};
  ports::FundingRail* rail = rails_.find(attempt.rail);
  // Another node that sends over this rail may take the attempt immediately.
  sends_here(records, rail->describe(), attempt.created_at) ? attempt.hold_until(next.lease_end)
                                                            : attempt.ask_at(attempt.created_at);
  const UnitOfWork unit{records, tenant, attempt.created_at, ids_};
  records.settlements().insert_attempt(tenant, attempt);
  post_entry(unit, pending_payment(tenant, attempt, settlement));
  settlement.funding_status = domain::FundingStatus::pending_submission;
  settlement.funding = next.plan;
  settlement.fallback = next.rails_left;
  records.audit().append(
      tenant, {ids_.next<domain::AuditId>(), {}, "", "fall back", settlement.id.text(), "claimed", attempt.created_at});
  if (!records.settlements().update(tenant, *stored)) return taken_over();
  next.is_claimed = true;
  return {};
}

}  // namespace tideover::usecases
