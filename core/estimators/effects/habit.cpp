#include "core/estimators/effects/habit.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/estimators/basics/arithmetic.hpp"

namespace tideover::estimators {
namespace {

bool is_distinct(std::string_view modifiers) {
  for (const std::string_view one : {"59", "XE", "XP", "XS", "XU"})
    if (const auto at = modifiers.find(one); at != std::string_view::npos && at % 3 == 0) return true;
  return false;
}

}  // namespace

void Habits::submitted(const Submission& claim) {
  const Key billing = key_of(claim.billing_npi);
  bool distinct = false;
  for (const auto& line : claim.lines) {
    distinct = distinct || is_distinct(line.modifiers);
    if (line.amount <= domain::Money{} || line.units_milli <= 0) continue;
    auto& charges = charges_.at(joined(billing, key_of(line.code)), [](const Charges& c) { return c.n; });
    const double unit = static_cast<double>(line.amount.cents()) * 1000.0 / static_cast<double>(line.units_milli);
    const auto log = static_cast<std::int64_t>(logarithm(std::max(unit, 1.0)) * 1024);
    if (charges.n >= 100'000) {
      charges.n /= 2;
      charges.sum /= 2;
      charges.squares /= 2;
    }
    ++charges.n;
    charges.sum += log;
    charges.squares += log * log;
  }
  if (claim.lines.size() < 2) return;
  auto& own = distinct_.at(billing, [](const Distinct& d) { return d.claims; });
  ++own.claims;
  own.with += distinct;
  auto& spread = payers_.at(key_of(claim.payer_id), [](const Spread& s) { return s[0]; });
  ++spread[own.with * 20 / own.claims];
}

std::optional<domain::Money> Habits::unusual_charge(Key billing, Key code, std::int64_t units_milli) const {
  const Charges* seen = charges_.find(joined(billing, code));
  if (!seen || seen->n < 20) return std::nullopt;
  const double n = seen->n, mean = static_cast<double>(seen->sum) / n;
  const double variance = std::max(0.0, static_cast<double>(seen->squares) / n - mean * mean);
  // A log-normal bound, at least 25 % above the mean: small changes of a fixed price are not unusual.
  const double log = mean / 1024 + std::max(2.576 * std::sqrt(variance) / 1024, 0.223);
  return domain::Money::cents(
      static_cast<std::int64_t>(std::min(exponential(log) * static_cast<double>(units_milli) / 1000.0, 1e12)));
}

int Habits::distinct_modifier_bps(Key billing) const {
  const Distinct* own = distinct_.find(billing);
  return own && own->claims > 0 ? static_cast<int>(std::uint64_t{own->with} * domain::kOneInBps / own->claims) : 0;
}

std::optional<int> Habits::distinct_modifier_usual_bps(Key payer) const {
  const Spread* spread = payers_.find(payer);
  std::uint64_t all = 0;
  if (spread)
    for (const auto count : *spread) all += count;
  if (all < 100) return std::nullopt;
  std::uint64_t below = 0;
  for (std::size_t step = 0; step < spread->size(); ++step) {
    below += (*spread)[step];
    if (below * 100 >= all * 95) return std::min(static_cast<int>(step + 1) * 500, domain::kOneInBps);
  }
  return domain::kOneInBps;
}

void Habits::put_into(Digest& digest) const {
  charges_.each([&](Key key, const Charges& charges) {
    digest.put(key);
    digest.put(charges.sum);
    digest.put(charges.squares);
  });
  distinct_.each([&](Key key, const Distinct& distinct) {
    digest.put(key);
    digest.put(std::uint64_t{distinct.claims} << 32 | distinct.with);
  });
}

}  // namespace tideover::estimators
