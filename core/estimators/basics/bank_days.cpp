#include "core/estimators/basics/bank_days.hpp"

#include <algorithm>

#include "core/domain/basics/bank_calendar.hpp"
#include "core/domain/basics/within.hpp"

namespace tideover::estimators {
namespace {
constexpr std::int32_t kFirst = 7305;  // 1990-01-01
constexpr std::int32_t kLast = 47846;  // 2100-12-31
}  // namespace

BankDays::BankDays() {
  int position = 0;
  bool was_late = true;
  for (std::int32_t day = kFirst; day <= kLast; ++day) {
    numbers_.push_back(static_cast<std::int32_t>(days_.size()));
    const auto date = domain::Date::from_days(day);
    if (!domain::is_banking_day(date)) continue;
    const bool is_late = date.ymd().day >= 15;
    if (is_late != was_late) position = 0;
    was_late = is_late;
    positions_.push_back(static_cast<std::uint8_t>(position++));
    days_.push_back(day);
    weekdays_.push_back(static_cast<std::uint8_t>(date.weekday() - 1));
  }
}

std::int32_t BankDays::on_or_after(domain::Date date) const {
  const auto at = domain::within(date.days(), kFirst, kLast) - kFirst;
  return std::min(numbers_[static_cast<std::size_t>(at)], count() - 1);
}

domain::Date BankDays::day(std::int32_t number) const {
  return domain::Date::from_days(days_[static_cast<std::size_t>(domain::within(number, 0, count() - 1))]);
}

}  // namespace tideover::estimators
