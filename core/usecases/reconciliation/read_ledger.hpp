// Reads the ledger of a tenant: balances and entries (core/docs/contract.md#ledger).
//
// Threads: thread-safe; read-only.
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
  std::string payee_npi;                 // of an entry; empty = all
  std::optional<domain::Date> from, to;  // days of posting in UTC, both inclusive; empty = all
  std::string after;                     // cursor
  std::size_t limit = 25;
  std::optional<domain::Date> effective_from = std::nullopt, effective_to = std::nullopt;  // both inclusive
};

class ReadLedger {
 public:
  explicit ReadLedger(ports::Store& store) : store_(store) {}
  domain::Result<std::vector<domain::AccountBalance>> balances(const domain::TenantId& tenant,
                                                               const ports::BalanceFilter& filter) const;
  /// What practices are owed: at most `limit` practices after this NPI. `as_of`: at the end of this effective day.
  domain::Result<std::vector<domain::PayeeBalance>> payees(const domain::TenantId& tenant, std::string_view after,
                                                           std::size_t limit,
                                                           std::optional<domain::Date> as_of = std::nullopt) const;
  /// Days in UTC, both inclusive. Error invalid_parameter for a period that ends before it begins.
  domain::Result<domain::Statement> statement(const domain::TenantId& tenant, domain::Date from, domain::Date to) const;
  /// Open receivables by payer and age, today.
  domain::Result<domain::Aging> aging(const domain::TenantId& tenant, domain::Date today) const;
  /// Error invalid_parameter for a period that ends before it begins.
  domain::Result<std::vector<domain::LedgerTransaction>> entries(const domain::TenantId& tenant,
                                                                 const LedgerQuery& query) const;

 private:
  ports::Store& store_;
};

}  // namespace tideover::usecases
