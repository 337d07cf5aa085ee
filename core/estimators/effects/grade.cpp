#include "core/estimators/effects/grade.hpp"

#include <algorithm>
#include <cmath>

#include "core/domain/basics/within.hpp"

namespace tideover::estimators {

void Reliability::count(double predicted, bool came_true, std::int64_t claims) {
  auto& bin = bins_[static_cast<std::size_t>(
      domain::within(static_cast<int>(predicted * kReliabilityBins), 0, kReliabilityBins - 1))];
  bin.claims += claims;
  bin.came_true += came_true ? claims : 0;
  bin.predicted_millionths += claims * std::llround(predicted * 1e6);
}

void Reliability::add(double predicted, bool came_true) {
  count(predicted, came_true, 1);
}
void Reliability::take_back(double predicted, bool came_true) {
  count(predicted, came_true, -1);
}

std::int64_t Reliability::claims() const {
  std::int64_t sum = 0;
  for (const auto& bin : bins_) sum += bin.claims;
  return sum;
}

double Reliability::calibration_error() const {
  double sum = 0;
  for (const auto& bin : bins_)
    sum +=
        static_cast<double>(bin.claims) * std::max(bin.predicted() - bin.observed(), bin.observed() - bin.predicted());
  return claims() ? sum / static_cast<double>(claims()) : 0;
}

Reliability Reliability::since(const Reliability& earlier) const {
  Reliability added = *this;
  for (std::size_t i = 0; i < bins_.size(); ++i) {
    added.bins_[i].claims -= earlier.bins_[i].claims;
    added.bins_[i].came_true -= earlier.bins_[i].came_true;
    added.bins_[i].predicted_millionths -= earlier.bins_[i].predicted_millionths;
  }
  return added;
}

Grades difference(const Grades& later, const Grades& earlier) {
  Grades added = later;
  added.denial = later.denial.since(earlier.denial);
  added.confidence = later.confidence.since(earlier.confidence);
  added.amounts.claims -= earlier.amounts.claims;
  added.amounts.within_one_percent -= earlier.amounts.within_one_percent;
  added.amounts.allowed_cents -= earlier.amounts.allowed_cents;
  added.amounts.absolute_error_cents -= earlier.amounts.absolute_error_cents;
  added.advances.claims -= earlier.advances.claims;
  added.advances.advanced_cents -= earlier.advances.advanced_cents;
  added.advances.lost_cents -= earlier.advances.lost_cents;
  added.advances.expected_loss_cents -= earlier.advances.expected_loss_cents;
  added.unknown_responses -= earlier.unknown_responses;
  for (auto& payer : added.payers) {
    const auto was = std::find_if(earlier.payers.begin(), earlier.payers.end(),
                                  [&](const auto& known) { return known.payer_id == payer.payer_id; });
    if (was == earlier.payers.end()) continue;
    payer.paid -= was->paid;
    payer.absolute_error -= was->absolute_error;
    payer.error -= was->error;
    payer.in_time -= was->in_time;
    payer.drift_alarms -= was->drift_alarms;
  }
  std::erase_if(added.payers, [](const auto& payer) { return payer.paid == 0 && payer.drift_alarms == 0; });
  for (auto& rule : added.rules) {
    const auto was = std::find_if(earlier.rules.begin(), earlier.rules.end(),
                                  [&](const auto& known) { return known.rule_id == rule.rule_id; });
    if (was == earlier.rules.end()) continue;
    rule.hits -= was->hits;
    rule.denied -= was->denied;
    rule.confirmed -= was->confirmed;
    rule.expected_millis -= was->expected_millis;
    rule.flagged -= was->flagged;
  }
  std::erase_if(added.rules, [](const auto& rule) { return rule.hits == 0; });
  return added;
}

}  // namespace tideover::estimators
