#include "core/usecases/get_settlement.hpp"

namespace tideover::usecases {

domain::Result<domain::Settlement> GetSettlement::operator()(const domain::TenantId& tenant, const std::string& settlement_id) const {
  std::optional<domain::Settlement> settlement;
  if (const auto id = domain::SettlementId::parse(settlement_id)) {
    const auto read = store_.read([&](const ports::Records& records) {
      if (auto stored = records.settlements().find(tenant, *id)) settlement = std::move(stored->settlement);
    });
    if (!read) return read.error();
  }
  if (!settlement) return domain::Error::of(domain::ErrorCode::settlement_not_found, "There is no such settlement.");
  return std::move(*settlement);
}

}  // namespace tideover::usecases
