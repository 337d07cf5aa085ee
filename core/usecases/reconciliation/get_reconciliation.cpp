#include "core/usecases/reconciliation/get_reconciliation.hpp"

#include "core/usecases/matching/match_trail.hpp"

namespace tideover::usecases {
namespace {

constexpr std::size_t kMostAnnounced = 100;

}  // namespace

domain::Result<domain::Reconciliation> GetReconciliation::operator()(const domain::TenantId& tenant,
                                                                     const std::string& settlement_id) const {
  const auto id = domain::SettlementId::parse(settlement_id);
  std::optional<domain::Reconciliation> whole;
  if (id) {
    const auto read = store_.read([&](const ports::Records& records) {
      const auto stored = records.settlements().find(tenant, *id);
      if (!stored) return;
      const auto& settlement = stored->settlement;
      // The summary is computed from the records on each read, so that it cannot differ from them.
      whole =
          domain::summarise(*id, settlement.expected_reimbursement, settlement.terms.fee_estimate,
                            settlement.funded_at.value_or(settlement.created_at),
                            records.reconciliations().of(tenant, *id), records.settlements().payouts_of(tenant, *id));
      whole->announced = records.remittances().announced_to(tenant, *id, kMostAnnounced);
    });
    if (!read) return read.error();
  }
  if (!whole) return domain::Error::of(domain::ErrorCode::settlement_not_found, "Settlement not found.");
  return std::move(*whole);
}

domain::Result<std::vector<domain::MatchCandidate>> GetReconciliation::trail(const domain::TenantId& tenant,
                                                                             const std::string& settlement_id) const {
  std::vector<domain::MatchCandidate> trail;
  if (const auto id = domain::SettlementId::parse(settlement_id)) {
    const auto read = store_.read([&](const ports::Records& records) { trail = trail_of(records, tenant, *id); });
    if (!read) return read.error();
  }
  return trail;
}

}  // namespace tideover::usecases
