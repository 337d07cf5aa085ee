#include "core/usecases/claims/get_settlement.hpp"

namespace tideover::usecases {

std::optional<domain::TaskId> review_task_of(const ports::Records& records, const domain::TenantId& tenant,
                                             const domain::Settlement& settlement) {
  if (!waits_for_review(settlement)) return std::nullopt;
  const auto tasks =
      records.tasks().list(tenant, {domain::TaskStatus::open, domain::kManualReview, settlement.id.text()}, "", 1);
  return tasks.empty() ? std::nullopt : std::optional(tasks.front().id);
}

SettlementView view_of(const ports::Records& records, const domain::TenantId& tenant, domain::Settlement settlement) {
  auto attempts = records.settlements().attempts_of(tenant, settlement.id, domain::Purpose::advance);
  auto task = review_task_of(records, tenant, settlement);
  return {std::move(settlement), std::move(attempts), std::move(task)};
}

domain::Result<SettlementView> GetSettlement::operator()(const domain::TenantId& tenant,
                                                         const std::string& settlement_id) const {
  auto missing = domain::Error::of(domain::ErrorCode::settlement_not_found, "Settlement not found.");
  const auto id = domain::SettlementId::parse(settlement_id);
  if (!id) return missing;
  return fetch(store_, std::move(missing), [&](const ports::Records& records) -> std::optional<SettlementView> {
    auto stored = records.settlements().find(tenant, *id);
    if (!stored) return std::nullopt;
    return view_of(records, tenant, std::move(stored->settlement));
  });
}

}  // namespace tideover::usecases
