// The append-only, hash-chained ledger.
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "core/domain/reconciliation/ledger.hpp"
#include "core/domain/reconciliation/statement.hpp"
#include "core/ports/records/hash_chain.hpp"

namespace tideover::ports {

/// Empty members match everything.
struct LedgerFilter {
  std::optional<domain::SettlementId> settlement = std::nullopt;
  std::string_view account = {};
  std::string_view payee_npi = {};
  std::optional<domain::Timestamp> from = std::nullopt, until = std::nullopt;  // posted from `from` to before `until`
};

class LedgerRecords : public ChainReader<LedgerLink> {
 public:
  /// Refuses (std::logic_error, which fails the whole transaction) an entry that does not balance. A second end of a
  /// pending transaction is a unique violation.
  virtual void append(const domain::TenantId& tenant, const domain::LedgerTransaction& transaction) = 0;
  virtual std::optional<domain::LedgerTransaction> find(const domain::TenantId& tenant,
                                                        const domain::LedgerTransactionId& id) const = 0;
  /// Ordered by account; `after` is exclusive.
  virtual std::vector<domain::AccountBalance> balances(const domain::TenantId& tenant, std::string_view after,
                                                       std::size_t limit) const = 0;
  /// What practices are owed, ordered by NPI: at most `limit` practices. Empty `after`: from the start, with the
  /// amounts of no known practice. Otherwise `after` is exclusive.
  virtual std::vector<domain::PayeeBalance> payees(const domain::TenantId& tenant, std::string_view after,
                                                   std::size_t limit) const = 0;
  /// The posted balance of all accounts purchased_receivable together.
  virtual domain::Money receivables(const domain::TenantId& tenant) const = 0;
  /// The posted ledger per account, from `from` to before `until`.
  virtual std::vector<domain::StatementAccount> statement(const domain::TenantId& tenant, domain::Timestamp from,
                                                          domain::Timestamp until) const = 0;
  /// Oldest first; `after` is exclusive.
  virtual std::vector<domain::LedgerTransaction> list(const domain::TenantId& tenant, const LedgerFilter& filter,
                                                      std::string_view after, std::size_t limit) const = 0;
};

}  // namespace tideover::ports
