#include "core/usecases/reconciliation/get_reconciliation.hpp"

#include "core/usecases/matching/match_trail.hpp"

namespace tideover::usecases {
namespace {

constexpr std::size_t kMostAnnounced = 100;

}  // namespace

domain::Result<domain::Reconciliation> GetReconciliation::operator()(const domain::TenantId& tenant,
                                                                     const std::string& settlement_id) const {
  auto missing = domain::Error::of(domain::ErrorCode::settlement_not_found, "Settlement not found.");
  const auto id = domain::SettlementId::parse(settlement_id);
  if (!id) return missing;
  return fetch(store_, std::move(missing), [&](const ports::Records& records) -> std::optional<domain::Reconciliation> {
    const auto stored = records.settlements().find(tenant, *id);
    if (!stored) return std::nullopt;
    const auto& settlement = stored->settlement;
    // The summary is computed from the records on each read, so that it cannot differ from them.
    auto whole = domain::summarise(
        *id, settlement.expected_reimbursement, settlement.terms.fee_estimate,
        settlement.funded_at.value_or(settlement.created_at), records.reconciliations().of(tenant, *id),
        records.settlements().payouts_of(tenant, *id), records.payees().covered_of(tenant, *id));
    whole.recourse = records.recourse().of(tenant, *id);
    whole.residual_held = domain::held_of(whole.recourse);
    whole.residual_due += relieved_of(whole.recourse).sum() - whole.residual_held;
    if (!is_live(settlement) && whole.records.empty()) {
      whole.is_funded = false;
      whole.expected_payment = whole.fee_estimated = {};
    }
    whole.announced = records.remittances().announced_to(tenant, *id, kMostAnnounced);
    return whole;
  });
}

domain::Result<std::vector<domain::MatchCandidate>> GetReconciliation::trail(const domain::TenantId& tenant,
                                                                             const std::string& settlement_id) const {
  const auto id = domain::SettlementId::parse(settlement_id);
  if (!id) return std::vector<domain::MatchCandidate>();
  return fetch(store_, [&](const ports::Records& records) { return trail_of(records, tenant, *id); });
}

}  // namespace tideover::usecases
