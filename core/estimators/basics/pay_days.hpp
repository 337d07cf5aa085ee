// The banking days on which a payer pays: weekdays, or positions in the half-month (the 1st and the 15th, plus the
// transfer time). Both predict each banking day from the days before it, and the better predictor is used.
#pragma once
#include <array>
#include <cstdint>

#include "core/estimators/basics/bank_days.hpp"
#include "core/estimators/basics/key.hpp"

namespace tideover::estimators {

class PayDays {
 public:
  /// A payment came on this banking day; the days since the last one had none. Earlier days count as known.
  void paid_on(const BankDays& calendar, std::int32_t number);
  bool by_half_month() const { return half_month_; }
  /// Share of days at this place of the half-month with a payment.
  double at_place(int place) const { return places_[static_cast<std::size_t>(place)].chance(); }
  /// A new month: older months count less.
  void begin_epoch();
  void put_into(Digest& digest) const;

 private:
  struct Kind {
    double paid = 0, days = 0;
    double chance() const { return (paid + 0.5) / (days + 1); }
  };
  void pass(const BankDays& calendar, std::int32_t number, bool paid);

  std::array<Kind, 5> weekdays_{};
  std::array<Kind, kHalfMonthPlaces> places_{};
  double advantage_ = 0;    // log-likelihood of the half-month over the weekday
  std::int32_t last_ = -1;  // banking day that was counted last
  bool half_month_ = false;
};

}  // namespace tideover::estimators
