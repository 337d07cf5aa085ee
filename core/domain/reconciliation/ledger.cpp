#include "core/domain/reconciliation/ledger.hpp"

namespace tideover::domain {

std::string_view name_of(LedgerPhase phase) {
  switch (phase) {
    case LedgerPhase::pending:
      return "pending";
    case LedgerPhase::posted:
      return "posted";
    case LedgerPhase::voided:
      return "voided";
  }
  return "posted";
}

std::optional<LedgerPhase> ledger_phase_named(std::string_view name) {
  for (const auto phase : {LedgerPhase::pending, LedgerPhase::posted, LedgerPhase::voided})
    if (name_of(phase) == name) return phase;
  return std::nullopt;
}

namespace account {
// One account per settlement, so that each advance has its own balance.
std::string purchased_receivable(const SettlementId& settlement) {
  return "purchased_receivable:" + settlement.text();
}
std::string provider_payable(const TenantId& tenant) {
  return "provider_payable:" + tenant.text();
}
}  // namespace account

LedgerParty party_of(const Settlement& settlement) {
  return {settlement.payer_id, settlement.billed.billing_npi};
}

LedgerTransaction LedgerTransaction::of(LedgerTransactionId id, LedgerCause cause, Timestamp at,
                                        std::optional<Date> effective_on) {
  LedgerTransaction made;
  made.id = std::move(id);
  made.cause_kind = std::move(cause.kind);
  made.cause_id = std::move(cause.id);
  made.settlement = std::move(cause.settlement);
  made.at = at;
  made.effective_on = at.utc_date();
  // A day far from the posting is a mistake of the sender. It would stay outside every period that is closed in time.
  constexpr int kMostAhead_days = 100, kMostBehind_days = 400;
  const auto ahead = effective_on ? effective_on->days() - made.effective_on.days() : 0;
  if (effective_on && effective_on->days() > 0 && (ahead > kMostAhead_days || ahead < -kMostBehind_days))
    made.occurred_on = effective_on;
  else if (effective_on && effective_on->days() > 0)
    made.effective_on = *effective_on;
  return made;
}

LedgerTransaction& LedgerTransaction::debit(std::string account, Money amount, LedgerParty party) {
  // An entry of zero says nothing, and balanced() refuses it.
  if (!amount.is_zero()) entries.push_back({std::move(account), amount, std::move(party)});
  return *this;
}

LedgerTransaction& LedgerTransaction::credit(std::string account, Money amount, LedgerParty party) {
  if (!amount.is_zero()) entries.push_back({std::move(account), -amount, std::move(party)});
  return *this;
}

bool LedgerTransaction::balanced() const {
  Money sum;
  for (const auto& entry : entries) {
    if (entry.amount.is_zero()) return false;
    sum += entry.amount;
  }
  return entries.size() >= 2 && sum.is_zero();
}

}  // namespace tideover::domain
