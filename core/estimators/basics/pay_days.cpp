#include "core/estimators/basics/pay_days.hpp"

#include <algorithm>
#include <cstddef>

#include "core/estimators/basics/arithmetic.hpp"

namespace tideover::estimators {
namespace {
constexpr double kSure = 4;  // a kind of days with this advantage is trusted; with the opposite one it is dropped
constexpr std::int32_t kLongPause = 65;  // banking days without a payment after which they are not counted
constexpr double kKept = 0.85;           // the weight of a month that has passed
}  // namespace

void PayDays::pass(const BankDays& calendar, std::int32_t number, bool paid) {
  Kind& weekday = weekdays_[static_cast<std::size_t>(calendar.weekday(number))];
  Kind& position = positions_[static_cast<std::size_t>(calendar.half_month_position(number))];
  const auto likelihood = [&](const Kind& kind) { return logarithm(paid ? kind.chance() : 1 - kind.chance()); };
  advantage_ += likelihood(position) - likelihood(weekday);
  for (Kind* kind : {&weekday, &position}) {
    ++kind->days;
    kind->paid += paid;
  }
}

void PayDays::paid_on(const BankDays& calendar, std::int32_t number) {
  if (number <= last_) return;
  if (last_ >= 0 && number - last_ <= kLongPause)
    for (std::int32_t day = last_ + 1; day < number; ++day) pass(calendar, day, false);
  pass(calendar, number, true);
  last_ = number;
  half_month_ = advantage_ > (half_month_ ? -kSure : kSure);
}

void PayDays::begin_epoch() {
  advantage_ *= kKept;
  const auto fade = [](Kind& kind) {
    kind.paid *= kKept;
    kind.days *= kKept;
  };
  std::for_each(weekdays_.begin(), weekdays_.end(), fade);
  std::for_each(positions_.begin(), positions_.end(), fade);
}

void PayDays::put_into(Digest& digest) const {
  for (const Kind& kind : weekdays_) digest.put(kind.paid), digest.put(kind.days);
  for (const Kind& kind : positions_) digest.put(kind.paid), digest.put(kind.days);
  digest.put(advantage_);
}

}  // namespace tideover::estimators
