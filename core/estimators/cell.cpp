#include "core/estimators/cell.hpp"

#include <algorithm>

#include "core/estimators/arithmetic.hpp"

namespace tideover::estimators {
namespace {

std::uint32_t fixed(double share) { return static_cast<std::uint32_t>(share * kOneClaim + 0.5); }

/// The last dozen: each further claim takes a twelfth of the weight of those before it.
constexpr std::uint32_t kKept = 235, kKeptOf = 256;
constexpr double kRefusedAsARule = 0.82;

void add(Counted& counted, bool denied, std::uint32_t expected) {
  if (counted.n > 0xf000'0000U) {  // the shares stay
    counted.n /= 2;
    counted.d /= 2;
    counted.e /= 2;
  }
  counted.n += kOneClaim;
  counted.d += denied ? kOneClaim : 0;
  counted.e += expected;
}

void take(Counted& counted, const Decay& decay, Week age, bool denied, std::uint32_t expected) {
  const auto less = [](std::uint32_t& from, std::uint32_t amount) { from -= std::min(from, amount); };
  less(counted.n, decay.of(kOneClaim, age));
  less(counted.d, denied ? decay.of(kOneClaim, age) : 0);
  less(counted.e, decay.of(expected, age));
}

/// Log odds of the share denied, drawn to `target` with `strength` claims.
double drawn(std::uint32_t n, std::uint32_t d, double target, double strength) {
  return log_odds((d * (1.0 / kOneClaim) + strength * target) / (n * (1.0 / kOneClaim) + strength));
}

}  // namespace

void Cell::decay(Week now) {
  const Week age = now - week;
  if (age <= 0) return;
  for (auto* part : {&slow.n, &slow.d, &slow.e}) *part = kSlow.of(*part, age);
  for (auto* part : {&fast.n, &fast.d, &fast.e}) *part = kFast.of(*part, age);
  week = now;
}

void Cell::count(Week now, bool denied, double expected, std::uint16_t carc) {
  if (slow.n == 0) week = now;
  decay(now);
  add(slow, denied, fixed(expected));
  add(fast, denied, fixed(expected));
  for (auto* part : {&lately.n, &lately.d, &lately.e}) *part = static_cast<std::uint32_t>(std::uint64_t{*part} * kKept / kKeptOf);
  add(lately, denied, fixed(expected));
  if (!denied || carc == 0) return;
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

void Cell::uncount(Week now, Week then, bool denied, double expected) {
  decay(now);
  take(slow, kSlow, week - then, denied, fixed(expected));
  take(fast, kFast, week - then, denied, fixed(expected));
  take(lately, kSlow, 0, denied, fixed(expected));
}

Cell::Shift Cell::shift(Week now, Strength strength) const {
  const Week age = now - week;
  const std::uint32_t n = kSlow.of(slow.n, age);
  if (n < kOneClaim / 16) return {};
  const double shift = gradual_shift(now, strength);
  if (strength.refused_as_a_rule <= 0 || lately.d == 0) return {shift, 0};
  // Two explanations of the last dozen: what was expected of them, shifted, or a refusal as a rule.
  const double of_late = std::clamp(static_cast<double>(lately.e) / lately.n, 5e-3, 0.6);
  const double usual = std::clamp(probability(log_odds(of_late) + shift), 5e-3, 0.8);
  const double denied = lately.d * (1.0 / kOneClaim), others = (lately.n - std::min(lately.d, lately.n)) * (1.0 / kOneClaim);
  const double ratio = denied * logarithm(kRefusedAsARule / of_late) + others * logarithm((1 - kRefusedAsARule) / (1 - of_late));
  const double as_a_rule = probability(log_odds(strength.refused_as_a_rule) + ratio);
  const double both = log_odds((1 - as_a_rule) * usual + as_a_rule * kRefusedAsARule) - log_odds(of_late);
  return both > shift ? Shift{both, both - shift} : Shift{shift, 0};
}

double Cell::gradual_shift(Week now, Strength strength) const {
  const Week age = now - week;
  const std::uint32_t n = kSlow.of(slow.n, age);
  const double mean = std::clamp(static_cast<double>(slow.e) / slow.n, 1e-4, 1 - 1e-4);
  const double slow_shift = drawn(n, kSlow.of(slow.d, age), mean, strength.slow) - log_odds(mean);
  // What is recent counts again only as far as there is an older record that it can differ from.
  const double older = 1 - std::min(1.0, static_cast<double>(kFast.of(fast.n, age)) / n);
  const auto recent = static_cast<std::uint32_t>(kFast.of(fast.n, age) * older);
  if (recent < kOneClaim / 4) return slow_shift;
  const double recent_odds = log_odds(std::clamp(static_cast<double>(fast.e) / fast.n, 1e-4, 1 - 1e-4));
  return drawn(recent, static_cast<std::uint32_t>(kFast.of(fast.d, age) * older), probability(recent_odds + slow_shift), strength.fast) - recent_odds;
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
  for (const auto& counted : {slow, fast, lately}) {
    digest.put(counted.n);
    digest.put(counted.d);
    digest.put(counted.e);
  }
  for (std::size_t i = 0; i < carcs.size(); ++i) digest.put(std::uint32_t{carcs[i]} << 16 | counts[i]);
}

void Cells::put_into(Digest& digest) const {
  cells_.each([&](Key key, const Cell& cell) {
    digest.put(key);
    cell.put_into(digest);
  });
}

}  // namespace tideover::estimators
