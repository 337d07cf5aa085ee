// Banking days by number, so that delays are counted and added without the calendar.
#pragma once
#include <cstdint>
#include <vector>

#include "core/domain/basics/date.hpp"

namespace tideover::estimators {

inline constexpr int kHalfMonthPlaces = 13;  // the 15th to the 31st, less two weekends

/// 1990 to 2100; dates outside count as the first or last one. Immutable.
class BankDays {
 public:
  BankDays();
  /// The number of the first banking day on or after `date`.
  std::int32_t on_or_after(domain::Date date) const;
  domain::Date day(std::int32_t number) const;
  /// 0 = Monday .. 4 = Friday.
  int weekday(std::int32_t number) const { return weekdays_[static_cast<std::size_t>(number)]; }
  /// Banking days since the first one of its half of the month, which begin on the 1st and on the 15th; below
  /// kHalfMonthPlaces.
  int half_month_place(std::int32_t number) const { return places_[static_cast<std::size_t>(number)]; }
  /// From this number on, for sequential reading: days since 1970, weekday, position in the half-month.
  const std::int32_t* days_from(std::int32_t number) const { return days_.data() + number; }
  const std::uint8_t* weekdays_from(std::int32_t number) const { return weekdays_.data() + number; }
  const std::uint8_t* half_month_places_from(std::int32_t number) const { return places_.data() + number; }
  std::int32_t count() const { return static_cast<std::int32_t>(days_.size()); }

 private:
  std::vector<std::int32_t> days_;  // number -> days since 1970
  std::vector<std::uint8_t> weekdays_, places_;
  std::vector<std::int32_t> numbers_;  // per calendar day
};

}  // namespace tideover::estimators
