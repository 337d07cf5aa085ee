// The listed prices for the lines of a claim: Medicare's fees, to which the record relates payers' prices, and prices
// of contracts. Immutable and thread-safe.
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
  /// `places`: the table place_of_service; null: every service is priced as outside of a facility.
  ClaimFees(std::optional<FeeSchedule> schedule, std::shared_ptr<const Table> places,
            std::optional<Contracts> contracts = std::nullopt);

  /// One per service line, at national prices of the day of service (otherwise of the review). Uses the last published
  /// factor when that of the day is unknown. Empty when neither the schedule nor a contract has a price.
  std::vector<domain::ListedFee> operator()(const domain::ClaimDraft& claim, domain::Date reviewed) const;

 private:
  bool is_facility(const std::string& place_of_service) const;

  std::optional<FeeSchedule> schedule_;
  std::optional<Contracts> contracts_;
  std::shared_ptr<const Table> places_;
  std::optional<std::size_t> facility_;  // column of places_
};

}  // namespace tideover::tables
