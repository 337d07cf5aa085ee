#include "core/estimators/delay.hpp"

#include <algorithm>
#include <cstddef>

#include "core/estimators/arithmetic.hpp"

namespace tideover::estimators {
namespace {

constexpr double kParentStrength = 12;   // payments by which the days until ready are drawn to the parent's
constexpr double kRunStrength = 1.5;     // pseudo-opportunities towards a run on every day
constexpr double kShapeStrength = 150;   // payments after which a start weekday's own record weighs as much as the model
constexpr int kPasses = 12;

/// Usual before anything is known: log-normal, half ready within 14 banking days, 80 % within 20.
const std::array<double, kWaitDays>& usual() {
  static const auto shares = [] {
    std::array<double, kWaitDays> made{};
    double sum = 0;
    for (int day = 0; day < kWaitDays; ++day) {
      const double z = (logarithm(day + 0.5) - 2.674) / 0.42;
      made[static_cast<std::size_t>(day)] = exponential(-0.5 * z * z) / (day + 0.5) + 1e-6;
      sum += made[static_cast<std::size_t>(day)];
    }
    for (auto& share : made) share /= sum;
    return made;
  }();
  return shares;
}

}  // namespace

Delay::Delay() {
  ready_ = usual();
  run_.fill(1);
}

void Delay::observe(int start, int wait) {
  auto& count = recent_[static_cast<std::size_t>(start)][static_cast<std::size_t>(std::clamp(wait, 0, kWaitDays - 1))];
  count += kOne;
  counted_ += kOne;
}

void Delay::open(int start, int waited, double chance_of_payment) {
  if (open_.empty()) open_.assign(5, {});
  if (waited >= 0 && waited < kWaitDays) open_[static_cast<std::size_t>(start)][static_cast<std::size_t>(waited)] += static_cast<float>(chance_of_payment);
}

void Delay::forget_open() { open_.clear(); }

void Delay::begin_epoch() {
  // Who pays a lot is known by the newest months alone, and followed sooner.
  const auto kept = static_cast<std::uint64_t>(std::clamp(60'000.0 / std::max(outcomes(), 1.0), 50.0, 85.0));
  counted_ = 0;
  for (std::size_t start = 0; start < 5; ++start)
    for (std::size_t wait = 0; wait < kWaitDays; ++wait) {
      older_[start][wait] = static_cast<std::uint32_t>((std::uint64_t{older_[start][wait]} + recent_[start][wait]) * kept / 100);
      recent_[start][wait] = 0;
      counted_ += older_[start][wait];
    }
}

void Delay::fit(const Delay* parent) {
  const auto& drawn_to = parent ? parent->ready_ : usual();
  using Row = std::array<double, kWaitDays>;
  std::array<Row, 5> counts;
  for (int start = 0; start < 5; ++start)
    for (int wait = 0; wait < kWaitDays; ++wait) counts[static_cast<std::size_t>(start)][static_cast<std::size_t>(wait)] = seen(start, wait);
  const auto observed = counts;
  if (!fitted_) {
    ready_ = drawn_to;
    run_ = parent ? parent->run_ : std::array<double, 5>{1, 1, 1, 1, 1};
    std::array<double, 5> paid{};
    double all = 0;
    for (int start = 0; start < 5; ++start)
      for (int wait = 0; wait < kWaitDays; ++wait) {
        paid[static_cast<std::size_t>((start + wait) % 5)] += counts[static_cast<std::size_t>(start)][static_cast<std::size_t>(wait)];
        all += counts[static_cast<std::size_t>(start)][static_cast<std::size_t>(wait)];
      }
    for (std::size_t weekday = 0; weekday < 5; ++weekday) run_[weekday] = std::min(1.0, (paid[weekday] + 1) / (all + 5) * 8);
    fitted_ = true;
  }
  for (int pass = 0; pass < kPasses; ++pass) {
    Row ready{};
    std::array<double, 5> run{}, passed{};
    for (std::size_t start = 0; start < 5; ++start) {
      Row waiting{}, paid{}, share{};  // forwards: who is ready and not yet paid; backwards: how well that explains what was seen
      double carried = 0;
      for (std::size_t day = 0; day < kWaitDays; ++day) {
        const double run_today = run_[(start + day) % 5];
        waiting[day] = carried + ready_[day];
        paid[day] = waiting[day] * run_today;
        carried = waiting[day] - paid[day];
      }
      paid[kWaitDays - 1] = waiting[kWaitDays - 1];
      auto& count = counts[start];
      count = observed[start];
      if (!open_.empty()) {  // an open claim is spread over the days that are left to it
        double left = 0, to_spread = 0;
        Row after{};
        for (std::size_t day = kWaitDays; day-- > 0;) {
          after[day] = left;
          left += paid[day];
        }
        for (std::size_t day = 0; day < kWaitDays; ++day) {
          count[day] += to_spread * paid[day];
          if (open_[start][day] > 0 && after[day] > 1e-4) to_spread += open_[start][day] / after[day];
        }
      }
      double explained = 0;
      for (std::size_t day = kWaitDays; day-- > 0;) {
        const double run_today = day + 1 == kWaitDays ? 1.0 : run_[(start + day) % 5];
        const double today = paid[day] > 1e-300 ? count[day] / paid[day] : 0;
        if (day + 1 < kWaitDays) {
          run[(start + day) % 5] += count[day];
          passed[(start + day) % 5] += waiting[day] * (1 - run_today) * explained;
        }
        explained = run_today * today + (1 - run_today) * explained;
        share[day] = explained;
      }
      for (std::size_t day = 0; day < kWaitDays; ++day) ready[day] += ready_[day] * share[day];
    }
    double sum = 0;
    for (std::size_t day = 0; day < kWaitDays; ++day) {
      ready[day] += kParentStrength * drawn_to[day];
      sum += ready[day];
    }
    for (std::size_t day = 0; day < kWaitDays; ++day) ready_[day] = ready[day] / sum;
    for (std::size_t weekday = 0; weekday < 5; ++weekday)
      run_[weekday] = std::max(1e-3, (run[weekday] + kRunStrength) / (run[weekday] + passed[weekday] + kRunStrength + 0.05));
  }
  for (std::size_t start = 0; start < 5; ++start) {
    double sum = 0;
    for (const double count : observed[start]) sum += count;
    for (std::size_t day = 0; day < kWaitDays; ++day) shape_[start][day] = sum > 0 ? static_cast<float>(observed[start][day] / sum) : 0.0F;
    shape_weight_[start] = sum / (sum + kShapeStrength);
  }
}

void Delay::spread(const BankDays& calendar, domain::Date submitted, double weight, std::array<double, kCalendarDays>& days) const {
  const std::int32_t first = calendar.on_or_after(submitted);
  const auto start = static_cast<std::size_t>(calendar.weekday(first));
  const double own = shape_weight_[start];
  double carried = 0;
  for (int wait = 0; wait < kWaitDays; ++wait) {
    const std::int32_t number = std::min(first + wait, calendar.count() - 1);
    const double waiting = carried + ready_[static_cast<std::size_t>(wait)];
    const double run_today = wait + 1 == kWaitDays ? 1.0 : run_[static_cast<std::size_t>(calendar.weekday(number))];
    const double paid = waiting * run_today;
    carried = waiting - paid;
    const int day = std::min(days_between(submitted, calendar.day(number)), kCalendarDays - 1);
    days[static_cast<std::size_t>(std::max(day, 0))] += weight * ((1 - own) * paid + own * static_cast<double>(shape_[start][static_cast<std::size_t>(wait)]));
  }
}

double Delay::place_of(const BankDays& calendar, domain::Date submitted, domain::Date posted) const {
  std::array<double, kCalendarDays> days{};
  spread(calendar, submitted, 1, days);
  const int at = std::clamp(days_between(submitted, posted), 0, kCalendarDays - 1);
  double before = 0;
  for (int day = 0; day < at; ++day) before += days[static_cast<std::size_t>(day)];
  return before + 0.5 * days[static_cast<std::size_t>(at)];
}

bool Delay::watch(double mean_place, int claims) {
  // A run's claims move together: many are worth little more than one.
  const double weight = claims >= 4 ? 1.0 : 0.25 * claims;
  constexpr double kSlack = 0.10, kLimit = 1.5;
  high_ = std::max(0.0, high_ + weight * (mean_place - 0.5 - kSlack));
  low_ = std::max(0.0, low_ + weight * (0.5 - mean_place - kSlack));
  if (high_ < kLimit && low_ < kLimit) return false;
  high_ = low_ = 0;
  ++alarms_;
  counted_ = 0;
  for (std::size_t start = 0; start < 5; ++start)
    for (std::size_t wait = 0; wait < kWaitDays; ++wait) {
      older_[start][wait] /= 4;
      counted_ += older_[start][wait] + recent_[start][wait];
    }
  return true;
}

void Delay::put_into(Digest& digest) const {
  for (std::size_t start = 0; start < 5; ++start)
    for (std::size_t wait = 0; wait < kWaitDays; ++wait) digest.put(std::uint64_t{recent_[start][wait]} << 32 | older_[start][wait]);
  for (const double share : ready_) digest.put(share);
  for (const double run : run_) digest.put(run);
  digest.put(high_);
  digest.put(low_);
}

}  // namespace tideover::estimators
