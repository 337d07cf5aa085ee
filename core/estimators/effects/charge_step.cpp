#include "core/estimators/effects/charge_step.hpp"

#include <algorithm>

namespace tideover::estimators {
namespace {

/// Share refused beyond the step.
constexpr std::array<double, kStepHeights> kStepHeight{0.04, 0.12, 0.36};
constexpr double kAnyStep = 0.5;               // before any payer is observed; as likely here as there
constexpr double kFirstPayers = 8;             // that this is worth
constexpr Decay kStepKept{990'000};            // sums are changed now and then: a year weighs 0.6
constexpr float kLeastLikelier = 1e-12F;       // so that nothing is ruled out for good
constexpr std::int64_t kLowestPlace = 11'314;  // cents: 80 dollars, times the root of two

}  // namespace

int step_place_of(std::int64_t cents) {
  int place = -1;
  for (std::int64_t limit = kLowestPlace; limit <= cents && place + 1 < static_cast<int>(kStepPlaces);
       limit = limit * 181 / 128)
    ++place;
  return place;
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

Cell::Told ChargeSteps::told(Key payer, Week now, int place, double usual) const {
  const auto states = of(of_.find(payer), now);
  double beyond = 0, denied = 0;
  for (std::size_t i = 0; i < kStepHeights * static_cast<std::size_t>(place + 1); ++i) {
    beyond += states[i];
    denied += states[i] * kStepHeight[i % kStepHeights];
  }
  return {usual, (1 - beyond) * usual + denied, beyond};
}

ChargeSteps::Counting ChargeSteps::count(Key key, Week now, int place, const Seen& seen, double usual) {
  const double all = told(key, now, place, usual).all;
  auto& payer = of_.at(key, [](const OfPayer& known) { return static_cast<std::uint64_t>(std::max(known.week, 0)); });
  const auto before = of(&payer, now);
  payer.week = now;
  // A denial may be another cause's: that is as likely whether there is a step or not.
  const double elsewhere = seen.denied ? all * (1 - seen.denials) / std::max(seen.denials, 1e-6) : 0;
  const auto likelihood = [&](double share) {
    return 1 - seen.weight +
           seen.weight * (seen.denied ? (share + elsewhere) / (all + elsewhere) : (1 - share) / (1 - all));
  };
  Counting counting;
  for (std::size_t height = 0; height < kStepHeights; ++height)
    counting.likelihood[height] = static_cast<float>(likelihood(kStepHeight[height]) / likelihood(usual));
  learn(payer, before, place, counting.likelihood);
  counting.beyond = static_cast<float>(told(key, now, place, usual).refused);
  return counting;
}

void ChargeSteps::uncount(Key key, int place, const Counting& counting) {
  OfPayer* payer = of_.find(key);
  if (!payer || payer->week == 0) return;
  Likelihood inverse;
  for (std::size_t height = 0; height < kStepHeights; ++height) inverse[height] = 1 / counting.likelihood[height];
  learn(*payer, of(payer, payer->week), place, inverse);
}

void ChargeSteps::learn(OfPayer& payer, States states, int place, const Likelihood& likelihood) {
  double sum = 0, payers = 0;
  for (std::size_t i = 0; i < kStates; ++i) {
    if (i < kStepHeights * static_cast<std::size_t>(place + 1))
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
