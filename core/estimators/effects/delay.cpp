#include "core/estimators/effects/delay.hpp"

#include <algorithm>
#include <cstddef>
#include <map>

#include "core/domain/basics/within.hpp"
#include "core/estimators/basics/arithmetic.hpp"

namespace tideover::estimators {
namespace {

constexpr double kParentStrength = 12;  // weight of the parent in the days until ready, in payments
constexpr double kRunStrength = 1.5;    // weight of the usual run probability, in opportunities
constexpr double kShapeStrength =
    150;  // payments after which the observed waits of a start weekday weigh as much as the model
constexpr int kPasses = 12;
constexpr std::size_t kLatest = 512;  // payments that are kept individually

std::array<double, kWaitDays> log_normal(double log_median, double sigma) {
  std::array<double, kWaitDays> made{};
  double sum = 0;
  for (int day = 0; day < kWaitDays; ++day) {
    const double z = (logarithm(day + 0.5) - log_median) / sigma;
    made[static_cast<std::size_t>(day)] = exponential(-0.5 * z * z) / (day + 0.5) + 1e-6;
    sum += made[static_cast<std::size_t>(day)];
  }
  for (auto& share : made) share /= sum;
  return made;
}

/// The prior: half are ready within 14 banking days, 80 % within 20. Behind a payment floor: half within 2, 80 % within
/// 4.
const std::array<double, kWaitDays>& usual(bool behind_a_floor) {
  static const auto shares = log_normal(2.674, 0.42), behind = log_normal(0.69, 0.8);
  return behind_a_floor ? behind : shares;
}

}  // namespace

Delay::Delay(int floor_days) : floor_days_(floor_days), ready_(usual(floor_days > 0)) {
  run_.fill(1);
}

void Delay::observe(const BankDays& calendar, domain::Date submitted, domain::Date posted) {
  const std::int32_t first = first_of(calendar, submitted), paid = std::max(calendar.on_or_after(posted), first);
  recent_[static_cast<std::size_t>(calendar.weekday(first))]
         [static_cast<std::size_t>(std::min(paid - first, kWaitDays - 1))] += kOne;
  counted_ += kOne;
  pay_days_.paid_on(calendar, paid);
  const Wait wait{first, paid - first};
  if (latest_.size() < kLatest) {
    latest_.push_back(wait);
  } else {
    latest_[next_latest_] = wait;
    next_latest_ = (next_latest_ + 1) % kLatest;
  }
}

void Delay::open(const BankDays& calendar, domain::Date submitted, domain::Date today, double chance_of_payment) {
  if (open_.empty()) open_.assign(kWaitDays, 0);
  today_ = calendar.on_or_after(today);
  if (const std::int32_t waited = today_ - first_of(calendar, submitted); waited >= 0 && waited < kWaitDays)
    open_[static_cast<std::size_t>(waited)] += static_cast<float>(chance_of_payment);
}

void Delay::forget_open() {
  open_.clear();
}

void Delay::begin_epoch() {
  pay_days_.begin_epoch();
  // A payer with many payments is known well by its newest months, so its older ones decay faster.
  const auto kept = static_cast<std::uint64_t>(domain::within(60'000.0 / std::max(outcomes(), 1.0), 50.0, 85.0));
  counted_ = 0;
  for (std::size_t start = 0; start < 5; ++start)
    for (std::size_t wait = 0; wait < kWaitDays; ++wait) {
      older_[start][wait] =
          static_cast<std::uint32_t>((std::uint64_t{older_[start][wait]} + recent_[start][wait]) * kept / 100);
      recent_[start][wait] = 0;
      counted_ += older_[start][wait];
    }
}

std::vector<Delay::Start> Delay::starts_by_weekday(const BankDays& calendar) const {
  std::vector<Start> starts(5);
  for (std::size_t weekday = 0; weekday < 5; ++weekday) {
    Start& start = starts[weekday];
    for (std::size_t wait = 0; wait < kWaitDays; ++wait) {
      start.runs[wait] = static_cast<std::uint8_t>((weekday + wait) % 5);
      start.paid[wait] = seen(static_cast<int>(weekday), static_cast<int>(wait));
    }
  }
  for (std::size_t waited = 0; waited < open_.size(); ++waited)
    if (open_[waited] > 0)
      starts[static_cast<std::size_t>(calendar.weekday(today_ - static_cast<std::int32_t>(waited)))].open[waited] +=
          static_cast<double>(open_[waited]);
  return starts;
}

/// Halves of months differ in length, so each day of submission has its own sequence of runs.
std::vector<Delay::Start> Delay::starts_by_day(const BankDays& calendar) const {
  std::map<std::int32_t, Start> starts;
  const auto from = [&](std::int32_t first) -> Start& {
    const auto [at, is_new] = starts.try_emplace(first);
    if (is_new)
      for (std::int32_t wait = 0; wait < kWaitDays; ++wait)
        at->second.runs[static_cast<std::size_t>(wait)] =
            static_cast<std::uint8_t>(calendar.half_month_position(std::min(first + wait, calendar.count() - 1)));
    return at->second;
  };
  for (const Wait& wait : latest_)
    ++from(wait.first).paid[static_cast<std::size_t>(domain::within(wait.days, 0, kWaitDays - 1))];
  for (std::size_t waited = 0; waited < open_.size(); ++waited)
    if (open_[waited] > 0)
      from(today_ - static_cast<std::int32_t>(waited)).open[waited] += static_cast<double>(open_[waited]);
  std::vector<Start> all;
  all.reserve(starts.size());
  for (auto& [first, start] : starts) all.push_back(start);
  return all;
}

/// The start of the search for the runs: the days on which payments came.
void Delay::take_runs(const std::vector<Start>& starts) {
  run_.fill(1);
  if (half_month_) {
    for (int position = 0; position < kHalfMonthPositions; ++position)
      run_[static_cast<std::size_t>(position)] = pay_days_.at_position(position);
    return;
  }
  Runs paid{};
  double all = 0;
  for (const Start& start : starts)
    for (std::size_t wait = 0; wait < kWaitDays; ++wait) {
      paid[start.runs[wait]] += start.paid[wait];
      all += start.paid[wait];
    }
  for (std::size_t weekday = 0; weekday < 5; ++weekday)
    run_[weekday] = std::min(1.0, (paid[weekday] + 1) / (all + 5) * 8);
}

/// One step of the expectation-maximisation algorithm.
void Delay::improve(const std::vector<Start>& starts, const Row& drawn_to) {
  Row ready{};
  Runs run{}, passed{};
  for (const Start& start : starts) {
    Row waiting{}, paid{}, share{};  // forwards: ready and not paid yet; backwards: the likelihood of what was observed
    double carried = 0;
    for (std::size_t day = 0; day < kWaitDays; ++day) {
      waiting[day] = carried + ready_[day];
      paid[day] = waiting[day] * run_[start.runs[day]];
      carried = waiting[day] - paid[day];
    }
    paid[kWaitDays - 1] = waiting[kWaitDays - 1];
    Row count = start.paid;
    double left = 0, to_spread = 0;  // an open claim is divided among its remaining days
    Row after{};
    for (std::size_t day = kWaitDays; day-- > 0;) {
      after[day] = left;
      left += paid[day];
    }
    for (std::size_t day = 0; day < kWaitDays; ++day) {
      count[day] += to_spread * paid[day];
      if (start.open[day] > 0 && after[day] > 1e-4) to_spread += start.open[day] / after[day];
    }
    double explained = 0;
    for (std::size_t day = kWaitDays; day-- > 0;) {
      const double run_today = day + 1 == kWaitDays ? 1.0 : run_[start.runs[day]];
      const double today = paid[day] > 1e-300 ? count[day] / paid[day] : 0;
      if (day + 1 < kWaitDays) {
        run[start.runs[day]] += count[day];
        passed[start.runs[day]] += waiting[day] * (1 - run_today) * explained;
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
  // Prior: each weekday has a run, and few positions of the half-month have one.
  const double usual_runs = half_month_ ? 0.1 * kRunStrength : kRunStrength;
  for (std::size_t at = 0; at < run_.size(); ++at)
    run_[at] = std::max(1e-3, (run[at] + usual_runs) / (run[at] + passed[at] + kRunStrength + 0.05));
}

void Delay::fit(const BankDays& calendar, const Delay* parent) {
  const Row& drawn_to = parent && parent->floor_days_ == floor_days_ ? parent->ready_ : usual(floor_days_ > 0);
  const bool turned = half_month_ != pay_days_.by_half_month();
  half_month_ = pay_days_.by_half_month();
  const auto starts = half_month_ ? starts_by_day(calendar) : starts_by_weekday(calendar);
  if (!fitted_ || turned) {
    ready_ = drawn_to;
    take_runs(starts);
    fitted_ = true;
  }
  for (int pass = 0; pass < kPasses; ++pass) improve(starts, drawn_to);
  for (std::size_t start = 0; start < 5; ++start) {
    double sum = 0;
    for (std::size_t day = 0; day < kWaitDays; ++day) sum += seen(static_cast<int>(start), static_cast<int>(day));
    for (std::size_t day = 0; day < kWaitDays; ++day)
      shape_[start][day] =
          sum > 0 ? static_cast<float>(seen(static_cast<int>(start), static_cast<int>(day)) / sum) : 0.0F;
    shape_weight_[start] = half_month_ ? 0 : sum / (sum + kShapeStrength);
  }
}

/// Runs in every review, so the arrays are read sequentially and without bounds checks.
void Delay::spread(const BankDays& calendar, domain::Date submitted, double weight,
                   std::array<double, kCalendarDays>& days) const {
  const std::int32_t first = std::min(first_of(calendar, submitted), calendar.count() - kWaitDays);
  const auto start = static_cast<std::size_t>(calendar.weekday(first));
  const std::int32_t* const on = calendar.days_from(first);
  const std::uint8_t* const runs =
      half_month_ ? calendar.half_month_positions_from(first) : calendar.weekdays_from(first);
  const double* const ready = ready_.data();
  const double* const run = run_.data();
  const float* const shape = shape_[start].data();
  double* const shares = days.data();
  const double own = weight * shape_weight_[start], modelled = weight - own;
  double carried = 0;
  for (int wait = 0; wait < kWaitDays; ++wait) {
    const double waiting = carried + ready[wait];
    const double paid = wait + 1 == kWaitDays ? waiting : waiting * run[runs[wait]];
    carried = waiting - paid;
    shares[domain::within(on[wait] - submitted.days(), 0, kCalendarDays - 1)] +=
        modelled * paid + own * static_cast<double>(shape[wait]);
  }
}

double Delay::quantile_of(const BankDays& calendar, domain::Date submitted, domain::Date posted) const {
  std::array<double, kCalendarDays> days{};
  spread(calendar, submitted, 1, days);
  const int at = domain::within(days_between(submitted, posted), 0, kCalendarDays - 1);
  double before = 0;
  for (int day = 0; day < at; ++day) before += days[static_cast<std::size_t>(day)];
  return before + 0.5 * days[static_cast<std::size_t>(at)];
}

bool Delay::watch(double mean_quantile, int claims) {
  // Claims of one run are paid together, so many count little more than one.
  const double weight = claims >= 4 ? 1.0 : 0.25 * claims;
  constexpr double kSlack = 0.10, kLimit = 1.5;
  high_ = std::max(0.0, high_ + weight * (mean_quantile - 0.5 - kSlack));
  low_ = std::max(0.0, low_ + weight * (0.5 - mean_quantile - kSlack));
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
    for (std::size_t wait = 0; wait < kWaitDays; ++wait)
      digest.put(std::uint64_t{recent_[start][wait]} << 32 | older_[start][wait]);
  for (const double share : ready_) digest.put(share);
  for (const double run : run_) digest.put(run);
  digest.put(high_);
  digest.put(low_);
  pay_days_.put_into(digest);
}

}  // namespace tideover::estimators
