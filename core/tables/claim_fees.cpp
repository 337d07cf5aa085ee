#include "core/tables/claim_fees.hpp"

#include <algorithm>
#include <utility>

#include "core/domain/basics/rounding.hpp"

namespace tideover::tables {
namespace {

constexpr std::string_view kOrdinary = "PFS";  // the factor for providers who are not qualifying participants

}  // namespace

ClaimFees::ClaimFees(std::optional<FeeSchedule> schedule, std::shared_ptr<const Table> places,
                     std::optional<Contracts> contracts)
    : schedule_(std::move(schedule)), contracts_(std::move(contracts)), places_(std::move(places)) {
  if (places_ && places_->schema().key.size() == 1) facility_ = places_->schema().index_of("facility");
}

std::vector<domain::ListedFee> ClaimFees::operator()(const domain::ClaimDraft& claim, domain::Date reviewed) const {
  const auto day = claim.date_of_service.value_or(claim.date_of_submission.value_or(reviewed));
  // The schedule prices practitioners: a facility is paid by another one.
  const bool is_scheduled = schedule_ && claim.details.type() == domain::ClaimType::professional;
  const auto factor = is_scheduled ? schedule_->latest_conversion_factor(kOrdinary, day) : std::nullopt;
  if (!factor && !contracts_) return {};
  const bool facility = is_facility(claim.details.place_of_service);
  std::vector<domain::ListedFee> fees;
  fees.reserve(claim.service_lines.size());
  for (const auto& line : claim.service_lines) {
    auto& listed_fees = fees.emplace_back();
    domain::Money unit;
    if (const auto listed = factor ? schedule_->procedure(line.cpt, line.modifier, facility) : std::nullopt) {
      unit = domain::medicare_fee(listed->values, {}, *factor);
      if (!unit.is_zero())
        listed_fees.fee = domain::price_of(domain::Wide{unit.cents()} * line.units_milli, domain::kOneUnitMilli);
      listed_fees.global_days = listed->global_days;
    }
    if (contracts_) listed_fees.contract = contracts_->price(claim, line, day, unit);
  }
  if (std::all_of(fees.begin(), fees.end(), [](const domain::ListedFee& fee) { return fee == domain::ListedFee{}; }))
    fees.clear();
  return fees;
}

bool ClaimFees::is_facility(const std::string& place_of_service) const {
  if (!facility_ || place_of_service.empty()) return false;
  const auto key = places_->key_cell(0, place_of_service);
  const auto row = key ? places_->find({*key}, std::nullopt) : std::nullopt;
  if (!row) return false;
  const Value value = places_->value(*row, *facility_);
  const auto* const flag = std::get_if<bool>(&value);
  return flag != nullptr && *flag;
}

}  // namespace tideover::tables
