#include "core/usecases/claims/get_settlement.hpp"

namespace tideover::usecases {

SettlementView view_of(const ports::Records& records, const domain::TenantId& tenant, domain::Settlement settlement) {
  auto attempt = records.settlements().latest_attempt(tenant, settlement.id, domain::Purpose::advance);
  return {std::move(settlement), std::move(attempt)};
}

domain::Result<SettlementView> GetSettlement::operator()(const domain::TenantId& tenant,
                                                         const std::string& settlement_id) const {
  std::optional<SettlementView> view;
  if (const auto id = domain::SettlementId::parse(settlement_id)) {
    const auto read = store_.read([&](const ports::Records& records) {
      if (auto stored = records.settlements().find(tenant, *id))
        view = view_of(records, tenant, std::move(stored->settlement));
    });
    if (!read) return read.error();
  }
  if (!view) return domain::Error::of(domain::ErrorCode::settlement_not_found, "Settlement not found.");
  return std::move(*view);
}

}  // namespace tideover::usecases
