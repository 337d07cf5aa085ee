// The append-only, hash-chained ledger, and its closed periods.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/domain/ledger/period.hpp"
#include "core/domain/ledger/reports.hpp"
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
  std::optional<domain::Date> effective_from = std::nullopt, effective_to = std::nullopt;  // both inclusive
};

/// A page of balances. `after` is exclusive.
struct BalanceFilter {
  std::string_view after = {};
  std::size_t limit = 0;
  std::optional<domain::Date> as_of = std::nullopt;  // at the end of this effective day; nullopt: all that was posted
  bool with_settled = true;                          // with the accounts purchased_receivable whose balance is zero
};

class LedgerRecords : public ChainReader<LedgerLink> {
 public:
  /// Refuses (std::logic_error, which fails the whole transaction) an entry that does not balance. A second end of a
  /// pending transaction is a unique violation.
  virtual void append(const domain::TenantId& tenant, const domain::LedgerTransaction& transaction) = 0;
  virtual std::optional<domain::LedgerTransaction> find(const domain::TenantId& tenant,
                                                        const domain::LedgerTransactionId& id) const = 0;
  /// Ordered by account; `after` is exclusive.
  virtual std::vector<domain::AccountBalance> balances(const domain::TenantId& tenant,
                                                       const BalanceFilter& filter) const = 0;
  std::vector<domain::AccountBalance> balances(const domain::TenantId& tenant, std::string_view after,
                                               std::size_t limit) const {
    return balances(tenant, {after, limit});
  }
  /// What practices are owed, ordered by NPI: at most `limit` practices. Empty `after`: from the start, with the
  /// amounts of no known practice. Otherwise `after` is exclusive. `as_of` as in BalanceFilter.
  virtual std::vector<domain::PayeeBalance> payees(const domain::TenantId& tenant, std::string_view after,
                                                   std::size_t limit, std::optional<domain::Date> as_of) const = 0;
  /// The posted balance of all accounts purchased_receivable together.
  virtual domain::Money receivables(const domain::TenantId& tenant) const = 0;
  /// The posted ledger per account, from `from` to before `until`.
  virtual std::vector<domain::StatementAccount> statement(const domain::TenantId& tenant, domain::Timestamp from,
                                                          domain::Timestamp until) const = 0;
  /// Oldest first; `after` is exclusive.
  virtual std::vector<domain::LedgerTransaction> list(const domain::TenantId& tenant, const LedgerFilter& filter,
                                                      std::string_view after, std::size_t limit) const = 0;

  /// Posted transactions in order of effective day and id. Days are inclusive.
  virtual std::vector<domain::LedgerTransaction> journal(const domain::TenantId& tenant, domain::DateRange days,
                                                         const domain::JournalPlace& after,
                                                         std::size_t limit) const = 0;
  /// The amount that the practice is owed at the end of the effective day.
  virtual domain::Money owed_to(const domain::TenantId& tenant, std::string_view payee_npi,
                                domain::Date as_of) const = 0;
  /// The changes of that amount, in the order of the journal.
  virtual std::vector<domain::PayeeMovement> movements_of(const domain::TenantId& tenant, std::string_view payee_npi,
                                                          domain::DateRange days, const domain::JournalPlace& after,
                                                          std::size_t limit) const = 0;

  /// The last closed day. After guard_matching() it stays as it is until the transaction ends.
  virtual std::optional<domain::Date> closed_through(const domain::TenantId& tenant) const = 0;
  /// The effective day of the earliest transaction.
  virtual std::optional<domain::Date> first_day(const domain::TenantId& tenant) const = 0;
  /// Oldest first.
  virtual std::vector<domain::LedgerPeriod> periods(const domain::TenantId& tenant) const = 0;
  /// Of all tenants.
  virtual std::vector<std::pair<domain::TenantId, domain::LedgerPeriod>> all_periods() const = 0;
  /// Stores the closing balances of the month and the period, and returns it with their count and digest. The caller
  /// has called guard_matching() and checked that the month may be closed.
  virtual domain::LedgerPeriod close(const domain::TenantId& tenant, domain::LedgerPeriod period) = 0;
  /// Removes the latest closed period and its closing balances. The caller has called guard_matching().
  virtual void reopen(const domain::TenantId& tenant, const domain::LedgerPeriod& period) = 0;
  /// The digest of the stored closing balances of the month.
  virtual std::string digest_of_closing(const domain::TenantId& tenant, domain::Month month) const = 0;
};

}  // namespace tideover::ports
