#include "tests/bench/claimsim/world/delay.hpp"

#include <algorithm>
#include <cmath>

#include "core/domain/basics/bank_calendar.hpp"

namespace tideover::claimsim {
namespace {

using domain::Date;

/// Log-normal with this median, P(X <= x).
double lognormal_upto(double x, double median, double sigma) {
  return x <= 0 ? 0 : 0.5 * std::erfc(-std::log(x / median) / (sigma * std::sqrt(2.0)));
}

int drawn(const std::vector<double>& running, Random& random) {
  return static_cast<int>(std::upper_bound(running.begin(), running.end() - 1, random.uniform() * running.back()) -
                          running.begin());
}

bool is_run(const Delay& delay, Date day, const Calendar& calendar) {
  if (!delay.twice_a_month) return (delay.runs >> day.weekday() & 1U) != 0;
  for (int back = 0; back < 4; ++back) {
    const Date nominal = day.plus(-back);
    if (const auto [year, month, number] = nominal.ymd(); number == 1 || number == 15)
      return calendar.on_or_after(nominal) == day;
  }
  return false;
}

}  // namespace

Calendar::Calendar(Date first, int days) : first_(first), next_(static_cast<std::size_t>(days)) {
  std::int32_t next = domain::banking_day_on_or_after(first.plus(days)).days();
  for (int i = days; i-- > 0;) {
    if (domain::is_banking_day(first.plus(i))) next = first.plus(i).days();
    next_[static_cast<std::size_t>(i)] = next;
  }
}

Date Calendar::on_or_before(Date date) const {
  while (!banking(date)) date = date.plus(-1);
  return date;
}

Date Calendar::plus_banking_days(Date date, int days) const {
  for (; days > 0; --days) date = on_or_after(date.plus(1));
  for (; days < 0; ++days) date = on_or_before(date.plus(-1));
  return date;
}

Days::Days(const Delay& delay, Date submitted, const Calendar& calendar) : running_(kMost, 0.0) {
  Date decided = calendar.on_or_after(submitted);
  double before = 0;
  for (int k = 1; before < 1 && days_between(submitted, decided) < kMost; ++k) {
    decided = calendar.on_or_after(decided.plus(1));
    const double upto = (1 - delay.pended) * lognormal_upto(k + 0.5, delay.median, delay.sigma) +
                        delay.pended * lognormal_upto(k + 0.5, delay.pended_median, 0.4);
    Date run = std::max(decided, calendar.on_or_after(submitted.plus(delay.floor_days)));
    while (!calendar.banking(run) || !is_run(delay, run, calendar)) run = run.plus(1);
    for (const bool slow : {false, true}) {
      const Date posted = calendar.plus_banking_days(run, delay.transfer + (slow ? 1 : 0));
      const int days = std::min(days_between(submitted, posted), kMost - 1);
      running_[static_cast<std::size_t>(days)] +=
          (upto - before) * (slow ? delay.slow_transfer : 1 - delay.slow_transfer);
    }
    before = upto;
  }
  running_.back() += 1 - before;
  double sum = 0;
  for (double& probability : running_) probability = sum += probability;
  running_.back() = 1;
}

int Days::draw(Random& random) const {
  return drawn(running_, random);
}

int Days::quantile(double level) const {
  return static_cast<int>(std::lower_bound(running_.begin(), running_.end() - 1, level) - running_.begin());
}

QuantileDays Days::quantiles() const {
  QuantileDays days;
  for (std::size_t i = 0; i < kLevels; ++i) days[i] = quantile(level(i));
  return days;
}

ReworkLag::ReworkLag(double median, double sigma) {
  for (int day = 0; day < 240; ++day) running_.push_back(day < 10 ? 0 : lognormal_upto(day + 0.5, median, sigma));
  running_.back() = 1;
}

int ReworkLag::draw(Random& random) const {
  return drawn(running_, random);
}

double ReworkLag::upto(int days) const {
  return days < 0 ? 0 : running_[std::min<std::size_t>(static_cast<std::size_t>(days), running_.size() - 1)];
}

}  // namespace tideover::claimsim
