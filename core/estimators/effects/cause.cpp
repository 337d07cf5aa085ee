#include "core/estimators/effects/cause.hpp"

#include <algorithm>

namespace tideover::estimators {
namespace {

constexpr double kFirstStrength = 200;  // weight of the first guess, in denials
constexpr double kMostSeen = 20'000;    // then everything is halved

/// By CarcGroup: format, eligibility, duplicate, timely, coding, authorization, necessity, coverage, coordination,
/// provider, documents, other.
constexpr std::array<std::array<double, kCarcGroups>, kCauses> kFirstShares{{
    {.45, .005, .01, .005, .02, .10, .02, .08, .10, .10, .03, .08},       // office
    {.05, .002, .002, .002, .01, .02, .01, .03, .02, .79, .01, .054},     // enrolment
    {.02, .72, .005, .005, .005, .01, .005, .06, .14, .01, .005, .015},   // patient
    {.04, .01, .45, .45, .01, .005, .005, .005, .005, .005, .005, .005},  // timing
    {.04, .001, .001, .001, .005, .01, .01, .005, .002, .005, .91, .01},  // documents
    {.05, .0005, .005, .0005, .31, .12, .25, .20, .002, .01, .03, .022},  // procedure
}};

}  // namespace

Reasons::Reasons() {
  for (std::size_t cause = 0; cause < kCauses; ++cause)
    for (std::size_t group = 0; group < kCarcGroups; ++group) {
      seen_[cause][group] = kFirstStrength * kFirstShares[cause][group];
      all_[cause] += seen_[cause][group];
    }
}

double Reasons::share(Cause cause, CarcGroup group) const {
  const auto at = static_cast<std::size_t>(cause);
  return std::max(seen_[at][static_cast<std::size_t>(group)] / all_[at], 1e-5);
}

void Reasons::learn(Cause cause, CarcGroup group, double amount) {
  const auto at = static_cast<std::size_t>(cause);
  auto& seen = seen_[at][static_cast<std::size_t>(group)];
  const double more = std::max(amount, -seen);
  seen += more;
  all_[at] += more;
  if (all_[at] < kMostSeen) return;
  for (auto& one : seen_[at]) one /= 2;
  all_[at] /= 2;
}

void Reasons::put_into(Digest& digest) const {
  for (const auto& of_cause : seen_)
    for (const double seen : of_cause) digest.put(seen);
}

}  // namespace tideover::estimators
