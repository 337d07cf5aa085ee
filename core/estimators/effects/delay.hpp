// The time that payers take: banking days from submission to posted funds, for claims that are paid at first response.
// The model has two parts: the payer's work, after which the claim is `ready`, and the next payment run. A run falls on
// each weekday, or on each position of the half-month when the payer pays so (`pay_days`), with its own probability.
// Histograms per epoch. Open claims count as not paid yet (Kaplan-Meier), so that new claims cause no bias. A payer
// with few outcomes is shrunk towards its class, and a class towards all. A drift alarm (CUSUM over the positions of
// outcomes in their predicted distributions) raises the weight of the newest outcomes.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "core/estimators/basics/bank_days.hpp"
#include "core/estimators/basics/key.hpp"
#include "core/estimators/basics/pay_days.hpp"
#include "core/estimators/basics/submission.hpp"

namespace tideover::estimators {

inline constexpr int kWaitDays = 108;      // banking days; the last holds everything later: 150 calendar days
inline constexpr int kCalendarDays = 160;  // of a distribution over calendar days

/// P(T <= t) for calendar days t from submission.
using DayShares = std::array<float, kCalendarDays>;

/// One payer, one class of payers or all.
class Delay {
 public:
  /// `floor_days`: calendar days from submission before which nothing is paid.
  explicit Delay(int floor_days = 0);

  void observe(const BankDays& calendar, domain::Date submitted, domain::Date posted);
  /// Not paid yet on `today`.
  void open(const BankDays& calendar, domain::Date submitted, domain::Date today, double chance_of_payment);
  void forget_open();
  /// A new month: older months weigh less.
  void begin_epoch();
  /// Fits again, shrunk towards `parent` (null: towards the general prior).
  void fit(const BankDays& calendar, const Delay* parent);

  /// The number of payments; older months count less.
  double outcomes() const { return static_cast<double>(counted_) * (1.0 / kOne); }
  bool is_fitted() const { return fitted_; }
  /// Adds `weight` x P(posted on day t after submission) into `days`, on the real calendar.
  void spread(const BankDays& calendar, domain::Date submitted, double weight,
              std::array<double, kCalendarDays>& days) const;
  /// The position of a payment in its predicted distribution: P(earlier) + P(same day) / 2. For the drift alarm.
  double quantile_of(const BankDays& calendar, domain::Date submitted, domain::Date posted) const;

  /// `mean_quantile`: the mean position of the payments of a run. True when it raises the alarm. Then everything before
  /// this epoch counts for a quarter.
  bool watch(double mean_quantile, int claims);
  int alarms() const { return alarms_; }
  std::size_t bytes() const {
    return sizeof(Delay) + latest_.capacity() * sizeof(Wait) + open_.capacity() * sizeof(float);
  }
  void put_into(Digest& digest) const;

 private:
  static constexpr std::uint32_t kOne = 256;
  using Row = std::array<double, kWaitDays>;
  using Runs = std::array<double, kHalfMonthPositions>;
  /// The outcomes of claims with one start, and the run on each day of waiting.
  struct Start {
    std::array<std::uint8_t, kWaitDays> runs{};
    Row paid{}, open{};
  };
  struct Wait {
    std::int32_t first;
    std::int32_t days;
  };
  std::int32_t first_of(const BankDays& calendar, domain::Date submitted) const {
    return calendar.on_or_after(submitted.plus(floor_days_));
  }
  std::vector<Start> starts_by_weekday(const BankDays& calendar) const;
  std::vector<Start> starts_by_day(const BankDays& calendar) const;
  void take_runs(const std::vector<Start>& starts);
  void improve(const std::vector<Start>& starts, const Row& drawn_to);

  using Histogram = std::array<std::array<std::uint32_t, kWaitDays>, 5>;  // by start weekday
  double seen(int start, int wait) const {
    return (recent_[static_cast<std::size_t>(start)][static_cast<std::size_t>(wait)] +
            older_[static_cast<std::size_t>(start)][static_cast<std::size_t>(wait)]) *
           (1.0 / kOne);
  }

  int floor_days_;
  Histogram recent_{}, older_{};
  std::uint64_t counted_ = 0;  // sum of both
  std::vector<Wait> latest_;   // the latest payments; a ring buffer
  std::size_t next_latest_ = 0;
  PayDays pay_days_;
  std::vector<float> open_;  // empty, or by banking days waited until `today_`
  std::int32_t today_ = 0;
  Row ready_{};              // P(ready after so many banking days)
  Runs run_{};               // P(a payment run on this weekday, or at this position of the half-month)
  bool half_month_ = false;  // positions of the half-month, not weekdays
  std::array<std::array<float, kWaitDays>, 5> shape_{};  // P(wait | start weekday), as observed
  std::array<double, 5> shape_weight_{};
  bool fitted_ = false;
  double high_ = 0, low_ = 0;  // CUSUM
  int alarms_ = 0;
};

}  // namespace tideover::estimators
