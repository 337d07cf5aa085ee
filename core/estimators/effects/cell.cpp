#include "core/estimators/effects/cell.hpp"

#include <algorithm>
#include <cmath>

#include "core/domain/basics/within.hpp"
#include "core/estimators/basics/arithmetic.hpp"

namespace tideover::estimators {
namespace {

std::uint32_t fixed(double share) {
  return static_cast<std::uint32_t>(std::lround(share * kOneClaim));
}

/// P(denied | a policy against the group), for the three kinds of policies.
constexpr std::array<double, kWaysToRefuse> kRefused{0.3, 0.55, 0.85};

/// P(any policy), and P(denied by it).
struct Refusals {
  double any = 0, denied = 0;
};
Refusals sum_of(const std::array<double, kWaysToRefuse>& by) {
  Refusals sum;
  for (std::size_t way = 0; way < by.size(); ++way) {
    sum.any += by[way];
    sum.denied += by[way] * kRefused[way];
  }
  return sum;
}

/// P(a policy continues after an answer).
constexpr double kPolicyKept = 0.995;
constexpr double kLeast = 1e-4, kMost = 0.97;

Counted fixed(const Cell::Counting& counting, double expected) {
  const auto claims = static_cast<double>(counting.claims);
  return {fixed(claims), fixed(static_cast<double>(counting.denials)), fixed(claims * expected)};
}

void add(Counted& counted, const Counted& more) {
  if (counted.n > 0xf000'0000U) {  // halving keeps the shares
    counted.n /= 2;
    counted.d /= 2;
    counted.e /= 2;
  }
  counted.n += more.n;
  counted.d += more.d;
  counted.e += more.e;
}

void take(Counted& counted, const Decay& decay, Week age, const Counted& what) {
  const auto less = [&](std::uint32_t& from, std::uint32_t amount) { from -= std::min(from, decay.of(amount, age)); };
  less(counted.n, what.n);
  less(counted.d, what.d);
  less(counted.e, what.e);
}

double held(double p) {
  return domain::within(p, kLeast, kMost);
}
double odds_of(double p) {
  return p / (1 - p);
}

/// The share denied, shrunk towards `target` with the weight of this many denials.
double drawn(double n, double d, double target, double denials) {
  return held((d + denials) / (n + denials / target));
}

}  // namespace

void Cell::decay(Week now) {
  const Week age = now - week;
  if (age <= 0) return;
  for (auto* part : {&slow.n, &slow.d, &slow.e}) *part = kSlow.of(*part, age);
  for (auto* part : {&fast.n, &fast.d, &fast.e}) *part = kFast.of(*part, age);
  week = now;
}

Cell::Counting Cell::count(Week now, const Seen& seen, double expected, std::uint16_t carc, Strength strength) {
  if (slow.n == 0) week = now;
  Counting counting;
  if (strength.refused_as_a_rule > 0) {
    const auto before = refused_by(now, strength);
    const auto [any, denied_so] = sum_of(before);
    const double usual = std::min(estimate(now, expected, strength).usual, 0.5), spared = 1 - any;
    // A denial may have another cause. That is equally likely with and without a policy.
    const double all = usual * spared + denied_so;
    const double elsewhere = seen.denied ? all * (1 - seen.denials) / std::max(seen.denials, 1e-6) : 0;
    const auto likelihood = [&](double share) {
      return 1 - seen.weight +
             seen.weight * (seen.denied ? (share + elsewhere) / (all + elsewhere) : (1 - share) / (1 - all));
    };
    std::array<double, kWaysToRefuse> after{};
    for (std::size_t way = 0; way < after.size(); ++way) {
      counting.likelihood[way] = static_cast<float>(likelihood(kRefused[way]) / likelihood(usual));
      after[way] = before[way] * static_cast<double>(counting.likelihood[way]);
    }
    const double sum = sum_of(after).any + spared;
    for (std::size_t way = 0; way < after.size(); ++way) refused[way] = static_cast<float>(after[way] / sum);
    counting.refused = static_cast<float>(1 - spared / sum);
  }
  decay(now);
  const double counted = seen.weight * seen.clear * (1 - static_cast<double>(counting.refused));
  counting.claims = static_cast<float>(seen.claims * counted);
  counting.denials = static_cast<float>(seen.denials * counted);
  const Counted more = fixed(counting, expected);
  add(slow, more);
  add(fast, more);
  if (slow.n == 0) slow.n = 1;
  if (2 * seen.denials >= 1 && carc != 0) note(carc);
  return counting;
}

void Cell::note(std::uint16_t carc) {
  for (std::size_t i = 0; i < carcs.size(); ++i)
    if (carcs[i] == carc) {
      if (++counts[i] == 0xffff)
        for (auto& count : counts) count /= 2;
      return;
    }
  for (std::size_t i = 0; i < carcs.size(); ++i)
    if (counts[i] == 0) {
      carcs[i] = carc;
      counts[i] = 1;
      return;
    }
  for (auto& count : counts) --count;
}

void Cell::uncount(Week now, Week then, const Counting& counting, double expected) {
  decay(now);
  const Counted what = fixed(counting, expected);
  take(slow, kSlow, week - then, what);
  take(fast, kFast, week - then, what);
  std::array<double, kWaysToRefuse> before{};
  double spared = 1;
  for (std::size_t way = 0; way < before.size(); ++way) {
    before[way] = static_cast<double>(refused[way]) / static_cast<double>(counting.likelihood[way]);
    spared -= static_cast<double>(refused[way]);
  }
  const double sum = sum_of(before).any + std::max(spared, 1e-6);
  for (std::size_t way = 0; way < before.size(); ++way) refused[way] = static_cast<float>(before[way] / sum);
}

/// Between answers the probability of a policy decays slowly towards the share of groups that have one.
std::array<double, kWaysToRefuse> Cell::refused_by(Week now, Strength strength) const {
  const double usual = strength.refused_as_a_rule / kWaysToRefuse;
  std::array<double, kWaysToRefuse> by;
  by.fill(usual);
  if (slow.n == 0) return by;
  const double kept = kPolicyKept * kSlow.of(1U << 30, now - week) * (1.0 / (1U << 30));
  for (std::size_t way = 0; way < by.size(); ++way) by[way] += kept * (static_cast<double>(refused[way]) - usual);
  return by;
}

Cell::Estimate Cell::without_cell(double expected, Strength strength) {
  std::array<double, kWaysToRefuse> by;
  by.fill(strength.refused_as_a_rule / kWaysToRefuse);
  const auto [any, denied] = sum_of(by);
  return {expected, (1 - any) * expected + denied, any};
}

Cell::Estimate Cell::estimate(Week now, double expected, Strength strength) const {
  const double odds = odds_of(held(expected)) * odds_factor(now, strength);
  const double usual = held(odds / (1 + odds));
  if (strength.refused_as_a_rule <= 0) return {usual, usual, 0};
  const auto [any, denied] = sum_of(refused_by(now, strength));
  return {usual, (1 - any) * usual + denied, any};
}

double Cell::shift(Week now, Strength strength) const {
  return logarithm(odds_factor(now, strength));
}

double Cell::odds_factor(Week now, Strength strength) const {
  const Week age = now - week;
  const double n = kSlow.of(slow.n, age) * (1.0 / kOneClaim);
  if (n < 1.0 / 16) return 1;
  const double mean = held(static_cast<double>(slow.e) / slow.n);
  const double slowly =
      odds_of(drawn(n, kSlow.of(slow.d, age) * (1.0 / kOneClaim), mean, strength.slow)) / odds_of(mean);
  // Recent claims count again only if there is an older record that they can differ from.
  const double recent = kFast.of(fast.n, age) * (1.0 / kOneClaim), older = 1 - std::min(1.0, recent / n);
  if (recent * older < 0.25) return slowly;
  const double recent_mean = odds_of(held(static_cast<double>(fast.e) / fast.n)), target = recent_mean * slowly;
  return odds_of(drawn(recent * older, kFast.of(fast.d, age) * older * (1.0 / kOneClaim), held(target / (1 + target)),
                       strength.fast)) /
         recent_mean;
}

double Cell::rate(Week now, double strength) const {
  const Week age = now - week;
  const std::uint32_t n = kSlow.of(slow.n, age);
  const double mean = slow.n > 0 ? static_cast<double>(slow.e) / slow.n : 0;
  return (kSlow.of(slow.d, age) * (1.0 / kOneClaim) + strength * mean) / (n * (1.0 / kOneClaim) + strength);
}

std::uint16_t Cell::top_carc() const {
  const auto top = std::max_element(counts.begin(), counts.end());
  return *top == 0 ? std::uint16_t{0} : carcs[static_cast<std::size_t>(top - counts.begin())];
}

void Cell::put_into(Digest& digest) const {
  digest.put(week);
  for (const auto& counted : {slow, fast}) {
    digest.put(counted.n);
    digest.put(counted.d);
    digest.put(counted.e);
  }
  for (const float share : refused) digest.put(share);
  for (std::size_t i = 0; i < carcs.size(); ++i) digest.put(std::uint32_t{carcs[i]} << 16 | counts[i]);
}

void Cells::put_into(Digest& digest) const {
  cells_.each([&](Key key, const Cell& cell) {
    digest.put(key);
    cell.put_into(digest);
  });
}

}  // namespace tideover::estimators
