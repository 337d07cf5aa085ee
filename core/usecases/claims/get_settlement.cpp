#include "core/usecases/claims/get_settlement.hpp"

#include "core/usecases/request/filter_values.hpp"

namespace tideover::usecases {

std::optional<domain::TaskId> review_task_of(const ports::Records& records, const domain::TenantId& tenant,
                                             const domain::Settlement& settlement) {
  if (!waits_for_review(settlement)) return std::nullopt;
  const auto tasks =
      records.tasks().list(tenant, {domain::TaskStatus::open, domain::kManualReview, settlement.id.text()}, {"", 1});
  return tasks.empty() ? std::nullopt : std::optional(tasks.front().id);
}

SettlementView view_of(const ports::Records& records, const domain::TenantId& tenant, domain::Settlement settlement) {
  auto attempts = records.settlements().attempts_of(tenant, settlement.id, domain::Purpose::advance);
  auto task = review_task_of(records, tenant, settlement);
  return {std::move(settlement), std::move(attempts), std::move(task)};
}

domain::Result<std::vector<SettlementView>> GetSettlement::list(const domain::TenantId& tenant,
                                                                const SettlementQuery& query) const {
  FilterValues values;
  ports::SettlementFilter filter;
  filter.payer_id = query.payer_id;
  filter.status =
      values.read("status", query.status, domain::settlement_status_named, domain::settlement_status_names());
  filter.decision = values.read("decision", query.decision, domain::decision_named, domain::decision_names());
  filter.funding_status =
      values.read("funding_status", query.funding_status, domain::funding_status_named, domain::funding_status_names());
  if (values.refusal()) return *values.refusal();
  return fetch(store_, [&](const ports::Records& records) {
    std::vector<SettlementView> views;
    auto of_claim = filter;
    if (!query.claim.empty()) {
      const auto claim = records.claims().find(tenant, query.claim);
      if (!claim) return views;
      of_claim.claim = claim->claim.id;
    }
    for (auto& settlement : records.settlements().list(tenant, of_claim, query.page))
      views.push_back(view_of(records, tenant, std::move(settlement)));
    return views;
  });
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
