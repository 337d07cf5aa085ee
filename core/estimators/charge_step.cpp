#include "core/estimators/charge_step.hpp"

#include <algorithm>

namespace tideover::estimators {
namespace {

/// Share refused beyond the step.
constexpr std::array<double, kStepHeights> kHeight{0.04, 0.12, 0.36};
/// Before anything is heard: half of the payers have a step, as likely here as there.
constexpr double kUsual = 0.5 / (kStepPlaces * kStepHeights);
constexpr Decay kKept{990'000};  // sums are changed now and then: a year weighs 0.6
constexpr std::int64_t kLowestPlace = 11'314;  // cents: 80 dollars, times the root of two

}  // namespace

int step_place_of(std::int64_t cents) {
  int place = -1;
  for (std::int64_t limit = kLowestPlace; limit <= cents && place + 1 < static_cast<int>(kStepPlaces); limit = limit * 181 / 128) ++place;
  return place;
}

double ChargeStep::kept(Week now) const { return week_ == 0 ? 0 : kKept.of(1U << 30, now - week_) * (1.0 / (1U << 30)); }

double ChargeStep::at(std::size_t place, std::size_t height, double kept) const { return kUsual + kept * (static_cast<double>(at_[place][height]) - kUsual); }

Cell::Told ChargeStep::told(Week now, int place, double usual) const {
  const double keeps = kept(now);
  double beyond = 0, denied = 0;
  for (std::size_t i = 0; static_cast<int>(i) <= place; ++i)
    for (std::size_t height = 0; height < kStepHeights; ++height) {
      const double p = at(i, height, keeps);
      beyond += p;
      denied += p * kHeight[height];
    }
  return {usual, (1 - beyond) * usual + denied, beyond};
}

ChargeStep::Counting ChargeStep::count(Week now, int place, const Seen& seen, double usual) {
  const double keeps = kept(now), all = told(now, place, usual).all;
  for (std::size_t i = 0; i < kStepPlaces; ++i)
    for (std::size_t height = 0; height < kStepHeights; ++height) at_[i][height] = static_cast<float>(at(i, height, keeps));
  week_ = now;
  // A denial may be another cause's: that is as likely whether there is a step or not.
  const double elsewhere = seen.denied ? all * (1 - seen.denials) / std::max(seen.denials, 1e-6) : 0;
  const auto likelihood = [&](double share) {
    return 1 - seen.weight + seen.weight * (seen.denied ? (share + elsewhere) / (all + elsewhere) : (1 - share) / (1 - all));
  };
  Counting counting;
  for (std::size_t height = 0; height < kStepHeights; ++height) counting.likelihood[height] = static_cast<float>(likelihood(kHeight[height]) / likelihood(usual));
  reweigh(place, counting.likelihood);
  counting.beyond = static_cast<float>(told(now, place, usual).refused);
  return counting;
}

void ChargeStep::uncount(int place, const Counting& counting) {
  Likelihood inverse;
  for (std::size_t height = 0; height < kStepHeights; ++height) inverse[height] = 1 / counting.likelihood[height];
  reweigh(place, inverse);
}

void ChargeStep::reweigh(int place, const Likelihood& likelihood) {
  double none = 1, sum = 0;
  for (std::size_t i = 0; i < kStepPlaces; ++i)
    for (std::size_t height = 0; height < kStepHeights; ++height) {
      float& p = at_[i][height];
      none -= static_cast<double>(p);
      if (static_cast<int>(i) <= place) p *= likelihood[height];
      sum += static_cast<double>(p);
    }
  sum += std::max(none, 1e-6);
  for (auto& here : at_)
    for (float& p : here) p = static_cast<float>(static_cast<double>(p) / sum);
}

void ChargeStep::put_into(Digest& digest) const {
  digest.put(week_);
  for (const auto& here : at_)
    for (const float p : here) digest.put(p);
}

}  // namespace tideover::estimators
