#include "core/estimators/effects/charge_step.hpp"

#include <algorithm>

namespace tideover::estimators {
namespace {

/// P(denied for missing documents | the charge is beyond the step), by height.
constexpr std::array<double, kStepHeights> kStepHeight{0.04, 0.12, 0.36};
constexpr double kAnyStep = 0.5;                  // P(a step) before any payer is observed; uniform over positions
constexpr double kFirstPayers = 8;                // weight of that prior, in payers
constexpr Decay kStepKept{990'000};               // steps change now and then: a year weighs 0.6
constexpr float kLeastLikelier = 1e-12F;          // so that no state is excluded permanently
constexpr std::int64_t kLowestPosition = 11'314;  // cents: 80 dollars, times the root of two

}  // namespace

int step_position_of(std::int64_t cents) {
  int position = -1;
  for (std::int64_t limit = kLowestPosition; limit <= cents && position + 1 < static_cast<int>(kStepPositions);
       limit = limit * 181 / 128)
    ++position;
  return position;
}

ChargeSteps::ChargeSteps(std::size_t most_payers) : of_(most_payers) {
  usual_.fill(kAnyStep / (kStates - 1));
  usual_.back() = 1 - kAnyStep;
  for (std::size_t i = 0; i < kStates; ++i) sum_[i] = kFirstPayers * usual_[i];
}

ChargeSteps::States ChargeSteps::of(const OfPayer* payer, Week now) const {
  if (!payer || payer->week == 0) return usual_;
  const double kept = kStepKept.of(1U << 30, now - payer->week) * (1.0 / (1U << 30));
  States states;
  double sum = 0;
  for (std::size_t i = 0; i < kStates; ++i)
    sum += states[i] = usual_[i] * (1 + kept * (static_cast<double>(payer->likelier[i]) - 1));
  for (double& state : states) state /= sum;
  return states;
}

Cell::Estimate ChargeSteps::estimate(Key payer, Week now, int position, double usual) const {
  const auto states = of(of_.find(payer), now);
  double beyond = 0, denied = 0;
  for (std::size_t i = 0; i < kStepHeights * static_cast<std::size_t>(position + 1); ++i) {
    beyond += states[i];
    denied += states[i] * kStepHeight[i % kStepHeights];
  }
  return {usual, (1 - beyond) * usual + denied, beyond};
}

ChargeSteps::Counting ChargeSteps::count(Key key, Week now, int position, const Seen& seen, double usual) {
  const double all = estimate(key, now, position, usual).all;
  auto& payer = of_.at(key, [](const OfPayer& known) { return static_cast<std::uint64_t>(std::max(known.week, 0)); });
  const auto before = of(&payer, now);
  payer.week = now;
  // A denial may have another cause. That is equally likely with and without a step.
  const double elsewhere = seen.denied ? all * (1 - seen.denials) / std::max(seen.denials, 1e-6) : 0;
  const auto likelihood = [&](double share) {
    return 1 - seen.weight +
           seen.weight * (seen.denied ? (share + elsewhere) / (all + elsewhere) : (1 - share) / (1 - all));
  };
  Counting counting;
  for (std::size_t height = 0; height < kStepHeights; ++height)
    counting.likelihood[height] = static_cast<float>(likelihood(kStepHeight[height]) / likelihood(usual));
  learn(payer, before, position, counting.likelihood);
  counting.beyond = static_cast<float>(estimate(key, now, position, usual).refused);
  return counting;
}

void ChargeSteps::uncount(Key key, int position, const Counting& counting) {
  OfPayer* payer = of_.find(key);
  if (!payer || payer->week == 0) return;
  Likelihood inverse;
  for (std::size_t height = 0; height < kStepHeights; ++height) inverse[height] = 1 / counting.likelihood[height];
  learn(*payer, of(payer, payer->week), position, inverse);
}

void ChargeSteps::learn(OfPayer& payer, States states, int position, const Likelihood& likelihood) {
  double sum = 0, payers = 0;
  for (std::size_t i = 0; i < kStates; ++i) {
    if (i < kStepHeights * static_cast<std::size_t>(position + 1))
      states[i] *= static_cast<double>(likelihood[i % kStepHeights]);
    sum += states[i];
  }
  for (std::size_t i = 0; i < kStates; ++i) {
    const auto now = static_cast<float>(states[i] / sum);
    payer.likelier[i] = std::max(static_cast<float>(static_cast<double>(now) / usual_[i]), kLeastLikelier);
    sum_[i] = std::max(sum_[i] + static_cast<double>(now) - static_cast<double>(payer.given[i]), 1e-3);
    payer.given[i] = now;
    payers += sum_[i];
  }
  for (std::size_t i = 0; i < kStates; ++i) usual_[i] = sum_[i] / payers;
}

void ChargeSteps::put_into(Digest& digest) const {
  for (const double sum : sum_) digest.put(sum);
  of_.each([&](Key key, const OfPayer& payer) {
    digest.put(key);
    digest.put(payer.week);
    for (const float likelier : payer.likelier) digest.put(likelier);
  });
}

}  // namespace tideover::estimators
