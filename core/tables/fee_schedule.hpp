// Medicare's fee schedule from the tables pfs, gpci and conversion_factors: input of domain/reviews/medicare_fee for a
// procedure. Immutable and thread-safe.
#pragma once
#include <memory>
#include <optional>
#include <string_view>

#include "core/domain/reviews/medicare_fee.hpp"
#include "core/tables/table.hpp"

namespace tideover::tables {

class FeeSchedule {
 public:
  /// Tables with the shipped schemas; nullopt when a column is missing.
  static std::optional<FeeSchedule> of(std::shared_ptr<const Table> pfs, std::shared_ptr<const Table> gpci,
                                       std::shared_ptr<const Table> factors);

  /// The procedure; `modifiers` in normal form ("26:59"): the row with 26, TC or 53 if there is one. nullopt when the
  /// schedule has no such procedure.
  std::optional<domain::ListedProcedure> procedure(std::string_view code, std::string_view modifiers,
                                                   bool facility) const;
  /// Indices of a locality such as ("AK", "01").
  std::optional<domain::PriceIndices> indices(std::string_view state, std::string_view locality) const;
  /// `kind` is "PFS", or "QP" for qualifying participants (from 2026 on).
  std::optional<std::int64_t> conversion_factor(std::string_view kind, domain::Date day) const;
  /// The factor of that day; before the publication of its year, the last earlier one.
  std::optional<std::int64_t> latest_conversion_factor(std::string_view kind, domain::Date day) const;

 private:
  struct Columns {
    std::size_t work, pe_nonfacility, pe_facility, mp;
    std::size_t gpci_work, gpci_pe, gpci_mp, factor, factor_from;
    std::optional<std::size_t> global_days;
  };
  FeeSchedule() = default;
  std::optional<std::uint32_t> row(std::string_view code, std::string_view modifier) const;
  domain::RelativeValues values(std::uint32_t row, bool facility) const;
  int global_days(std::uint32_t row) const;

  std::shared_ptr<const Table> pfs_, gpci_, factors_;
  Columns at_{};
};

}  // namespace tideover::tables
