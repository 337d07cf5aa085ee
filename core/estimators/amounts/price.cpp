#include "core/estimators/amounts/price.hpp"

#include <algorithm>

#include "core/domain/claims/procedure_code.hpp"

namespace tideover::estimators {
namespace {

constexpr int kShareTolerance = 3;  // bps
constexpr int kStepTolerance = 12;
constexpr int kMultipleTolerance = 25;
constexpr Key kAllPayers = 0x616c6c;

constexpr std::array<std::string_view, kPriceSources> kSourceNames{
    "site_price",    "provider_price",    "payer_price",    "site_step", "provider_step", "payer_step",
    "code_share",    "provider_share",    "payer_share",    "site_fee",  "provider_fee",  "payer_fee",
    "site_multiple", "provider_multiple", "payer_multiple", "mean_share"};

/// P(within 1 %) of a source before it has a record, by standing.
constexpr std::array<std::array<double, 4>, kPriceSources> kFirstTrust{{{.85, .60, .95, .50},
                                                                        {.80, .55, .93, .45},
                                                                        {.60, .35, .75, .30},
                                                                        {.50, .35, .60, .25},
                                                                        {.48, .33, .58, .24},
                                                                        {.40, .25, .50, .20},
                                                                        {.30, .15, .52, .10},
                                                                        {.25, .12, .48, .10},
                                                                        {.20, .10, .44, .05},
                                                                        {.70, .50, .80, .40},
                                                                        {.65, .45, .75, .35},
                                                                        {.50, .30, .60, .25},
                                                                        {.35, .20, .72, .10},
                                                                        {.34, .18, .71, .10},
                                                                        {.30, .15, .70, .09},
                                                                        {.06, .05, .04, .02}}};

constexpr auto kTotal = [](const auto& ratios) { return ratios.total(); };

}  // namespace

std::string_view name_of(PriceSource source) {
  return kSourceNames[static_cast<std::size_t>(source)];
}

Key pricing_modifiers(std::string_view modifiers) {
  std::uint64_t sum = 0;  // of mixed keys: the same in any order
  while (!modifiers.empty()) {
    const auto end = std::min(modifiers.find(':'), modifiers.size());
    const auto one = modifiers.substr(0, end);
    if (domain::changes_price(one)) sum += key_of(one);
    modifiers.remove_prefix(std::min(end + 1, modifiers.size()));
  }
  return sum;
}

int fee_period_of(domain::Date date) {
  const auto ymd = date.ymd();
  return ymd.year * 4 + static_cast<int>((ymd.month - 1) / 3);
}

Prices::Prices(std::size_t most)
    : entries_(most),
      steps_(most / 8),
      shares_(most / 2),
      multiples_(most / 8),
      sums_(most / 4),
      records_(most / 100),
      reduced_(most / 8) {}

void Prices::Ratios::observe(std::int64_t value, std::int64_t tolerance) {
  if (value < 0 || value > 100'000'000) return;
  std::size_t least = 0, found = hits.size();
  for (std::size_t i = 0; i < hits.size(); ++i) {
    hits[i] = static_cast<std::uint16_t>(hits[i] * 240 / 256);
    if (hits[i] < hits[least]) least = i;
    const std::int64_t distance = value - bps[i];
    if (hits[i] > 0 && distance <= tolerance && distance >= -tolerance &&
        (found == hits.size() || hits[i] > hits[found]))
      found = i;
  }
  if (found == hits.size()) {
    found = least;
    bps[found] = static_cast<std::int32_t>(value);
    hits[found] = 0;
  }
  hits[found] = static_cast<std::uint16_t>(hits[found] + kHit);
}

std::uint32_t Prices::Ratios::total() const {
  std::uint32_t sum = 0;
  for (const auto hit : hits) sum += hit;
  return sum;
}

int Prices::Ratios::top() const {
  return static_cast<int>(std::max_element(hits.begin(), hits.end()) - hits.begin());
}

std::int32_t Prices::Ratios::median() const {
  std::array<std::pair<std::int32_t, std::uint32_t>, 6> sorted;
  for (std::size_t i = 0; i < sorted.size(); ++i) sorted[i] = {bps[i], hits[i]};
  std::sort(sorted.begin(), sorted.end());
  std::uint32_t below = 0;
  for (const auto& [value, weight] : sorted) {
    below += 2 * weight;
    if (below >= total() && weight > 0) return value;
  }
  return 10'000;
}

void Prices::Sums::add(std::int64_t more_allowed, std::int64_t more_charge) {
  if (charge > 2'000'000'000) {
    allowed /= 2;
    charge /= 2;
  }
  allowed += more_allowed;
  charge += more_charge;
}

void Prices::Record::add(bool hit) {
  if (tried >= 256) {
    tried /= 2;
    met /= 2;
  }
  ++tried;
  met = static_cast<std::uint16_t>(met + hit);
}

void Prices::prefetch(const PricedClaim& claim) const {
  for (const auto& line : claim.lines) {
    for (const Key key : price_keys(claim, line)) entries_.prefetch(key);
    for (const auto& keys : share_keys(claim, line)) shares_.prefetch(keys[0]);
    sums_.prefetch(joined(claim.payer, line.code));
    if (line.fee > 0)
      for (const auto& keys : multiple_keys(claim, line)) multiples_.prefetch(keys[0]);
  }
}

double Prices::trust(const Trust* all, const Trust* own, const Candidate& candidate) {
  const auto source = static_cast<std::size_t>(candidate.source),
             standing = static_cast<std::size_t>(candidate.standing);
  double share = kFirstTrust[source][standing];
  const auto learn = [&](const Trust* trust, double strength) {
    if (!trust) return;
    const Record& record = trust->of[source][standing];
    share = (record.met + strength * share) / (record.tried + strength);
  };
  learn(all, 10);
  learn(own, 6);
  return share;
}

const Prices::Candidate& Prices::best(const PricedClaim& claim, const Candidates& found, int& certainty_bps) const {
  std::size_t chosen = found.count - 1;
  double most = -1;
  const Trust* const all = records_.find(kAllPayers);
  const Trust* const own = records_.find(claim.payer);
  for (std::size_t i = 0; i < found.count; ++i)
    if (const double share = trust(all, own, found.all[i]); share > most) {
      most = share;
      chosen = i;
    }
  certainty_bps = static_cast<int>(most * 10'000);
  return found.all[chosen];
}

/// The further lines of a multiple procedure, which are reduced behind a more expensive line. Procedures that are known
/// not to be reduced are excluded.
std::vector<bool> Prices::further_lines(const PricedClaim& claim, const std::vector<std::int64_t>& alone) const {
  std::vector<bool> later(claim.lines.size(), false);
  if (claim.lines.size() < 2) return later;
  std::size_t leading = claim.lines.size();
  const auto takes_part = [&](std::size_t i) {
    if (claim.lines[i].code == 0) return false;
    const Record* seen = reduced_.find(claim.lines[i].code);
    return !seen || seen->tried < 4 || 8 * seen->met > seen->tried;
  };
  for (std::size_t i = 0; i < claim.lines.size(); ++i)
    if (takes_part(i) && (leading == claim.lines.size() || alone[i] > alone[leading])) leading = i;
  for (std::size_t i = 0; i < claim.lines.size(); ++i)
    later[i] = i != leading && takes_part(i) && leading != claim.lines.size();
  return later;
}

void Prices::price(const PricedClaim& claim, std::vector<LinePrice>& prices) const {
  Candidates found;
  std::vector<std::int64_t> alone;
  alone.reserve(claim.lines.size());
  prices.clear();
  for (const auto& line : claim.lines) {
    LinePrice price;
    candidates(claim, line, false, found);
    const Candidate& chosen = best(claim, found, price.certainty_bps);
    price.allowed = domain::Money::cents(chosen.cents);
    price.source = chosen.source;
    alone.push_back(chosen.cents);
    prices.push_back(price);
  }
  const auto later = further_lines(claim, alone);
  for (std::size_t i = 0; i < later.size(); ++i) {
    if (!later[i]) continue;
    candidates(claim, claim.lines[i], true, found);
    const Candidate& chosen = best(claim, found, prices[i].certainty_bps);
    prices[i].allowed = domain::Money::cents(chosen.cents);
    prices[i].source = chosen.source;
  }
}

void Prices::observe(Entry& entry, const PricedClaim& claim, const PricedLine& line, bool later, std::int64_t allowed,
                     bool tells_step) {
  const std::int64_t unit = rounded(allowed * 1000, line.units_milli);
  if (unit <= 0 || unit > 2'000'000'000) return;
  if (entry.empty()) entry.period = static_cast<std::int16_t>(claim.period);
  if (claim.period < entry.period) return;
  if (claim.period > entry.period) {
    const Slot* top = &*std::max_element(entry.slots.begin(), entry.slots.end(),
                                         [](const Slot& a, const Slot& b) { return a.first < b.first; });
    if (!later && top->first > 0) {
      const std::int64_t ratio = rounded(unit * 10'000, top->unit_cents);
      if (tells_step && ratio > 6'000 && ratio < 16'000)
        steps_.at(joined(claim.payer, static_cast<Key>(claim.period)), kTotal).observe(ratio, kStepTolerance);
    }
    entry.earlier_unit_cents = top->unit_cents;
    entry.earlier_period = entry.period;
    entry.unit_fee_cents = 0;
    entry.period = static_cast<std::int16_t>(claim.period);
    // The old slots decay: an unchanged price keeps its record, and a changed one starts a new slot.
    for (auto& slot : entry.slots) {
      slot.first /= 4;
      slot.later /= 4;
    }
  }
  Slot* slot = nullptr;
  Slot* least = &entry.slots[0];
  for (auto& candidate : entry.slots) {
    auto& own = later ? candidate.later : candidate.first;
    own = static_cast<std::uint16_t>(own * 180 / 256);
    if (candidate.first + candidate.later < least->first + least->later) least = &candidate;
    const std::int64_t distance = unit - candidate.unit_cents;
    const std::int64_t tolerance = std::max<std::int64_t>(1, candidate.unit_cents / 1000);
    if (candidate.first + candidate.later > 0 && distance <= tolerance && distance >= -tolerance && !slot)
      slot = &candidate;
  }
  if (!slot) {
    slot = least;
    *slot = Slot{static_cast<std::int32_t>(unit), 0, 0};
  } else if (line.units_milli == 1000) {
    slot->unit_cents = static_cast<std::int32_t>(unit);
  }
  if (line.fee > 0) entry.unit_fee_cents = static_cast<std::int32_t>(rounded(line.fee * 1000, line.units_milli));
  auto& hits = later ? slot->later : slot->first;
  hits = static_cast<std::uint16_t>(hits + kHit);
}

/// Whether each source was within 1 % of the allowed amount, for the payer and for all.
void Prices::grade_sources(const PricedClaim& claim, const Candidates& found, std::int64_t amount) {
  const auto asked = [](const Trust& trust) {
    std::uint32_t sum = 0;
    for (const auto& source : trust.of)
      for (const auto& record : source) sum += record.tried;
    return sum;
  };
  for (std::size_t c = 0; c < found.count; ++c) {
    const auto& candidate = found.all[c];
    const std::int64_t distance = candidate.cents - amount;
    const bool met = 100 * (distance < 0 ? -distance : distance) <= amount;
    for (const Key payer : {kAllPayers, claim.payer})
      records_.at(payer, asked)
          .of[static_cast<std::size_t>(candidate.source)][static_cast<std::size_t>(candidate.standing)]
          .add(met);
  }
}

/// Whether the procedure and the payer reduce further lines, and by what factor. `alone`: the price as a leading line.
void Prices::learn_reduction(const PricedClaim& claim, const PricedLine& line, std::int64_t amount,
                             std::int64_t alone) {
  const auto tried = [](const Record& record) { return record.tried; };
  const std::int64_t ratio = rounded(amount * 10'000, alone);
  const bool is_reduced = ratio < 9'500;
  reduced_.at(line.code, tried).add(is_reduced);
  reduced_.at(claim.payer, tried).add(is_reduced);
  if (is_reduced) multiples_.at(reduction_key(claim.payer), kTotal).observe(ratio, kMultipleTolerance);
}

void Prices::learn_price(const PricedClaim& claim, const PricedLine& line, bool later, std::int64_t amount,
                         bool capped) {
  // Every price of an older period weighs less than any of a newer one.
  const auto weight_of_entry = [](const Entry& entry) {
    std::uint64_t hits = 0;
    for (const auto& slot : entry.slots) hits += std::uint64_t{slot.first} + slot.later;
    return (static_cast<std::uint64_t>(entry.period) << 16) + hits;
  };
  const auto keys = price_keys(claim, line);
  for (std::size_t level = 0; level < keys.size(); ++level) {
    Entry* known = entries_.find(keys[level]);
    if (capped && known && known->period >= claim.period) continue;
    Entry& entry = known ? *known : entries_.at(keys[level], weight_of_entry);
    observe(entry, claim, line, later, amount, level == 1 && !capped);
  }
}

void Prices::learn_ratios(const PricedClaim& claim, const PricedLine& line, std::int64_t amount, bool capped) {
  const std::int64_t share = rounded(amount * 10'000, line.charge);
  const auto of_shares = share_keys(claim, line);
  for (std::size_t level = line.code != 0 ? 0 : 1; level < of_shares.size(); ++level) {
    shares_.at(of_shares[level][0], kTotal).observe(share, kShareTolerance);
    if (level > 0) shares_.at(of_shares[level][1], kTotal).observe(share, kShareTolerance);
  }
  if (line.fee > 0 && !capped)
    for (const auto& keys : multiple_keys(claim, line))
      for (const Key key : keys)
        multiples_.at(key, kTotal).observe(rounded(amount * 10'000, line.fee), kMultipleTolerance);
}

void Prices::learn(const PricedClaim& claim, const std::vector<std::int64_t>& allowed) {
  Candidates found;
  std::vector<std::int64_t> alone;
  for (const auto& line : claim.lines) {
    int certainty = 0;
    candidates(claim, line, false, found);
    alone.push_back(best(claim, found, certainty).cents);
  }
  const auto later = further_lines(claim, alone);
  for (std::size_t i = 0; i < claim.lines.size(); ++i) {
    const auto& line = claim.lines[i];
    if (i >= allowed.size() || allowed[i] < 0 || line.charge <= 0 || line.units_milli <= 0) continue;
    const std::int64_t amount = allowed[i];
    candidates(claim, line, later[i], found);
    grade_sources(claim, found, amount);
    const bool capped = amount >= line.charge;  // the price is at least the charge; more is not known
    const bool explained =
        capped && std::any_of(found.all.begin(), found.all.begin() + static_cast<std::ptrdiff_t>(found.count),
                              [&](const Candidate& candidate) {
                                return candidate.source <= PriceSource::payer_step && candidate.cents == line.charge;
                              });
    if (line.code != 0 && amount > 0) {
      if (later[i] && alone[i] > 0 && !capped) learn_reduction(claim, line, amount, alone[i]);
      learn_price(claim, line, later[i], amount, capped);
    }
    if ((!later[i] || line.code == 0) && !explained) learn_ratios(claim, line, amount, capped);
    for (const Key group : mean_keys(claim, line))
      sums_.at(group, [](const Sums& sums) { return static_cast<std::uint64_t>(sums.charge); })
          .add(amount, line.charge);
  }
}

void Prices::put_into(Digest& digest) const {
  entries_.each([&](Key key, const Entry& entry) {
    digest.put(key);
    digest.put(static_cast<std::int64_t>(entry.period));
    for (const auto& slot : entry.slots) {
      digest.put(slot.unit_cents);
      digest.put(std::uint32_t{slot.first} << 16 | slot.later);
    }
  });
  const auto put_ratios = [&](Key key, const Ratios& ratios) {
    digest.put(key);
    for (std::size_t i = 0; i < ratios.bps.size(); ++i) {
      digest.put(ratios.bps[i]);
      digest.put(std::uint32_t{ratios.hits[i]});
    }
  };
  steps_.each(put_ratios);
  shares_.each(put_ratios);
  multiples_.each(put_ratios);
  sums_.each([&](Key key, const Sums& sums) {
    digest.put(key);
    digest.put(sums.allowed);
    digest.put(sums.charge);
  });
  const auto put_record = [&](Key key, const Record& record) {
    digest.put(key);
    digest.put(std::uint32_t{record.tried} << 16 | record.met);
  };
  records_.each([&](Key key, const Trust& trust) {
    for (const auto& source : trust.of)
      for (const auto& record : source) put_record(key, record);
  });
  reduced_.each(put_record);
}

}  // namespace tideover::estimators
