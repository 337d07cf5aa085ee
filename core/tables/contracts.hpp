// Contract prices between payers and providers, from the table `contracts`. Immutable and thread-safe.
#pragma once
#include <memory>
#include <optional>
#include <string_view>

#include "core/domain/claims/claim.hpp"
#include "core/tables/table.hpp"

namespace tideover::tables {

class Contracts {
 public:
  /// A table with the shipped schema; nullopt for another schema.
  static std::optional<Contracts> of(std::shared_ptr<const Table> table);

  /// The payer's price for all units of the line on that day. The row of its provider precedes the row for all
  /// providers; the row with its modifiers as billed precedes a row with one of them. A line with modifiers that change
  /// the price gets no price from a row without modifiers. `unit_fee`: Medicare's fee for one unit, zero when there is
  /// none. Rounded once, at the end. nullopt when no contract has a price.
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
