// The sources of a price: the keys of what is remembered, and the candidates that each source gives for a line.
#include "core/estimators/amounts/price.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/domain/basics/within.hpp"

namespace tideover::estimators {
namespace {

constexpr Key kAnyFacility = 0x616e79;

/// The prior of a class: allowed / charge, and allowed / Medicare fee; by PayerClass.
constexpr std::array<double, kPayerClasses> kFirstShare{.50, .35, .30, .45, .50, .45};
constexpr std::array<double, kPayerClasses> kFirstMultiple{1.30, 1.00, 0.75, 1.15, 1.25, 1.10};

PriceSource at_level(PriceSource of, std::size_t level) {
  return static_cast<PriceSource>(static_cast<std::size_t>(of) + level);
}

}  // namespace

void Prices::Candidates::add(PriceSource source, int standing, std::int64_t cents) {
  all[count++] = {source, standing, domain::within<std::int64_t>(cents, 0, charge)};
}

std::array<Key, 3> Prices::price_keys(const PricedClaim& claim, const PricedLine& line) const {
  const Key payer = joined(claim.payer, joined(line.code, line.modifiers));
  const Key provider = joined(payer, claim.billing);
  return {joined(provider, claim.facility), joined(provider, kAnyFacility), payer};
}

/// A contract is often a share of the local Medicare fee, per section of the procedure book.
std::array<std::array<Key, 2>, 3> Prices::multiple_keys(const PricedClaim& claim, const PricedLine& line) {
  const Key payer = joined(joined(claim.payer, line.modifiers), 0x6d756c74);
  const Key provider = joined(payer, claim.billing);
  const auto both = [&](Key key) { return std::array{joined(key, static_cast<Key>(line.section)), key}; };
  return {both(joined(provider, claim.facility)), both(joined(provider, kAnyFacility)), both(payer)};
}

std::array<std::array<Key, 2>, 3> Prices::share_keys(const PricedClaim& claim, const PricedLine& line) {
  const Key of_code = joined(joined(claim.payer, joined(line.code, line.modifiers)), 0x736831);
  const auto both = [&](Key key) { return std::array{joined(key, static_cast<Key>(line.section)), key}; };
  return {std::array{of_code, of_code}, both(joined(joined(claim.payer, claim.billing), 0x736832)),
          both(joined(claim.payer, 0x736833))};
}

/// From the widest group to the narrowest.
std::array<Key, 3> Prices::mean_keys(const PricedClaim& claim, const PricedLine& line) {
  return {joined(static_cast<Key>(claim.payer_class), 0x636c617373), claim.payer, joined(claim.payer, line.code)};
}

/// The payer's factor for a further line of a multiple procedure.
Key Prices::reduction_key(Key payer) {
  return joined(payer, 0x6d707072);
}

double Prices::step(Key payer, int from_period, int to_period) const {
  constexpr std::uint32_t kFewest = 2 * kHit - 32, kEnough = 5 * kHit;
  const auto factor_of = [&](int period, std::uint32_t fewest, std::uint32_t most_of_5) -> std::optional<double> {
    const Ratios* seen = steps_.find(joined(payer, static_cast<Key>(period)));
    if (!seen || seen->total() < fewest) return std::nullopt;
    const auto top = static_cast<std::size_t>(seen->top());
    if (seen->hits[top] * 5U >= seen->total() * most_of_5) return seen->bps[top] / 10'000.0;
    return most_of_5 > 2 ? std::nullopt : std::optional(seen->median() / 10'000.0);
  };
  double factor = 1;
  for (int period = std::max(from_period + 1, to_period - 8); period <= to_period; ++period) {
    auto known = factor_of(period, kFewest, 2);
    if (!known)
      known = factor_of(period - 4, kEnough,
                        3);  // contracts often rise by the same step each year: assumed until the first answers
    factor *= known.value_or(1);
  }
  return factor;
}

void Prices::candidates(const PricedClaim& claim, const PricedLine& line, bool later, Candidates& found) const {
  found.count = 0;
  found.charge = line.charge;
  if (line.code != 0) {
    const auto keys = price_keys(claim, line);
    for (std::size_t level = 0; level < keys.size(); ++level)
      if (const Entry* entry = entries_.find(keys[level])) add_remembered(claim, line, later, *entry, level, found);
  }
  add_ratios(claim, line, found);
  add_mean(claim, line, found);
}

/// What the entry of this level remembers of the procedure's price.
void Prices::add_remembered(const PricedClaim& claim, const PricedLine& line, bool later, const Entry& entry,
                            std::size_t level, Candidates& found) const {
  if (claim.period < entry.period) {
    if (entry.earlier_unit_cents > 0 && claim.period >= entry.earlier_period)
      found.add(at_level(PriceSource::site_price, level), 1,
                rounded(entry.earlier_unit_cents * line.units_milli, 1000));
    return;
  }
  const Slot* top = nullptr;
  std::uint32_t best = 0, total = 0;
  for (const auto& slot : entry.slots) {
    const std::uint32_t own = later ? slot.later : slot.first, other = later ? slot.first : slot.later;
    total += own + other;
    if (const std::uint32_t score = 64 * own + other; score > best) {
      best = score;
      top = &slot;
    }
  }
  if (!top) return;
  const std::uint32_t own = later ? top->later : top->first;
  double cents = static_cast<double>(top->unit_cents) * static_cast<double>(line.units_milli) / 1000.0;
  int standing = own == 0 ? 3 : own <= kHit ? 0 : 2;
  if (standing != 3 && 5U * (top->first + top->later) < 3U * total) standing = 1;
  if (later && own == 0) cents = reduced(claim, line, cents);
  const bool same = claim.period == entry.period;
  const std::int64_t unit_fee = line.units_milli > 0 ? rounded(line.fee * 1000, line.units_milli) : 0;
  if (unit_fee > 0 && entry.unit_fee_cents > 0 && std::abs(unit_fee - entry.unit_fee_cents) > 1)
    found.add(at_level(PriceSource::site_fee, level), standing,
              std::llround(cents * static_cast<double>(unit_fee) / entry.unit_fee_cents));
  if (!same) cents *= step(claim.payer, entry.period, claim.period);
  found.add(at_level(same ? PriceSource::site_price : PriceSource::site_step, level), standing, std::llround(cents));
}

/// The price of a leading line as the price of a further line: less where the procedure and the payer are known for
/// that.
double Prices::reduced(const PricedClaim& claim, const PricedLine& line, double cents) const {
  const Record* code = reduced_.find(line.code);
  const Record* payer = reduced_.find(claim.payer);
  if (code && payer && 2 * code->met > code->tried && 2 * payer->met > payer->tried)
    if (const Ratios* factor = multiples_.find(reduction_key(claim.payer)); factor && factor->total() > 0)
      cents *= factor->bps[static_cast<std::size_t>(factor->top())] / 10'000.0;
  return cents;
}

/// The most frequent shares of the charge and multiples of the Medicare fee.
void Prices::add_ratios(const PricedClaim& claim, const PricedLine& line, Candidates& found) const {
  // The payer's ratio for the section is preferred to its ratio over all sections.
  const auto commonest = [&](const std::array<Key, 2>& keys,
                             const Table<Ratios>& of) -> std::pair<const Ratios*, bool> {
    const Ratios* own = of.find(keys[0]);
    if (own && own->total() > 0) return {own, true};
    const Ratios* all = of.find(keys[1]);
    return {all && all->total() > 0 ? all : nullptr, false};
  };
  const auto standing_of = [](const Ratios& ratios, bool own, std::uint32_t most, std::uint32_t of) {
    const std::uint32_t hits = ratios.hits[static_cast<std::size_t>(ratios.top())], total = ratios.total();
    if (hits <= kHit) return total <= kHit && own ? 0 : 3;
    return own && of * hits >= most * total ? 2 : 1;
  };
  const auto by_share = share_keys(claim, line);
  for (std::size_t level = line.code != 0 ? 0 : 1; level < by_share.size(); ++level)
    if (const auto [shares, own] = commonest(by_share[level], shares_); shares)
      found.add(at_level(PriceSource::code_share, level), standing_of(*shares, own, 3, 5),
                rounded(line.charge * shares->bps[static_cast<std::size_t>(shares->top())], 10'000));
  if (line.fee <= 0) return;
  const auto by_fee = multiple_keys(claim, line);
  for (std::size_t level = 0; level < by_fee.size(); ++level)
    if (const auto [multiple, own] = commonest(by_fee[level], multiples_); multiple)
      found.add(at_level(PriceSource::site_multiple, level), standing_of(*multiple, own, 1, 2),
                rounded(line.fee * multiple->bps[static_cast<std::size_t>(multiple->top())], 10'000));
}

/// The mean share of the charge, each group shrunk towards the wider one with the weight of a few claims.
void Prices::add_mean(const PricedClaim& claim, const PricedLine& line, Candidates& found) const {
  const auto of_class = static_cast<std::size_t>(claim.payer_class);
  double mean = kFirstShare[of_class];
  if (line.fee > 0)
    mean = std::min(1.0, kFirstMultiple[of_class] * static_cast<double>(line.fee) /
                             static_cast<double>(std::max<std::int64_t>(line.charge, 1)));
  int standing = 3;
  const auto groups = mean_keys(claim, line);
  const double weight = 4.0 * static_cast<double>(std::max<std::int64_t>(line.charge, 100));
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const Sums* sums = sums_.find(groups[i]);
    if (!sums) continue;
    mean = (static_cast<double>(sums->allowed) + weight * mean) / (static_cast<double>(sums->charge) + weight);
    standing = 2 - static_cast<int>(i);
  }
  found.add(PriceSource::mean_share, standing, std::llround(mean * static_cast<double>(line.charge)));
}

}  // namespace tideover::estimators
