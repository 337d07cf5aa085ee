#include "core/usecases/read_ledger.hpp"

namespace tideover::usecases {

domain::Result<std::vector<domain::AccountBalance>> ReadLedger::balances(const domain::TenantId& tenant, std::string_view after,
                                                                          std::size_t limit) const {
  std::vector<domain::AccountBalance> balances;
  const auto read = store_.read([&](const ports::Records& records) { balances = records.ledger().balances(tenant, after, limit); });
  if (!read) return read.error();
  return balances;
}

domain::Result<std::vector<domain::LedgerTransaction>> ReadLedger::entries(const domain::TenantId& tenant, const LedgerQuery& query) const {
  std::optional<domain::SettlementId> settlement;
  if (!query.settlement_id.empty()) {
    settlement = domain::SettlementId::parse(query.settlement_id);
    if (!settlement) return domain::Error::of(domain::ErrorCode::invalid_parameter, "settlement_id is not a settlement id.");
  }
  std::vector<domain::LedgerTransaction> entries;
  const auto read = store_.read(
      [&](const ports::Records& records) { entries = records.ledger().list(tenant, settlement, query.account, query.after, query.limit); });
  if (!read) return read.error();
  return entries;
}

}  // namespace tideover::usecases
