// Reads bank statements and the reconciliation of bank accounts by day (core/docs/contract.md#bank-statements).
//
// Threads: thread-safe; read-only.
#pragma once
#include <string>
#include <vector>

#include "core/domain/banking/bank_day.hpp"
#include "core/domain/basics/result.hpp"
#include "core/ports/store.hpp"

namespace tideover::usecases {

struct BankQuery {
  std::string account;                   // empty for all
  std::optional<domain::Date> from, to;  // both inclusive
  std::string after;                     // cursor
  std::size_t limit = 25;
  domain::ListOrder order = domain::ListOrder::newest_first;  // of statements
};

struct BankStatementView {
  domain::BankStatement statement;
  domain::BankLineSums sums;
  std::vector<domain::BankException> reasons;  // why it does not close
  std::vector<domain::BankLine> lines;
};

/// One account and day.
struct BankDayView {
  domain::BankDay day;
  domain::BankLineSums sums;
  bool closes = false;
  std::int64_t exception_count = 0;
  std::vector<domain::BankException> exceptions;  // at most kMostDayExceptions
};

/// "2026-11-20/bac_..." : the cursor after this day.
std::string cursor_of(const BankDayView& view);

inline constexpr std::size_t kMostDayExceptions = 100;
inline constexpr int kMostBankDays = 92;

class ReadBank {
 public:
  explicit ReadBank(ports::Store& store) : store_(store) {}
  domain::Result<std::vector<domain::BankStatement>> list(const domain::TenantId& tenant, const BankQuery& query) const;
  /// With the lines behind the line `after`.
  domain::Result<BankStatementView> one(const domain::TenantId& tenant, const std::string& id, int after,
                                        std::size_t limit) const;
  /// Needs from and to, at most kMostBankDays days. Ordered by day, then account. Money that is on no statement has the
  /// account of the tenant if there is only one, else none.
  domain::Result<std::vector<BankDayView>> days(const domain::TenantId& tenant, const BankQuery& query,
                                                domain::Date today) const;

 private:
  ports::Store& store_;
};

}  // namespace tideover::usecases
