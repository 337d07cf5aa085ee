#include "core/estimators/effects/weights.hpp"

#include <algorithm>
#include <cmath>

#include "core/domain/basics/within.hpp"

namespace tideover::estimators {
namespace {

constexpr double kPayerStrength =
    10;  // claims after which a payer's own record weighs as much as the rule's general one
constexpr std::size_t kMostRules = 4096;
constexpr double kOwnCode = 0.8;      // prior share of the rule's own code among the denials that it predicts
constexpr double kCodeStrength = 10;  // weight of that prior, in denials

Key cell_key(const FiredRule& rule) {
  return joined(key_of(rule.rule_id), 0x52554c45);
}

struct Learned {
  double weight;
  double claims;
};
Learned learned(const Cell* cell, Week now, double prior, double strength) {
  if (!cell || cell->slow.n == 0) return {prior, strength};
  const double n = cell->claims(now), denied = n * (static_cast<double>(cell->slow.d) / cell->slow.n);
  return {domain::within((denied + strength * prior) / (n + strength), 0.0, 0.995), n + strength};
}

Learned learned(const Cells& cells, const FiredRule& rule, Key payer, Week now) {
  const double prior = domain::within(rule.weight_bps, 0, 9950) / 10'000.0;
  const double strength = std::max(rule.strength, 1);
  if (rule.locked) return {prior, strength};
  const Key key = cell_key(rule);
  const Learned general = learned(cells.find(key), now, prior, strength);
  return learned(cells.find(joined(key, payer)), now, general.weight, std::min(kPayerStrength, general.claims));
}

}  // namespace

double Weights::weight(const FiredRule& rule, Key payer, Week now) const {
  return learned(cells_, rule, payer, now).weight;
}

double Weights::weight_low(const FiredRule& rule, Key payer, Week now) const {
  const auto [weight, claims] = learned(cells_, rule, payer, now);
  return std::max(0.0, weight - 1.645 * std::sqrt(weight * (1 - weight) / (claims + 1)));
}

double Weights::code_share(const FiredRule& rule, CarcGroup group) const {
  const double first = group_of_carc(rule.carc) == group ? kOwnCode : (1 - kOwnCode) / (kCarcGroups - 1);
  const Key key = key_of(rule.rule_id);
  const auto at = std::lower_bound(codes_.begin(), codes_.end(), key,
                                   [](const Codes& codes, Key sought) { return codes.rule < sought; });
  if (at == codes_.end() || at->rule != key) return first;
  return (at->seen[static_cast<std::size_t>(group)] + kCodeStrength * first) / (at->all + kCodeStrength);
}

void Weights::learn_code(const FiredRule& rule, CarcGroup group, double denials) {
  const Key key = key_of(rule.rule_id);
  auto at = std::lower_bound(codes_.begin(), codes_.end(), key,
                             [](const Codes& codes, Key sought) { return codes.rule < sought; });
  if (at == codes_.end() || at->rule != key) {
    if (codes_.size() >= kMostRules) return;
    at = codes_.insert(at, {key, {}, 0});
  }
  auto& seen = at->seen[static_cast<std::size_t>(group)];
  const double more = std::max(denials, -seen);
  seen += more;
  at->all += more;
}

void Weights::count(const FiredRule& rule, Key payer, Week now, const Hit& hit) {
  const Key key = cell_key(rule);
  cells_.at(key, now).count(now, hit.seen, 0, 0, {});
  cells_.at(joined(key, payer), now).count(now, hit.seen, 0, 0, {});
  if (hit.seen.denied) learn_code(rule, hit.group, hit.seen.denials);
  if (!hit.is_first) return;
  auto& grade = grade_of(rule.rule_id);
  ++grade.hits;
  grade.denied += hit.denied;
  grade.confirmed += hit.confirmed;
  grade.expected_millis += std::llround(hit.expected * 1000);
  grade.flagged += hit.charge;
}

void Weights::uncount(const FiredRule& rule, Key payer, Week now, Week then, const Hit& hit) {
  const Key key = cell_key(rule);
  Cell::Counting counting;
  counting.claims = static_cast<float>(hit.seen.claims);
  counting.denials = static_cast<float>(hit.seen.denials);
  cells_.uncount(key, now, then, counting, 0);
  cells_.uncount(joined(key, payer), now, then, counting, 0);
  if (hit.seen.denied) learn_code(rule, hit.group, -hit.seen.denials);
  if (!hit.is_first) return;
  auto& grade = grade_of(rule.rule_id);
  --grade.hits;
  grade.denied -= hit.denied;
  grade.confirmed -= hit.confirmed;
  grade.expected_millis -= std::llround(hit.expected * 1000);
  grade.flagged -= hit.charge;
}

RuleGrade& Weights::grade_of(const std::string& rule_id) {
  const auto at = std::lower_bound(grades_.begin(), grades_.end(), rule_id,
                                   [](const RuleGrade& grade, const std::string& id) { return grade.rule_id < id; });
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
  for (const auto& codes : codes_) {
    digest.put(codes.rule);
    for (const double seen : codes.seen) digest.put(seen);
  }
}

}  // namespace tideover::estimators
