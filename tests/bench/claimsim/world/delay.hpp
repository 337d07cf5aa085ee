// How long a payer takes, as a distribution over calendar days from submission to the bank day on which its money is
// posted: receipt on a working day, adjudication in working days (log-normal, some claims pended for longer), the wait
// for the payer's next payment run, the lag of the transfer.
#pragma once
#include <cstdint>
#include <vector>

#include "core/domain/basics/date.hpp"
#include "tests/bench/claimsim/world/levels.hpp"
#include "tests/bench/claimsim/world/random.hpp"

namespace tideover::claimsim {

/// Banking days around the simulated span, looked up instead of computed.
class Calendar {
 public:
  Calendar(domain::Date first, int days);
  bool banking(domain::Date date) const { return next_[index(date)] == date.days(); }
  domain::Date on_or_after(domain::Date date) const { return domain::Date::from_days(next_[index(date)]); }
  domain::Date on_or_before(domain::Date date) const;
  domain::Date plus_banking_days(domain::Date date, int days) const;

 private:
  std::size_t index(domain::Date date) const { return static_cast<std::size_t>(days_between(first_, date)); }
  domain::Date first_;
  std::vector<std::int32_t> next_;
};

struct Delay {
  double median = 10, sigma = 0.4;  // of adjudication, working days
  double pended = 0.06;             // share of claims that wait for an operator
  double pended_median = 28;        // working days
  unsigned runs = 0b0111110;        // weekdays of payment runs, bit 0 = Sunday
  bool twice_a_month = false;       // instead: runs on the 1st and the 15th, or the bank day after
  int transfer = 1;                 // banking days from run to posting
  double slow_transfer = 0.1;       // share that takes one more
  int floor_days = 0;               // calendar days before which no claim is paid
};

/// Probabilities of 0 … 149 calendar days; what is later falls on the last.
class Days {
 public:
  static constexpr int kMost = 150;
  Days(const Delay& delay, domain::Date submitted, const Calendar& calendar);

  int draw(Random& random) const;
  double probability(int day) const { return day < 0 ? 0 : upto(day) - upto(day - 1); }
  /// P(T <= day).
  double upto(int day) const { return day < 0 ? 0 : running_[static_cast<std::size_t>(day < kMost ? day : kMost - 1)]; }
  QuantileDays quantiles() const;
  int quantile(double level) const;

 private:
  std::vector<double> running_;
};

/// Calendar days from a denial to the day on which its rework is decided.
class ReworkLag {
 public:
  ReworkLag(double median, double sigma);
  int draw(Random& random) const;
  double upto(int days) const;

 private:
  std::vector<double> running_;
};

}  // namespace tideover::claimsim
