// The ledger as the tenant may see it: balances and entries (core/docs/contract.md#ledger).
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "core/domain/reconciliation/overdue.hpp"
#include "core/ports/store.hpp"

namespace tideover::usecases {

struct LedgerQuery {
  std::string settlement_id;             // empty = all
  std::string account;                   // empty = all
  std::optional<domain::Date> from, to;  // days of booking in UTC, both inclusive; empty = all
  std::string after;                     // cursor
  std::size_t limit = 25;
};

class ReadLedger {
 public:
  explicit ReadLedger(ports::Store& store) : store_(store) {}
  domain::Result<std::vector<domain::AccountBalance>> balances(const domain::TenantId& tenant, std::string_view after,
                                                               std::size_t limit) const;
  /// Days in UTC, both inclusive. Refuses a period that ends before it begins.
  domain::Result<domain::Statement> statement(const domain::TenantId& tenant, domain::Date from, domain::Date to) const;
  /// Open receivables by payer and age, today.
  domain::Result<domain::Aging> aging(const domain::TenantId& tenant, domain::Date today) const;
  /// Refuses a period that ends before it begins.
  domain::Result<std::vector<domain::LedgerTransaction>> entries(const domain::TenantId& tenant,
                                                                 const LedgerQuery& query) const;

 private:
  ports::Store& store_;
};

}  // namespace tideover::usecases
