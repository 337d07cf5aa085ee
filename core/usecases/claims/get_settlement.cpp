#include "core/usecases/claims/get_settlement.hpp"

namespace tideover::usecases {

SettlementView view_of(const ports::Records& records, const domain::TenantId& tenant, domain::Settlement settlement) {
  auto attempt = records.settlements().latest_attempt(tenant, settlement.id, domain::Purpose::advance);
  return {std::move(settlement), std::move(attempt)};
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
