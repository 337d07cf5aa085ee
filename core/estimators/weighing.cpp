// Estimates the probability of each cause of a denial, effect by effect, and the log odds that each effect adds to the
// probability that the claim is denied.
#include <algorithm>
#include <array>

#include "core/domain/basics/within.hpp"
#include "core/estimators/basics/arithmetic.hpp"
#include "core/estimators/effects/strengths.hpp"
#include "core/estimators/state.hpp"

namespace tideover::estimators {
namespace {

/// P(denied for a cause) before anything is known; the last one is per line. Without the findings of rules.
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

/// P(all lines, or lines with half of the charge, are denied), for independent lines.
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

/// A cascade: each effect is compared with the expectation from the effects before it. Nothing is counted twice, and
/// nothing feeds back.
void State::weigh(Effects& effects) const {
  static_assert(kEffectStrength.size() == kEffects && kLineStrength.size() == kLineEffects);
  const auto weigh_one = [&](Key key, Strength strength, double& p, Weighed& weighed) {
    weighed = {};
    weighed.expected = static_cast<float>(p);
    if (key != 0) {
      const auto estimate = cells_.estimate(key, effects.week, p, strength);
      p = domain::within(estimate.all, 1e-4, 0.97);
      weighed.refused = static_cast<float>(estimate.refused);
    }
    weighed.estimated = static_cast<float>(p);
  };
  for (std::size_t cause = 0; cause < kCauses; ++cause) {
    double p = kUsual[cause];
    for (std::size_t i = kFirstOf[cause]; i <= kLastOf[cause]; ++i)
      weigh_one(effects.keys[i], kEffectStrength[i], p, effects.weighed[i]);
  }
  const auto usual = static_cast<double>(effects.weighed[kCharge].estimated);
  effects.step.expected = static_cast<float>(usual);
  effects.step.estimated =
      static_cast<float>(steps_.estimate(effects.payer, effects.week, effects.step.position, usual).all);
  for (auto& line : effects.lines) {
    double p = static_cast<double>(effects.estimated(Cause::procedure));
    for (std::size_t i = 0; i < kLineEffects; ++i) weigh_one(line.keys[i], kLineStrength[i], p, line.weighed[i]);
  }
  for (auto& read : effects.rules) read.weight = weights_.weight(read.rule, effects.payer, effects.week);
}

/// P(not denied by rules) for this line, or for the claim with -1: of each family the strongest rule counts.
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

/// Each cause moves in steps from the usual probability to the estimate for this claim. The log odds of each step are a
/// feature.
class State::FeatureSteps {
 public:
  FeatureSteps(const State& state, Reading& reading)
      : cells_(state.cells_), reading_(reading), x_(reading.features), p_{estimated(kAll),       estimated(kEnrolment),
                                                                          estimated(kPatients),  estimated(kTiming),
                                                                          estimated(kDocuments), 0} {
    // The most expensive lines, when there are too many.
    for (const auto& line : reading_.lines) dearest_.push_back(&line);
    if (dearest_.size() > kMostLines)
      std::stable_sort(dearest_.begin(), dearest_.end(),
                       [](const auto* a, const auto* b) { return a->share > b->share; });
    count_ = std::min(dearest_.size(), kMostLines);
  }

  /// From all payers to this one.
  void weigh_payer() {
    step(Feature::payer, Cause::procedure, at_base(kProcedures));
    reading_.base_odds = before_;
    p_[0] = estimated(kClass);
    p_[static_cast<std::size_t>(Cause::patient)] = estimated(kPatientsOfClass);
    const double of_class = step(Feature::payer, Cause::procedure, at_base(kProceduresOfClass));
    set(Feature::payer_class, of_class);
    p_[0] = estimated(kPayer);
    p_[static_cast<std::size_t>(Cause::patient)] = estimated(kPatientsOfPayer);
    p_[static_cast<std::size_t>(Cause::enrolment)] = estimated(kEnrolmentAtPayer);
    step(Feature::payer, Cause::procedure, at_base(kProceduresOfPayer));
  }

  void weigh_lines() {
    double refused = 0, squares = 0;
    for (const auto& line : reading_.lines) {
      refused += line.share * line.share *
                 static_cast<double>(std::max({line.weighed[kCodeOfClass].refused, line.weighed[kCodeAtPayer].refused,
                                               line.weighed[kCodeAsBilled].refused}));
      squares += line.share * line.share;
      worst_ = std::max(worst_, static_cast<double>(line.estimated()));
      const Cell* cell = cells_.find(line.keys[kCodeAtPayer]);
      fewest_ = std::min(fewest_, cell ? cell->claims(reading_.week) : 0);
    }
    if (reading_.lines.empty()) fewest_ = 0;
    of_lines_ = lines_with([](const LineReading& line) { return static_cast<double>(line.estimated()); });
    const double moved = step(Feature::line_mean, Cause::procedure, of_lines_);
    if (squares > 0) split(Feature::line_mean, Feature::line_refused, moved, refused / squares);
  }

  /// The effects of providers, patient and timing.
  void weigh_circumstances() {
    step(Feature::billing_provider, Cause::office, estimated(kBilling));
    step(Feature::servicer, Cause::office, estimated(kFacility));
    step(Feature::servicer, Cause::enrolment, estimated(kTenure));
    const double moved_pair = step(Feature::provider_at_payer, Cause::office, estimated(kPair));
    split(Feature::provider_at_payer, Feature::provider_refused, moved_pair,
          static_cast<double>(reading_.weighed[kPair].refused));
    const double moved_enrolled = step(Feature::provider_at_payer, Cause::enrolment, estimated(kServicerPair));
    split(Feature::provider_at_payer, Feature::provider_refused, moved_enrolled,
          static_cast<double>(
              std::max(reading_.weighed[kPairEnrolled].refused, reading_.weighed[kServicerPair].refused)));
    step(Feature::payer, Cause::documents, estimated(kDocumentsOfPayer));
    step(Feature::charge, Cause::documents, static_cast<double>(reading_.step.estimated));
    step(Feature::line_count, Cause::office, estimated(kLineCount));
    step(Feature::season, Cause::office, estimated(kSeason));
    step(Feature::season, Cause::patient, estimated(kPatientSeason));
    step(Feature::chart, Cause::patient, estimated(kChartAtPayer));
    step(Feature::lateness, Cause::timing, estimated(kPayerLateness));
    step(Feature::look_alike, Cause::timing, estimated(kLookAlike));
    if (worst_ > of_lines_) set(Feature::line_worst, log_odds_unless(unless_line(worst_)) - before_);
  }

  /// The evidence comes from the claims of the payer and of the procedures. Missing inputs reduce it.
  void weigh_evidence() {
    const Cell* payer = cells_.find(reading_.record);
    const double of_payer = payer ? payer->claims(reading_.week) : 0;
    set(Feature::thin_evidence, 0.25 * (logarithm(1 + std::min(of_payer, fewest_)) - 3));
    reading_.evidence = 1 / (1 / (of_payer + 20) + 1 / (fewest_ + 15));
    if (reading_.lines.empty()) reading_.evidence *= 0.5;
    if (reading_.keys[kLateness] == 0) reading_.evidence *= 0.7;
  }

  /// Rules come last: their total change is divided among them by weight.
  void weigh_rules() {
    if (reading_.rules.empty()) return;
    const double claim_spared = spared_by_rules(reading_, -1);
    p_[0] = 1 - (1 - p_[0]) * claim_spared;
    const double with_rules = lines_with([&](const LineReading& line) {
      return 1 - (1 - static_cast<double>(line.estimated())) *
                     spared_by_rules(reading_, static_cast<int>(&line - reading_.lines.data()));
    });
    const double moved = log_odds_unless(unless_line(with_rules)) - before_;
    std::array<double, kRuleFeatures> hazards{};
    double all = 0;
    for (std::size_t i = 0; i < reading_.rules.size(); ++i) {
      if (!is_strongest(reading_, i)) continue;
      const auto& read = reading_.rules[i];
      const double share =
          read.line < 0 ? 1 : std::min(2 * reading_.lines[static_cast<std::size_t>(read.line)].share, 1.0);
      const double hazard = -share * logarithm(1 - std::min(read.weight, 0.995));
      hazards[static_cast<std::size_t>(rule_feature(group_of_carc(read.rule.carc)))] += hazard;
      all += hazard;
    }
    if (all <= 0) return;
    for (int i = 0; i < kRuleFeatures; ++i)
      x_[std::size_t{kFirstRuleFeature} + static_cast<std::size_t>(i)] =
          static_cast<float>(std::max(moved, 0.0) * hazards[static_cast<std::size_t>(i)] / all);
  }

 private:
  double estimated(std::size_t effect) const { return static_cast<double>(reading_.weighed[effect].estimated); }

  void set(Feature feature, double value) {
    x_[static_cast<std::size_t>(feature)] += static_cast<float>(domain::within(value, -9.0, 9.0));
  }

  template <class Risk>
  double lines_with(const Risk& risk) const {
    if (count_ == 0) return static_cast<double>(reading_.estimated(Cause::procedure));
    std::array<LineRisk, kMostLines> lines;
    for (std::size_t i = 0; i < count_; ++i) lines[i] = {dearest_[i]->share, risk(*dearest_[i])};
    return denied_by_lines(lines.data(), count_);
  }
  double at_base(std::size_t effect) const {
    return lines_with([&](const LineReading&) { return estimated(effect); });
  }

  double unless_line(double line) const {
    double spared = 1 - line;
    for (std::size_t i = 0; i + 1 < kCauses; ++i) spared *= 1 - p_[i];
    return spared;
  }

  /// Moves the cause to the probability `now`. Returns the change of the log odds.
  double step(Feature feature, Cause cause, double now) {
    p_[static_cast<std::size_t>(cause)] = now;
    const double odds = log_odds_unless(unless_line(p_.back()));
    set(feature, odds - before_);
    const double moved = odds - before_;
    before_ = odds;
    return moved;
  }

  /// Moves the part of a change that comes from a policy to a feature of its own.
  void split(Feature whole, Feature as_a_rule, double moved, double refused) {
    const double part = moved * refused;
    set(whole, -part);
    set(as_a_rule, part);
  }

  const decltype(State::cells_)& cells_;
  Reading& reading_;
  Features& x_;
  std::vector<const LineReading*> dearest_;
  std::size_t count_ = 0;
  std::array<double, kCauses> p_;
  double before_ = 0;
  double worst_ = 0, fewest_ = 1e9, of_lines_ = 0;  // of the lines
};

void State::fill_features(Reading& reading) const {
  FeatureSteps steps(*this, reading);
  steps.weigh_payer();
  steps.weigh_lines();
  steps.weigh_circumstances();
  steps.weigh_evidence();
  steps.weigh_rules();
}

}  // namespace tideover::estimators
