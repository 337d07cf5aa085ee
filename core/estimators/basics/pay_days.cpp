#include "core/estimators/basics/pay_days.hpp"

#include <algorithm>
#include <cstddef>

#include "core/estimators/basics/arithmetic.hpp"

namespace tideover::estimators {
namespace {
constexpr double kSure = 4;  // advantage from which a kind of days is believed, and below whose negative it is given up
constexpr std::int32_t kLongPause = 65;  // banking days without payment after which nothing is said of them
constexpr double kKept = 0.85;           // of what a month said
}  // namespace

void PayDays::pass(const BankDays& calendar, std::int32_t number, bool paid) {
  Kind& weekday = weekdays_[static_cast<std::size_t>(calendar.weekday(number))];
  Kind& place = places_[static_cast<std::size_t>(calendar.half_month_place(number))];
  const auto told = [&](const Kind& kind) { return logarithm(paid ? kind.chance() : 1 - kind.chance()); };
  advantage_ += told(place) - told(weekday);
  for (Kind* kind : {&weekday, &place}) {
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
  std::for_each(places_.begin(), places_.end(), fade);
}

void PayDays::put_into(Digest& digest) const {
  for (const Kind& kind : weekdays_) digest.put(kind.paid), digest.put(kind.days);
  for (const Kind& kind : places_) digest.put(kind.paid), digest.put(kind.days);
  digest.put(advantage_);
}

}  // namespace tideover::estimators
