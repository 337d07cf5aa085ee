// What the state knows of a claim before it says anything: every effect's shift, and what is expected of the claim without it.
#include <algorithm>
#include <array>

#include "core/estimators/arithmetic.hpp"
#include "core/estimators/state.hpp"

namespace tideover::estimators {
namespace {

constexpr double kUsualDenial = 0.10;  // before anything is known

/// How strongly each group is drawn to what is expected of it, in claims.
constexpr std::array<Strength, 17> kEffectStrength{{
    {20, 400},  // all
    {40, 300},  // class
    {25, 80},   // payer
    {25, 80},   // billing provider
    {25, 80},   // servicing provider
    {30, 100},  // facility
    {25, 80, 0.003},  // billing provider at payer
    {25, 80, 0.003},  // servicing provider at payer
    {15, 200},  // chart
    {20, 1000, 0.003},  // chart at payer
    {15, 200},  // look-alike
    {15, 200},  // lateness
    {25, 150},  // lateness at this payer
    {20, 200},  // how long the servicing provider is known
    {60, 400},  // charge
    {60, 400},  // number of lines
    {80, 200},  // season
}};
constexpr std::array<Strength, 3> kLineStrength{{{25, 100, 0.004}, {18, 40, 0.04}, {20, 60, 0.01}}};

Key effect_key(Key kind, Key a, Key b = 0) { return joined(joined(kind, a), b); }

/// When this chart was last answered here, and how: 0 when never.
Key chart_state(const ChartAtPayer* here, const Chart* anywhere, std::uint32_t payer_index, domain::Date day) {
  const auto age_step = [&](std::int32_t when) {
    const std::int32_t age = day.days() - when;
    return age <= 14 ? 0 : age <= 30 ? 1 : age <= 60 ? 2 : age <= 120 ? 3 : age <= 240 ? 4 : 5;
  };
  if (here && here->answered > kNever) {
    if (here->refusals_in_a_row > 0) {
      const auto group = static_cast<CarcGroup>(here->refused_group);
      // Coverage outlasts a claim; a fault of the claim does not.
      const int kind = group == CarcGroup::eligibility ? 1 : group == CarcGroup::coordination ? 2 : group == CarcGroup::coverage || group == CarcGroup::necessity ? 3 : 4;
      return static_cast<Key>(1000 * kind + 100 * std::min<int>(here->refusals_in_a_row, 3) + 10 * age_step(here->first_answer) + (here->paid > here->refused ? 1 : 0));
    }
    return static_cast<Key>(300 + age_step(here->paid) + (here->refused > kNever ? 10 : 0));
  }
  if (anywhere && anywhere->paid > kNever) return static_cast<Key>((anywhere->payer == payer_index + 1 ? 400 : 500) + age_step(anywhere->paid));
  return 0;
}

int lateness_step(const Submission& claim) {
  const int days = days_between(*claim.date_of_service, claim.submitted);
  if (days < 0) return 1;
  const int percent = days * 100 / std::max(claim.timely_filing_days, 1);
  constexpr std::array<int, 9> limits{5, 10, 20, 40, 60, 80, 95, 100, 110};
  return 2 + static_cast<int>(std::upper_bound(limits.begin(), limits.end(), percent) - limits.begin());
}

int half_octave(std::int64_t cents) {
  int steps = 0;
  for (std::int64_t limit = 500; limit < cents && steps < 40; limit = limit * 181 / 128) ++steps;
  return steps;
}

int rule_feature(CarcGroup group) {
  switch (group) {
    case CarcGroup::format: return 0;
    case CarcGroup::eligibility: case CarcGroup::coordination: return 1;
    case CarcGroup::duplicate: return 2;
    case CarcGroup::timely: return 3;
    case CarcGroup::coding: return 4;
    case CarcGroup::authorization: return 5;
    case CarcGroup::necessity: case CarcGroup::coverage: return 6;
    case CarcGroup::provider: case CarcGroup::other: break;
  }
  return 7;
}

/// Modifiers as a set.
Key modifiers_key(std::string_view modifiers) {
  Key sum = 0;
  while (!modifiers.empty()) {
    const auto end = std::min(modifiers.find(':'), modifiers.size());
    sum += key_of(modifiers.substr(0, end));
    modifiers.remove_prefix(std::min(end + 1, modifiers.size()));
  }
  return sum;
}

}  // namespace

State::Reading State::find(const Submission& submission) const {
  static_assert(kEffectStrength.size() == kEffects && kLineStrength.size() == kLineEffects);
  Reading reading;
  reading.week = week_of(submission.reviewed);
  reading.payer = key_of(submission.payer_id);
  reading.billing = key_of(submission.billing_npi);
  reading.servicer = key_of(submission.servicer_npi);
  reading.facility = key_of(submission.facility);
  const std::uint32_t* index = payer_indices_.find(reading.payer);
  reading.payer_index = index ? *index : 0;

  const auto payer_class = static_cast<Key>(submission.payer_class);
  auto& keys = reading.keys;
  keys[kAll] = effect_key(1, 0);
  keys[kClass] = effect_key(2, payer_class);
  keys[kPayer] = effect_key(3, reading.payer);
  keys[kBilling] = effect_key(4, reading.billing);
  keys[kServicer] = effect_key(5, reading.servicer);
  if (!submission.facility.empty()) keys[kFacility] = effect_key(6, reading.facility);
  keys[kPair] = effect_key(7, reading.billing, reading.payer);
  keys[kServicerPair] = effect_key(8, reading.servicer, reading.payer);
  if (submission.chart != 0) keys[kChartAtPayer] = effect_key(27, submission.chart, reading.payer);
  const ChartAtPayer* here = charts_.at_payer(submission.chart, reading.payer);
  const std::uint32_t own_index = reading.payer_index > 0 ? reading.payer_index - 1 : 0xffff'fffe;
  if (const Key state = chart_state(here, charts_.chart(submission.chart), own_index, submission.reviewed)) keys[kChart] = effect_key(20, state);
  if (here && here->share_class > 0 && here->share_year == submission.serviced().ymd().year) reading.chart_share = here->share_class;
  for (const bool exact : {true, false}) {
    const LookAlikes* alike = charts_.like(submission, exact);
    if (!alike) continue;
    const std::uint64_t* sequence = open_by_claim_.find(alike->claim);
    const Open* earlier = sequence ? &open_[*sequence - 1 - first_open_] : nullptr;
    const Key fate = !earlier ? 3 : !earlier->answered ? 0 : earlier->denied ? 1 : 2;
    keys[kLookAlike] = effect_key(21, (exact ? 10 : 0) + fate);
    break;
  }
  if (submission.date_of_service) {
    const auto step = static_cast<Key>(lateness_step(submission));
    keys[kLateness] = effect_key(22, step);
    keys[kPayerLateness] = effect_key(23, step, reading.payer);
  }
  const Tenure* tenure = tenures_.find(reading.servicer);
  const std::int32_t known = submission.reviewed.days() - (tenure ? tenure->first : submission.reviewed.days());
  if (first_day_ > kNever && (!tenure || tenure->first - first_day_ > 60))
    keys[kTenure] = effect_key(28, known < 15 ? 1 : known < 45 ? 2 : known < 90 ? 3 : known < 180 ? 4 : 5);
  keys[kCharge] = effect_key(24, static_cast<Key>(half_octave(submission.amount.cents())));
  if (!submission.lines.empty()) keys[kLineCount] = effect_key(25, std::min<Key>(submission.lines.size(), 8));
  keys[kSeason] = effect_key(26, payer_class, submission.submitted.ymd().month);

  read_lines(submission, reading);
  return reading;
}

State::Reading State::read(const Submission& submission) const {
  Reading reading = find(submission);
  for (const auto& rule : submission.fired) {
    RuleReading read;
    read.rule = rule;
    if (rule.line && *rule.line >= 0 && static_cast<std::size_t>(*rule.line) < reading.lines.size())
      read.major = reading.lines[static_cast<std::size_t>(*rule.line)].share >= 0.5;
    reading.hard = reading.hard || (rule.hard && !rule.shadow && read.major);
    reading.rules.push_back(std::move(read));
  }
  weigh(reading);
  fill_features(submission, reading);
  return reading;
}

/// Each effect is held against what the ones before it lead to expect: a cascade, in which nothing is counted twice and nothing feeds back.
void State::weigh(Effects& effects) const {
  for (std::size_t i = 0; i < kEffects; ++i)
    if (effects.keys[i] != 0) {
      const auto shift = cells_.shift(effects.keys[i], effects.week, kEffectStrength[i]);
      effects.shifts[i] = shift.all;
      effects.refused[i] = shift.refused;
    }
  for (auto& line : effects.lines) {
    line.refused = 0;
    for (std::size_t i = 0; i < kLineEffects; ++i) {
      const auto shift = cells_.shift(line.keys[i], effects.week, kLineStrength[i]);
      line.shifts[i] = shift.all;
      line.refused += shift.refused;
    }
  }
  effects.base_odds = log_odds(kUsualDenial) + effects.shifts[kAll];
  effects.expected[kAll] = static_cast<float>(kUsualDenial);
  double odds = effects.base_odds;
  for (const Effect effect : {kClass, kPayer}) {
    effects.expected[effect] = static_cast<float>(probability(odds));
    odds += effects.shifts[effect];
  }
  odds = std::clamp(odds, -7.0, 7.0);
  weigh_rules(effects, probability(odds));
  double of_lines = 0, squares = 0;
  for (std::size_t i = 0; i < effects.lines.size(); ++i) {
    auto& line = effects.lines[i];
    const double line_odds = with_rules(effects, odds, static_cast<int>(i));
    double shift = 0;
    for (std::size_t part = 0; part < kLineEffects; ++part) {
      line.expected[part] = static_cast<float>(probability(line_odds + shift));
      shift += line.shifts[part];
    }
    of_lines += line.share * line.share * shift;
    squares += line.share * line.share;
  }
  odds = with_rules(effects, odds, std::nullopt) + (squares > 0 ? of_lines / squares : 0);
  for (const Effect effect : {kChart, kChartAtPayer, kLookAlike, kLateness, kPayerLateness, kBilling, kServicer, kFacility, kPair, kServicerPair, kTenure, kCharge, kLineCount, kSeason}) {
    odds = std::clamp(odds, -7.0, 7.0);
    effects.expected[effect] = static_cast<float>(probability(odds));
    odds += effects.shifts[effect];
  }
}

/// Log odds with what the rules add; for one line: those that concern the claim or this line.
double State::with_rules(const Effects& effects, double odds, std::optional<int> line) {
  std::vector<std::pair<std::string_view, double>> families;  // the strongest of each
  for (const auto& read : effects.rules) {
    if (read.rule.shadow || (line && read.rule.line && read.rule.line != line)) continue;
    const std::string_view family = read.rule.family.empty() ? read.rule.rule_id : read.rule.family;
    const auto known = std::find_if(families.begin(), families.end(), [&](const auto& f) { return f.first == family; });
    if (known == families.end())
      families.emplace_back(family, read.weight);
    else
      known->second = std::max(known->second, read.weight);
  }
  if (families.empty()) return odds;
  double unbroken = 1 - probability(odds);
  for (const auto& family : families) unbroken *= 1 - family.second;
  return log_odds(std::clamp(1 - unbroken, 1e-4, 0.995));
}

void State::read_lines(const Submission& submission, Reading& reading) const {
  reading.priced.payer = reading.payer;
  reading.priced.payer_class = submission.payer_class;
  reading.priced.billing = reading.billing;
  reading.priced.facility = reading.facility;
  reading.priced.period = fee_period_of(submission.serviced());
  double charges = 0;
  for (const auto& line : submission.lines) charges += static_cast<double>(std::max<std::int64_t>(line.amount.cents(), 0));
  const Key authorization = !submission.prior_authorization ? 0 : *submission.prior_authorization ? 1 : 2;
  for (const auto& line : submission.lines) {
    const Key code = key_of(line.code);
    LineReading read;
    read.share = charges > 0 ? static_cast<double>(std::max<std::int64_t>(line.amount.cents(), 0)) / charges : 1.0 / static_cast<double>(submission.lines.size());
    const Key units = line.units_milli <= 1000 ? 0 : line.units_milli <= 2000 ? 1 : line.units_milli <= 4000 ? 2 : line.units_milli <= 8000 ? 3 : 4;
    read.keys[0] = effect_key(10, code);
    read.keys[1] = effect_key(11, code, reading.payer);
    read.keys[2] = joined(effect_key(12, code, reading.payer), joined(modifiers_key(line.modifiers), units * 4 + authorization));
    reading.lines.push_back(read);
    reading.priced.lines.push_back({code, pricing_modifiers(line.modifiers), line.units_milli, line.amount.cents(), line.fee ? line.fee->cents() : 0,
                                    line.section.value_or(section_of(line.code))});
  }
  if (submission.lines.empty()) reading.priced.lines.push_back({0, 0, 1000, submission.amount.cents(), 0});
}

void State::weigh_rules(Effects& effects, double background) const {
  for (auto& read : effects.rules) read.weight = weights_.weight(read.rule, effects.payer, read.major, effects.week);
  for (auto& read : effects.rules) {
    double unbroken = 1 - background;
    for (const auto& other : effects.rules)
      if (&other != &read && !other.rule.shadow && (other.rule.family.empty() || other.rule.family != read.rule.family)) unbroken *= 1 - other.weight;
    read.expected = static_cast<float>(std::clamp(1 - unbroken, 1e-4, 0.99));
  }
}

void State::fill_features(const Submission&, Reading& reading) const {
  const auto& shifts = reading.shifts;
  auto& x = reading.features;
  const auto set = [&x](Feature feature, double value) { x[static_cast<std::size_t>(feature)] = static_cast<float>(std::clamp(value, -9.0, 9.0)); };
  double mean = 0, refused = 0, squares = 0, worst = -9, fewest = 1e9;
  for (const auto& line : reading.lines) {
    double shift = 0;
    for (const double part : line.shifts) shift += part;
    mean += line.share * line.share * (shift - line.refused);
    refused += line.share * line.share * line.refused;
    squares += line.share * line.share;
    worst = std::max(worst, shift);
    const Cell* cell = cells_.find(line.keys[1]);
    fewest = std::min(fewest, cell ? cell->claims(reading.week) : 0);
  }
  if (squares > 0) {
    mean /= squares;
    refused /= squares;
  }
  if (reading.lines.empty()) worst = mean = fewest = 0;
  const Cell* payer = cells_.find(reading.keys[kPayer]);
  const double of_payer = payer ? payer->claims(reading.week) : 0;
  set(Feature::payer, reading.base_odds + shifts[kClass] + shifts[kPayer]);
  set(Feature::payer_class, shifts[kClass]);
  set(Feature::line_mean, mean);
  set(Feature::line_worst, worst - mean - refused);
  set(Feature::line_refused, refused);
  set(Feature::billing_provider, shifts[kBilling]);
  set(Feature::servicer, shifts[kServicer] + shifts[kFacility] + shifts[kTenure]);
  const double pair_refused = reading.refused[kPair] + reading.refused[kServicerPair];
  set(Feature::provider_at_payer, shifts[kPair] + shifts[kServicerPair] - pair_refused);
  set(Feature::provider_refused, pair_refused);
  set(Feature::thin_evidence, 0.25 * (logarithm(1 + std::min(of_payer, fewest)) - 3));
  set(Feature::chart, shifts[kChart] + shifts[kChartAtPayer]);
  set(Feature::look_alike, shifts[kLookAlike]);
  set(Feature::lateness, shifts[kLateness] + shifts[kPayerLateness]);
  set(Feature::charge, shifts[kCharge]);
  set(Feature::line_count, shifts[kLineCount]);
  set(Feature::season, shifts[kSeason]);

  // The probability rests on its payer and its procedures; what the request leaves out makes it thinner.
  reading.evidence = 1 / (1 / (of_payer + 20) + 1 / (fewest + 15));
  if (reading.lines.empty()) reading.evidence *= 0.5;
  if (reading.keys[kLateness] == 0) reading.evidence *= 0.7;

  // Rules: how far they move the claim's own background, shared out by family.
  const double odds = std::clamp(blend_.log_odds_of(x), -7.0, 7.0);
  std::array<double, kRuleFeatures> hazards{};
  double all = 0;
  for (std::size_t i = 0; i < reading.rules.size(); ++i) {
    const auto& read = reading.rules[i];
    if (read.rule.shadow) continue;
    bool strongest = true;  // of its family
    for (std::size_t j = 0; j < reading.rules.size() && !read.rule.family.empty(); ++j) {
      const auto& other = reading.rules[j];
      if (j == i || other.rule.shadow || other.rule.family != read.rule.family) continue;
      if (other.weight > read.weight || (other.weight == read.weight && j < i)) strongest = false;
    }
    if (!strongest) continue;
    const double hazard = -logarithm(1 - std::min(read.weight, 0.995));
    hazards[static_cast<std::size_t>(rule_feature(group_of_carc(read.rule.carc)))] += hazard;
    all += hazard;
  }
  if (all <= 0) return;
  const double background = probability(odds);
  const double moved = log_odds(std::min(1 - (1 - background) * exponential(-all), 0.999)) - odds;
  for (int i = 0; i < kRuleFeatures; ++i) x[static_cast<std::size_t>(kFirstRuleFeature + i)] = static_cast<float>(std::max(moved, 0.0) * hazards[static_cast<std::size_t>(i)] / all);
}

}  // namespace tideover::estimators
