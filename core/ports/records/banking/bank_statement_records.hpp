// Statements of bank accounts, their lines, and what of our money is on them.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/domain/banking/clearing.hpp"
#include "core/domain/basics/list_page.hpp"
#include "core/domain/basics/tenant.hpp"

namespace tideover::ports {

/// Empty members match everything.
struct BankStatementFilter {
  std::string_view account = {};
  std::optional<domain::DateRange> days = std::nullopt;
};

/// Money that the ledger has and no line of a statement.
struct OffStatement {
  std::string id;
  domain::Money amount;
  domain::Date date;
};

class BankStatementRecords {
 public:
  virtual ~BankStatementRecords() = default;
  /// A second statement of an account and day is a unique violation. So is a second line of the same side with one
  /// deposit or payment.
  virtual void insert(const domain::TenantId& tenant, const domain::BankStatement& statement,
                      const std::vector<domain::BankLine>& lines) = 0;
  /// Replaces balances, content, version, time and all lines.
  virtual void replace(const domain::TenantId& tenant, const domain::BankStatement& statement,
                       const std::vector<domain::BankLine>& lines) = 0;
  virtual std::optional<domain::BankStatement> find(const domain::TenantId& tenant,
                                                    const domain::BankStatementId& id) const = 0;
  virtual std::optional<domain::BankStatement> find_day(const domain::TenantId& tenant, std::string_view account,
                                                        domain::Date date) const = 0;
  /// Without the bounds of `page`.
  virtual std::vector<domain::BankStatement> list(const domain::TenantId& tenant, const BankStatementFilter& filter,
                                                  const domain::ListPage& page) const = 0;
  /// Of one account in these days, oldest day first.
  virtual std::vector<domain::BankStatement> of_account(const domain::TenantId& tenant, std::string_view account,
                                                        const domain::DateRange& days) const = 0;
  /// The latest statement of the account before this day; its first and its latest one.
  virtual std::optional<domain::BankStatement> latest_before(const domain::TenantId& tenant, std::string_view account,
                                                             domain::Date date) const = 0;
  virtual std::optional<domain::BankStatement> first_of(const domain::TenantId& tenant,
                                                        std::string_view account) const = 0;
  /// The account after this one; nullopt: there is none.
  virtual std::optional<std::string> next_account(const domain::TenantId& tenant, std::string_view after) const = 0;

  /// In order of their numbers; `after` is exclusive.
  virtual std::vector<domain::BankLine> lines(const domain::TenantId& tenant, const domain::BankStatementId& statement,
                                              int after, std::size_t limit) const = 0;
  /// Only those with a finding.
  virtual std::vector<domain::BankLine> lines_with_finding(const domain::TenantId& tenant,
                                                           const domain::BankStatementId& statement, int after,
                                                           std::size_t limit) const = 0;
  virtual domain::BankLineSums sums(const domain::TenantId& tenant, const domain::BankStatementId& statement) const = 0;
  /// Writes origin, deposit, payment and finding.
  virtual void settle(const domain::TenantId& tenant, const domain::BankStatementId& statement,
                      const domain::BankLine& line) = 0;
  /// Whether a line of this side has the deposit.
  virtual bool is_on_statement(const domain::TenantId& tenant, const domain::DepositId& deposit,
                               bool is_debit) const = 0;

  /// Deposits with this trace number in the ledger, received in `days` (a credit) or returned in `days` (a debit).
  virtual std::vector<domain::ClearingCandidate> deposits_traced(const domain::TenantId& tenant, std::string_view trace,
                                                                 bool is_debit,
                                                                 const domain::DateRange& days) const = 0;
  /// Payments with this key or reference at their rail that move in `days`: sent ones (a debit), returned ones (a
  /// credit).
  virtual std::vector<domain::ClearingCandidate> payments_referenced(const domain::TenantId& tenant,
                                                                     std::string_view reference, bool is_debit,
                                                                     const domain::DateRange& days) const = 0;

  /// In order of their days, at most `limit`: deposits in the ledger without a credit, returned deposits without a
  /// debit, sent payments without a debit.
  virtual std::vector<OffStatement> deposits_off(const domain::TenantId& tenant, const domain::DateRange& days,
                                                 std::size_t limit) const = 0;
  virtual std::vector<OffStatement> returns_off(const domain::TenantId& tenant, const domain::DateRange& days,
                                                std::size_t limit) const = 0;
  virtual std::vector<OffStatement> payments_off(const domain::TenantId& tenant, const domain::DateRange& days,
                                                 std::size_t limit) const = 0;
};

}  // namespace tideover::ports
