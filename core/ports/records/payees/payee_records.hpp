// Accounts of practices, and what practices are owed: the payables that LedgerRecords::append adds with each entry.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/funding/payable.hpp"

namespace tideover::ports {

class PayeeRecords {
 public:
  virtual ~PayeeRecords() = default;
  /// nullopt: the practice has no account of its own and had no payout.
  virtual std::optional<domain::PayeeAccount> account(const domain::TenantId& tenant, std::string_view npi) const = 0;
  /// Inserts the account or replaces it.
  virtual void save(const domain::TenantId& tenant, const domain::PayeeAccount& account) = 0;

  /// Whether the practice ever had a payable.
  virtual bool is_known(const domain::TenantId& tenant, std::string_view npi) const = 0;
  /// The sum of the open payables of a practice.
  virtual domain::Money due(const domain::TenantId& tenant, std::string_view npi) const = 0;
  /// Practices with open payables from before `before` of at least `minimum`, whose last payout, if any, was taken by
  /// the rail. Ordered by tenant and NPI, after `after`; all tenants.
  virtual std::vector<domain::PracticeDue> practices_due(domain::Timestamp before, domain::Money minimum,
                                                         const domain::PracticeDue& after, std::size_t limit) const = 0;
  /// Covers the open payables of a practice from before `before`, and all its debts, by a payout. Leaves out those of
  /// settlements with a takeback that waits for a reviewer, and those that the terms of their settlement hold on
  /// `today`. Reduces the due residual of their settlements.
  virtual void cover(const domain::TenantId& tenant, std::string_view npi, const domain::TransferId& payout,
                     domain::Timestamp before, domain::Date today) = 0;
  /// Whether a takeback waits for a reviewer on a settlement whose residual the payout covers.
  virtual bool is_takeback_open(const domain::TenantId& tenant, const domain::TransferId& payout) const = 0;
  /// The sums of what a payout covers, by payer.
  virtual std::map<std::string, domain::Money> covered_by_payer(const domain::TenantId& tenant,
                                                                const domain::TransferId& payout) const = 0;
  /// The settlements whose debts a payout covers.
  virtual std::vector<domain::SettlementId> debts_in(const domain::TenantId& tenant,
                                                     const domain::TransferId& payout) const = 0;
  /// Of the residual of a settlement: covered by payouts to the practice.
  virtual domain::Money covered_of(const domain::TenantId& tenant, const domain::SettlementId& settlement) const = 0;
  /// Adds an open payable that is no entry of the ledger: carried forward, or paid and not covered (negative).
  virtual void carry(const domain::TenantId& tenant, const domain::Payable& payable) = 0;

  /// What a payout covers, oldest first by transaction; `after`: transaction and position of the last one, exclusive.
  virtual std::vector<domain::Payable> covered(const domain::TenantId& tenant, const domain::TransferId& payout,
                                               std::string_view after, int after_position, std::size_t limit) const = 0;
};

}  // namespace tideover::ports
