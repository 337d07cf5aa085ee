// A ridge logistic regression over 24 features. Each feature is the shift of log odds that one cell, rule or memory
// adds by itself. The blend learns the weight of each. The ridge shrinks towards the weights for independent features,
// never towards zero, and features of risk never get a negative coefficient. The fit uses plain arithmetic in a fixed
// order: the same rows give the same bits.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/estimators/basics/key.hpp"

namespace tideover::estimators {

enum class Feature {
  payer,
  payer_class,
  line_mean,
  line_worst,
  line_refused,
  billing_provider,
  servicer,
  provider_at_payer,
  provider_refused,
  thin_evidence,
  rules_format,
  rules_eligibility,
  rules_duplicate,
  rules_timely,
  rules_coding,
  rules_authorization,
  rules_necessity,
  rules_provider,
  chart,
  look_alike,
  lateness,
  charge,
  line_count,
  season,
};
inline constexpr int kFeatures = 24;
inline constexpr int kFirstRuleFeature = static_cast<int>(Feature::rules_format);
inline constexpr int kRuleFeatures = 8;
std::string_view name_of(Feature feature);

using Features = std::array<float, kFeatures>;

/// An answered claim: its features on the day of its review, and the outcome.
struct MaturedClaim {
  Features features{};
  bool denied = false;
  std::uint64_t claim = 0;  // the claim of the answer; 0: it was reversed, and nothing is learned from it
};

class Blend {
 public:
  Blend();

  double log_odds_of(const Features& features) const;
  double coefficient(Feature feature) const { return coefficients_[static_cast<std::size_t>(feature)]; }
  /// `rows` are ordered, oldest first. The oldest quarter is left out, because its features come from a model with
  /// little data. Keeps the earlier coefficients when the fit does not converge.
  void fit(const std::vector<const MaturedClaim*>& rows);
  void put_into(Digest& digest) const;

 private:
  bool solve(const std::vector<const MaturedClaim*>& rows, const std::array<bool, kFeatures>& dropped,
             std::array<double, kFeatures + 1>& weights) const;

  double intercept_ = 0;
  std::array<double, kFeatures> coefficients_{};
};

}  // namespace tideover::estimators
