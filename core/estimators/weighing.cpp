// How likely each cause is to strike a claim, effect by effect; and what each effect adds to the log odds that the
// claim is denied.
#include <algorithm>
#include <array>

#include "core/domain/basics/within.hpp"
#include "core/estimators/basics/arithmetic.hpp"
#include "core/estimators/effects/strengths.hpp"
#include "core/estimators/state.hpp"

namespace tideover::estimators {
namespace {

/// P(denied for a cause) before anything is known; the last is of a line. Beside what rules find.
constexpr std::array<double, kCauses> kUsual{0.02, 0.007, 0.015, 0.004, 0.003, 0.03};
constexpr std::size_t kMostLines = 8;  // considered separately; the most expensive ones

int rule_feature(CarcGroup group) {
  switch (group) {
    case CarcGroup::format:
      return 0;
    case CarcGroup::eligibility:
    case CarcGroup::coordination:
      return 1;
    case CarcGroup::duplicate:
      return 2;
    case CarcGroup::timely:
      return 3;
    case CarcGroup::coding:
      return 4;
    case CarcGroup::authorization:
      return 5;
    case CarcGroup::necessity:
    case CarcGroup::coverage:
      return 6;
    case CarcGroup::documents:
      return 0;
    case CarcGroup::provider:
    case CarcGroup::other:
      break;
  }
  return 7;
}

struct LineRisk {
  double share = 0, denied = 0;
};

/// P(all lines, or lines with half of the charge, are denied), each by itself.
double denied_by_lines(const LineRisk* lines, std::size_t count) {
  if (count == 1) return lines->denied;
  double sum = 0;
  for (unsigned denied = 1; denied < 1U << count; ++denied) {
    double share = 0, probability = 1;
    for (std::size_t i = 0; i < count; ++i) {
      const bool hit = denied >> i & 1U;
      share += hit ? lines[i].share : 0;
      probability *= hit ? lines[i].denied : 1 - lines[i].denied;
    }
    if (share >= 0.4999 || denied + 1 == 1U << count) sum += probability;
  }
  return sum;
}

double log_odds_unless(double spared) {
  spared = domain::within(spared, 1e-4, 1 - 1e-4);
  return logarithm((1 - spared) / spared);
}

}  // namespace

/// Each effect is held against what the ones before it lead to expect: a cascade, in which nothing is counted twice and
/// nothing feeds back.
void State::weigh(Effects& effects) const {
  static_assert(kEffectStrength.size() == kEffects && kLineStrength.size() == kLineEffects);
  const auto weigh_one = [&](Key key, Strength strength, double& p, Weighed& weighed) {
    weighed = {};
    weighed.expected = static_cast<float>(p);
    if (key != 0) {
      const auto told = cells_.told(key, effects.week, p, strength);
      p = domain::within(told.all, 1e-4, 0.97);
      weighed.refused = static_cast<float>(told.refused);
    }
    weighed.told = static_cast<float>(p);
  };
  for (std::size_t cause = 0; cause < kCauses; ++cause) {
    double p = kUsual[cause];
    for (std::size_t i = kFirstOf[cause]; i <= kLastOf[cause]; ++i)
      weigh_one(effects.keys[i], kEffectStrength[i], p, effects.weighed[i]);
  }
  const auto usual = static_cast<double>(effects.weighed[kCharge].told);
  effects.step.expected = static_cast<float>(usual);
  effects.step.told = static_cast<float>(steps_.told(effects.payer, effects.week, effects.step.place, usual).all);
  for (auto& line : effects.lines) {
    double p = static_cast<double>(effects.told(Cause::procedure));
    for (std::size_t i = 0; i < kLineEffects; ++i) weigh_one(line.keys[i], kLineStrength[i], p, line.weighed[i]);
  }
  for (auto& read : effects.rules) read.weight = weights_.weight(read.rule, effects.payer, effects.week);
}

/// P(not denied) of the rules that concern this line, or with -1 the claim: the strongest of each family.
double State::spared_by_rules(const Effects& effects, int line) {
  double spared = 1;
  for (std::size_t i = 0; i < effects.rules.size(); ++i) {
    const auto& read = effects.rules[i];
    if (read.line != line || !is_strongest(effects, i)) continue;
    spared *= 1 - std::min(read.weight, 0.995);
  }
  return spared;
}

bool State::is_strongest(const Effects& effects, std::size_t rule) {
  const auto& read = effects.rules[rule];
  if (read.rule.shadow) return false;
  if (read.rule.family.empty()) return true;
  for (std::size_t j = 0; j < effects.rules.size(); ++j) {
    const auto& other = effects.rules[j];
    if (j == rule || other.rule.shadow || other.line != read.line || other.rule.family != read.rule.family) continue;
    if (other.weight > read.weight || (other.weight == read.weight && j < rule)) return false;
  }
  return true;
}

void State::fill_features(Reading& reading) const {
  auto& x = reading.features;
  const auto set = [&x](Feature feature, double value) {
    x[static_cast<std::size_t>(feature)] += static_cast<float>(domain::within(value, -9.0, 9.0));
  };
  const auto told = [&](std::size_t effect) { return static_cast<double>(reading.weighed[effect].told); };

  // The lines, dearest first where there are too many.
  std::array<LineRisk, kMostLines> lines;
  std::size_t count = 0;
  std::vector<const LineReading*> dearest;
  for (const auto& line : reading.lines) dearest.push_back(&line);
  if (dearest.size() > kMostLines)
    std::stable_sort(dearest.begin(), dearest.end(), [](const auto* a, const auto* b) { return a->share > b->share; });
  count = std::min(dearest.size(), kMostLines);
  const auto lines_with = [&](const auto& risk) {
    if (count == 0) return static_cast<double>(reading.told(Cause::procedure));
    for (std::size_t i = 0; i < count; ++i) lines[i] = {dearest[i]->share, risk(*dearest[i])};
    return denied_by_lines(lines.data(), count);
  };

  // One after the other, each cause goes from what is usual to the estimate for this claim; every step's log odds are a
  // feature.
  std::array<double, kCauses> p{told(kAll), told(kEnrolment), told(kPatients), told(kTiming), told(kDocuments), 0};
  const auto at_base = [&](std::size_t effect) { return lines_with([&](const LineReading&) { return told(effect); }); };
  const auto unless_line = [&p](double line) {
    double spared = 1 - line;
    for (std::size_t i = 0; i + 1 < kCauses; ++i) spared *= 1 - p[i];
    return spared;
  };
  double before = 0;
  const auto step = [&](Feature feature, Cause cause, double now) {
    p[static_cast<std::size_t>(cause)] = now;
    const double odds = log_odds_unless(unless_line(p.back()));
    set(feature, odds - before);
    const double moved = odds - before;
    before = odds;
    return moved;
  };
  step(Feature::payer, Cause::procedure, at_base(kProcedures));
  reading.base_odds = before;
  p[0] = told(kClass);
  p[static_cast<std::size_t>(Cause::patient)] = told(kPatientsOfClass);
  const double of_class = step(Feature::payer, Cause::procedure, at_base(kProceduresOfClass));
  set(Feature::payer_class, of_class);
  p[0] = told(kPayer);
  p[static_cast<std::size_t>(Cause::patient)] = told(kPatientsOfPayer);
  p[static_cast<std::size_t>(Cause::enrolment)] = told(kEnrolmentAtPayer);
  step(Feature::payer, Cause::procedure, at_base(kProceduresOfPayer));

  const auto split = [&](Feature whole, Feature as_a_rule, double moved, double refused) {
    const double part = moved * refused;
    set(whole, -part);
    set(as_a_rule, part);
  };
  double refused = 0, squares = 0, worst = 0, fewest = 1e9;
  for (const auto& line : reading.lines) {
    refused += line.share * line.share *
               static_cast<double>(std::max({line.weighed[kCodeOfClass].refused, line.weighed[kCodeAtPayer].refused,
                                             line.weighed[kCodeAsBilled].refused}));
    squares += line.share * line.share;
    worst = std::max(worst, static_cast<double>(line.told()));
    const Cell* cell = cells_.find(line.keys[kCodeAtPayer]);
    fewest = std::min(fewest, cell ? cell->claims(reading.week) : 0);
  }
  if (reading.lines.empty()) fewest = 0;
  const double of_lines = lines_with([](const LineReading& line) { return static_cast<double>(line.told()); });
  const double moved_lines = step(Feature::line_mean, Cause::procedure, of_lines);
  if (squares > 0) split(Feature::line_mean, Feature::line_refused, moved_lines, refused / squares);
  step(Feature::billing_provider, Cause::office, told(kBilling));
  step(Feature::servicer, Cause::office, told(kFacility));
  step(Feature::servicer, Cause::enrolment, told(kTenure));
  const double moved_pair = step(Feature::provider_at_payer, Cause::office, told(kPair));
  split(Feature::provider_at_payer, Feature::provider_refused, moved_pair,
        static_cast<double>(reading.weighed[kPair].refused));
  const double moved_enrolled = step(Feature::provider_at_payer, Cause::enrolment, told(kServicerPair));
  split(Feature::provider_at_payer, Feature::provider_refused, moved_enrolled,
        static_cast<double>(std::max(reading.weighed[kPairEnrolled].refused, reading.weighed[kServicerPair].refused)));
  step(Feature::payer, Cause::documents, told(kDocumentsOfPayer));
  step(Feature::charge, Cause::documents, static_cast<double>(reading.step.told));
  step(Feature::line_count, Cause::office, told(kLineCount));
  step(Feature::season, Cause::office, told(kSeason));
  step(Feature::season, Cause::patient, told(kPatientSeason));
  step(Feature::chart, Cause::patient, told(kChartAtPayer));
  step(Feature::lateness, Cause::timing, told(kPayerLateness));
  step(Feature::look_alike, Cause::timing, told(kLookAlike));
  if (worst > of_lines) set(Feature::line_worst, log_odds_unless(unless_line(worst)) - before);
  const Cell* payer = cells_.find(reading.record);
  const double of_payer = payer ? payer->claims(reading.week) : 0;
  set(Feature::thin_evidence, 0.25 * (logarithm(1 + std::min(of_payer, fewest)) - 3));

  // The probability rests on its payer and its procedures; what the request leaves out makes it thinner.
  reading.evidence = 1 / (1 / (of_payer + 20) + 1 / (fewest + 15));
  if (reading.lines.empty()) reading.evidence *= 0.5;
  if (reading.keys[kLateness] == 0) reading.evidence *= 0.7;

  // Rules, last: how far they move it all, shared out by their weight.
  if (reading.rules.empty()) return;
  const double claim_spared = spared_by_rules(reading, -1);
  p[0] = 1 - (1 - p[0]) * claim_spared;
  const double with_rules = lines_with([&](const LineReading& line) {
    return 1 - (1 - static_cast<double>(line.told())) *
                   spared_by_rules(reading, static_cast<int>(&line - reading.lines.data()));
  });
  const double moved = log_odds_unless(unless_line(with_rules)) - before;
  std::array<double, kRuleFeatures> hazards{};
  double all = 0;
  for (std::size_t i = 0; i < reading.rules.size(); ++i) {
    if (!is_strongest(reading, i)) continue;
    const auto& read = reading.rules[i];
    const double share =
        read.line < 0 ? 1 : std::min(2 * reading.lines[static_cast<std::size_t>(read.line)].share, 1.0);
    const double hazard = -share * logarithm(1 - std::min(read.weight, 0.995));
    hazards[static_cast<std::size_t>(rule_feature(group_of_carc(read.rule.carc)))] += hazard;
    all += hazard;
  }
  if (all <= 0) return;
  for (int i = 0; i < kRuleFeatures; ++i)
    x[static_cast<std::size_t>(kFirstRuleFeature + i)] =
        static_cast<float>(std::max(moved, 0.0) * hazards[static_cast<std::size_t>(i)] / all);
}

}  // namespace tideover::estimators
