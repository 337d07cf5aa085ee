#include "core/estimators/weights.hpp"

#include <algorithm>
#include <cmath>

namespace tideover::estimators {
namespace {

constexpr double kPayerStrength = 10;   // claims after which a payer's own record weighs as much as the rule's general one
constexpr double kMinorShare = 0.15;    // of a weight is left when less than half of the charge is concerned
constexpr std::size_t kMostRules = 4096;

Key cell_key(const FiredRule& rule, bool major) { return joined(key_of(rule.rule_id), major ? 0x52554c45 : 0x52554c46); }

/// Moves a weight by a record: denied = 1 - (1 - expected)(1 - weight).
struct Learned {
  double weight;
  double claims;
};
Learned learned(const Cell* cell, Week now, double prior, double strength) {
  if (!cell || cell->slow.n == 0) return {prior, strength};
  const double n = cell->claims(now);
  const double expected = std::min(static_cast<double>(cell->slow.e) / cell->slow.n, 0.99);
  const double denied = n * (static_cast<double>(cell->slow.d) / cell->slow.n);
  const double share = (denied + strength * (1 - (1 - expected) * (1 - prior))) / (n + strength);
  return {std::clamp(1 - (1 - share) / (1 - expected), 0.0, 0.995), n + strength};
}

Learned learned(const Cells& cells, const FiredRule& rule, Key payer, bool major, Week now) {
  const double prior = std::clamp(rule.weight_bps, 0, 9950) / 10'000.0 * (major ? 1.0 : kMinorShare);
  const double strength = std::max(rule.strength, 1);
  if (rule.locked) return {prior, strength};
  const Key key = cell_key(rule, major);
  const Learned general = learned(cells.find(key), now, prior, strength);
  return learned(cells.find(joined(key, payer)), now, general.weight, std::min(kPayerStrength, general.claims));
}

}  // namespace

double Weights::weight(const FiredRule& rule, Key payer, bool major, Week now) const { return learned(cells_, rule, payer, major, now).weight; }

double Weights::weight_low(const FiredRule& rule, Key payer, bool major, Week now) const {
  const auto [weight, claims] = learned(cells_, rule, payer, major, now);
  return std::max(0.0, weight - 1.645 * std::sqrt(weight * (1 - weight) / (claims + 1)));
}

void Weights::count(const FiredRule& rule, Key payer, bool major, Week now, bool denied, bool confirmed, double expected, domain::Money charge) {
  const Key key = cell_key(rule, major);
  cells_.at(key, now).count(now, denied, expected, 0);
  cells_.at(joined(key, payer), now).count(now, denied, expected, 0);
  auto& grade = grade_of(rule.rule_id);
  ++grade.hits;
  grade.denied += denied;
  grade.confirmed += confirmed;
  grade.expected_millis += static_cast<std::int64_t>(expected * 1000 + 0.5);
  grade.flagged += charge;
}

void Weights::uncount(const FiredRule& rule, Key payer, bool major, Week now, Week then, bool denied, bool confirmed, double expected,
                      domain::Money charge) {
  const Key key = cell_key(rule, major);
  cells_.uncount(key, now, then, denied, expected);
  cells_.uncount(joined(key, payer), now, then, denied, expected);
  auto& grade = grade_of(rule.rule_id);
  --grade.hits;
  grade.denied -= denied;
  grade.confirmed -= confirmed;
  grade.expected_millis -= static_cast<std::int64_t>(expected * 1000 + 0.5);
  grade.flagged -= charge;
}

RuleGrade& Weights::grade_of(const std::string& rule_id) {
  const auto at = std::lower_bound(grades_.begin(), grades_.end(), rule_id, [](const RuleGrade& grade, const std::string& id) { return grade.rule_id < id; });
  if (at != grades_.end() && at->rule_id == rule_id) return *at;
  if (grades_.size() >= kMostRules) return grades_.back();  // more rules than any bundle holds
  RuleGrade grade;
  grade.rule_id = rule_id;
  return *grades_.insert(at, std::move(grade));
}

void Weights::put_into(Digest& digest) const {
  cells_.put_into(digest);
  for (const auto& grade : grades_) {
    digest.put(key_of(grade.rule_id));
    digest.put(grade.hits);
    digest.put(grade.denied);
  }
}

}  // namespace tideover::estimators
