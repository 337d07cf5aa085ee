#include "core/usecases/reconciliation/read_ledger.hpp"

#include "core/domain/basics/midnight.hpp"

namespace tideover::usecases {
namespace {

domain::Error no_period() {
  auto error = domain::Error::of(domain::ErrorCode::invalid_parameter, "The period ends before it begins.");
  error.fields.push_back({"to", "must not be before `from`"});
  return error;
}

}  // namespace

domain::Result<std::vector<domain::AccountBalance>> ReadLedger::balances(const domain::TenantId& tenant,
                                                                         std::string_view after,
                                                                         std::size_t limit) const {
  std::vector<domain::AccountBalance> balances;
  const auto read =
      store_.read([&](const ports::Records& records) { balances = records.ledger().balances(tenant, after, limit); });
  if (!read) return read.error();
  return balances;
}

domain::Result<domain::Statement> ReadLedger::statement(const domain::TenantId& tenant, domain::Date from,
                                                        domain::Date to) const {
  if (to < from) return no_period();
  domain::Statement statement{from, to, {}};
  const auto read = store_.read([&](const ports::Records& records) {
    statement.accounts = records.ledger().statement(tenant, domain::midnight_of(from), domain::midnight_of(to.plus(1)));
  });
  if (!read) return read.error();
  return statement;
}

domain::Result<domain::Aging> ReadLedger::aging(const domain::TenantId& tenant, domain::Date today) const {
  domain::Aging aging;
  aging.as_of = today;
  const auto read = store_.read([&](const ports::Records& records) {
    aging.payers = records.settlements().aging(tenant, today);
    // Read with the aging in one snapshot: the two sums must agree.
    aging.ledger_balance = records.ledger().receivables(tenant);
  });
  if (!read) return read.error();
  const auto add = [](domain::AgingCell& sum, const domain::AgingCell& cell) {
    sum.count += cell.count;
    sum.amount += cell.amount;
  };
  for (const auto& payer : aging.payers) {
    for (std::size_t i = 0; i < payer.buckets.size(); ++i) add(aging.whole.buckets[i], payer.buckets[i]);
    add(aging.whole.total, payer.total);
  }
  return aging;
}

domain::Result<std::vector<domain::LedgerTransaction>> ReadLedger::entries(const domain::TenantId& tenant,
                                                                           const LedgerQuery& query) const {
  ports::LedgerFilter filter;
  filter.account = query.account;
  if (!query.settlement_id.empty()) {
    filter.settlement = domain::SettlementId::parse(query.settlement_id);
    if (!filter.settlement)
      return domain::Error::of(domain::ErrorCode::invalid_parameter, "settlement_id is not a valid settlement id.");
  }
  if (query.from && query.to && *query.to < *query.from) return no_period();
  if (query.from) filter.from = domain::midnight_of(*query.from);
  // The last day is inclusive, so the range ends at the next midnight.
  if (query.to) filter.until = domain::midnight_of(query.to->plus(1));
  std::vector<domain::LedgerTransaction> entries;
  const auto read = store_.read([&](const ports::Records& records) {
    entries = records.ledger().list(tenant, filter, query.after, query.limit);
  });
  if (!read) return read.error();
  return entries;
}

}  // namespace tideover::usecases
