// Months of the ledger. A closed month has stored closing balances, and no later transaction takes effect in it
// (core/docs/contract.md#periods). Days are days in UTC.
//
// Threads: values and pure functions.
#pragma once
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/domain/basics/date.hpp"
#include "core/domain/basics/id.hpp"
#include "core/domain/basics/result.hpp"
#include "core/domain/reconciliation/ledger.hpp"

namespace tideover::domain {

class Month {
 public:
  constexpr Month() = default;
  /// Strict `YYYY-MM`, years 1900 to 2199.
  static std::optional<Month> parse(std::string_view text);
  static Month of(Date day);

  Date first_day() const;
  Date last_day() const;
  Month next() const { return of(last_day().plus(1)); }
  std::string text() const;
  friend constexpr auto operator<=>(Month, Month) = default;

 private:
  constexpr Month(int year, unsigned month) : year_(year), month_(month) {}
  int year_ = 1970;
  unsigned month_ = 1;
};

/// A closed month.
struct LedgerPeriod {
  Month month;
  std::optional<Date> closed_before{};  // the last day that was closed before; the first closed month includes all
                                        // days before it
  Timestamp closed_at{};
  ClientId closed_by{};
  std::int64_t balances = 0;      // how many closing balances are stored: those that are not zero
  std::string balances_sha256{};  // over the stored closing balances
};

/// The days of the ledger that bound a close.
struct LedgerDays {
  Date today;
  std::optional<Date> closed_through{};  // the last closed day
  std::optional<Date> first{};           // of the earliest transaction
};

/// The reason why the month cannot be closed now; nullopt when it can. Error invalid_state.
std::optional<Error> refusal_of_close(Month month, const LedgerDays& days);

/// Moves a transaction that would take effect on a closed day to the first open day. `occurred_on` keeps its own day.
void keep_out_of_closed(LedgerTransaction& transaction, std::optional<Date> closed_through);

}  // namespace tideover::domain
