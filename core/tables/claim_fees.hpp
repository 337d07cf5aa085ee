// Listed fees for the lines of a claim: Medicare's fees, which the record uses to measure payers' prices, and contract
// prices. Immutable and thread-safe.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "core/domain/claims/claim.hpp"
#include "core/tables/contracts.hpp"
#include "core/tables/fee_schedule.hpp"

namespace tideover::tables {

class ClaimFees {
 public:
  /// `places`: the table place_of_service; null when it is missing: every service is then priced as outside a facility.
  ClaimFees(std::optional<FeeSchedule> schedule, std::shared_ptr<const Table> places,
            std::optional<Contracts> contracts = std::nullopt);

  /// One entry per service line, at national prices of the day of service (without one, of the review). Uses the last
  /// published factor when that of the day is not published yet. The schedule has no fees for institutional claims.
  /// Empty when neither the schedule nor a contract has any of the lines.
  std::vector<domain::ListedFee> operator()(const domain::ClaimDraft& claim, domain::Date reviewed) const;

 private:
  bool is_facility(const std::string& place_of_service) const;

  std::optional<FeeSchedule> schedule_;
  std::optional<Contracts> contracts_;
  std::shared_ptr<const Table> places_;
  std::optional<std::size_t> facility_;  // column of places_
};

}  // namespace tideover::tables
