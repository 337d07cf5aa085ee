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
                                                                         const ports::BalanceFilter& filter) const {
  return fetch(store_, [&](const ports::Records& records) { return records.ledger().balances(tenant, filter); });
}

domain::Result<std::vector<domain::PayeeBalance>> ReadLedger::payees(const domain::TenantId& tenant,
                                                                     std::string_view after, std::size_t limit,
                                                                     std::optional<domain::Date> as_of) const {
  return fetch(store_,
               [&](const ports::Records& records) { return records.ledger().payees(tenant, after, limit, as_of); });
}

domain::Result<domain::Statement> ReadLedger::statement(const domain::TenantId& tenant, domain::Date from,
                                                        domain::Date to) const {
  if (to < from) return no_period();
  return fetch(store_, [&](const ports::Records& records) {
    const auto begins = domain::midnight_of(from), ends = domain::midnight_of(to.plus(1));
    return domain::Statement{from, to, records.ledger().statement(tenant, begins, ends)};
  });
}

domain::Result<domain::Aging> ReadLedger::aging(const domain::TenantId& tenant, domain::Date today) const {
  auto aging = fetch(store_, [&](const ports::Records& records) {
    domain::Aging read;
    read.as_of = today;
    read.payers = records.settlements().aging(tenant, today);
    // Read with the aging in one snapshot: the two sums must agree.
    read.ledger_balance = records.ledger().receivables(tenant);
    return read;
  });
  if (!aging) return aging.error();
  const auto add = [](domain::AgingCell& sum, const domain::AgingCell& cell) {
    sum.count += cell.count;
    sum.amount += cell.amount;
  };
  for (const auto& payer : aging->payers) {
    for (std::size_t i = 0; i < payer.buckets.size(); ++i) add(aging->whole.buckets[i], payer.buckets[i]);
    add(aging->whole.total, payer.total);
  }
  return aging;
}

domain::Result<std::vector<domain::LedgerTransaction>> ReadLedger::entries(const domain::TenantId& tenant,
                                                                           const LedgerQuery& query) const {
  ports::LedgerFilter filter;
  filter.account = query.account;
  filter.payee_npi = query.payee_npi;
  if (!query.settlement_id.empty()) {
    filter.settlement = domain::SettlementId::parse(query.settlement_id);
    if (!filter.settlement) {
      auto refusal =
          domain::Error::of(domain::ErrorCode::invalid_parameter, "settlement_id is not a valid settlement id.");
      refusal.fields.push_back({"settlement_id", "must be a settlement id"});
      return refusal;
    }
  }
  if (query.from && query.to && *query.to < *query.from) return no_period();
  filter.effective_from = query.effective_from;
  filter.effective_to = query.effective_to;
  if (query.effective_from && query.effective_to && *query.effective_to < *query.effective_from) {
    auto error = no_period();
    error.fields = {{"effective_to", "must not be before `effective_from`"}};
    return error;
  }
  if (query.from) filter.from = domain::midnight_of(*query.from);
  // The last day is inclusive, so the range ends at the next midnight.
  if (query.to) filter.until = domain::midnight_of(query.to->plus(1));
  return fetch(store_, [&](const ports::Records& records) {
    return records.ledger().list(tenant, filter, query.after, query.limit);
  });
}

}  // namespace tideover::usecases
