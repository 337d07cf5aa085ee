#include "core/usecases/allocation/residual_due.hpp"

#include "core/usecases/request/tasks.hpp"

namespace tideover::usecases {

domain::Money residual_due(const ports::Records& records, const domain::TenantId& tenant,
                           const domain::SettlementId& settlement) {
  // Payouts that are under way count as claimed: their money must not be claimed twice.
  return position_of(records.reconciliations().of(tenant, settlement)).split.residual -
         records.recourse().not_due_of(tenant, settlement) -
         claimed_by(records.settlements().payouts_of(tenant, settlement)) -
         records.payees().covered_of(tenant, settlement);
}

std::optional<domain::Date> held_until(const ports::Records& records, const domain::TenantId& tenant,
                                       const domain::Settlement& settlement, domain::Date today) {
  if (settlement.terms.hold_days == 0) return std::nullopt;
  std::optional<domain::Date> until;
  for (const auto& record : standing(records.reconciliations().of(tenant, settlement.id)))
    if (record.split.residual > domain::Money{}) until = record.posted_at.utc_date().plus(settlement.terms.hold_days);
  return until && *until > today ? until : std::nullopt;
}

void report_payouts_taken_back(const UnitOfWork& unit, const domain::SettlementId& settlement) {
  if (residual_due(unit.records, unit.tenant, settlement) < domain::Money{})
    open_task_once(unit, {domain::kPayoutTakenBack, settlement.text(),
                          "The payer or the bank took back money that was paid out as residual, or that is being paid "
                          "out. The provider owes "
                          "this amount (residual_due of the reconciliation). No debit collects it."});
  else
    close_tasks(unit, domain::kPayoutTakenBack, settlement.text(), "matched");
}

}  // namespace tideover::usecases
