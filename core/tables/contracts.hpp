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
  /// A table with the shipped schema; nullopt otherwise.
  static std::optional<Contracts> of(std::shared_ptr<const Table> table);

  /// What the claim's payer allows for all units of the line on that day. A row of the provider goes before a row of
  /// all providers, and a row with all billed modifiers before a row with one. A line whose modifiers change the price
  /// has no price from a row without modifiers. `unit_fee`: Medicare's fee for one unit, zero when there is none.
  /// Rounded once, at the end. nullopt: no contract has a price.
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
