// Prices that contracts between payers and providers name, as the table `contracts` holds them. Immutable and
// thread-safe.
#pragma once
#include <memory>
#include <optional>
#include <string_view>

#include "core/domain/claims/claim.hpp"
#include "core/tables/table.hpp"

namespace tideover::tables {

class Contracts {
 public:
  /// A table of the shipped schema; nullopt without one.
  static std::optional<Contracts> of(std::shared_ptr<const Table> table);

  /// What the claim's payer allows for all units of the line on that day: the row of its provider before that of all,
  /// of its modifiers as they are billed before that of one of them; a line whose modifiers change the price has none
  /// from a row without. `unit_fee`: Medicare's for one unit, zero where it has none. Rounded once, at the end. Nullopt
  /// where no contract says.
  std::optional<domain::Money> price(const domain::ClaimDraft& claim, const domain::ServiceLine& line, domain::Date day,
                                     domain::Money unit_fee) const;

 private:
  Contracts(std::shared_ptr<const Table> table, std::size_t price, std::size_t percent)
      : table_(std::move(table)), price_(price), percent_(percent) {}
  std::optional<std::uint32_t> row(const domain::ClaimDraft& claim, std::string_view code, std::string_view modifiers,
                                   domain::Date day) const;

  std::shared_ptr<const Table> table_;
  std::size_t price_, percent_;  // columns
};

}  // namespace tideover::tables
