// Calibration: probabilities match observed rates.
#include "core/estimators/effects/calibration.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <random>

#include "core/estimators/basics/arithmetic.hpp"
#include "core/estimators/effects/blend.hpp"

using namespace tideover::estimators;

namespace {

double up_to_one(std::mt19937& random) {
  return static_cast<double>(random() % 1'000'000) / 1e6;
}

/// Scores between -4 and 2, of which share `truth(score)` comes true.
template <class Truth>
std::vector<Scored> outcomes_of(int count, const Truth& truth) {
  std::mt19937 random(3);
  std::vector<Scored> outcomes;
  for (int i = 0; i < count; ++i) {
    const double score = -4 + 6 * up_to_one(random);
    outcomes.emplace_back(score, up_to_one(random) < truth(score));
  }
  return outcomes;
}

/// The number of scores between straight lines through the corrected log odds.
int bends(const Calibration& calibration) {
  constexpr int kFirst = -600, kLast = 600;  // hundredths
  const auto slope = [&](int at) { return log_odds(calibration(0.01 * (at + 1))) - log_odds(calibration(0.01 * at)); };
  int bends = 0;
  bool was_bent = false;
  for (int at = kFirst; at < kLast; ++at) {
    const bool is_bent = std::fabs(slope(at + 1) - slope(at)) > 1e-9;
    bends += is_bent && !was_bent;  // a score between two steps bends both
    was_bent = is_bent;
  }
  return bends;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(calibrations)

BOOST_AUTO_TEST_CASE(without_outcomes_scores_stay_unchanged) {
  BOOST_REQUIRE_CLOSE(Calibration()(0), 0.5, 1e-9);
  Calibration few;
  few.fit(outcomes_of(40, [](double) { return 0.9; }));
  BOOST_REQUIRE_CLOSE(few(0), 0.5, 1e-9);
}

BOOST_AUTO_TEST_CASE(overconfident_scores_are_corrected_to_the_observed_rates) {
  const auto truth = [](double score) { return probability(0.5 * score - 1); };
  for (const int count : {300, 20'000}) {
    Calibration calibration;
    calibration.fit(outcomes_of(count, truth));
    BOOST_TEST((bends(calibration) == 0) == (count < 500));
    const double tolerance = count < 500 ? 0.1 : 0.03;
    for (double score = -3.5; score < 1.6; score += 0.25)
      BOOST_REQUIRE_SMALL(calibration(score) - truth(score), tolerance);
  }
}

BOOST_AUTO_TEST_CASE(many_outcomes_form_64_groups_at_most) {
  constexpr int kCount = 100'000;
  std::vector<Scored> outcomes;
  for (int i = 0; i < kCount; ++i) {  // spread so evenly that few groups are merged
    const double score = -3 + 6.0 * i / kCount;
    outcomes.emplace_back(score, std::fmod(0.618034 * i, 1.0) < probability(1.5 * score));
  }
  Calibration calibration;
  calibration.fit(outcomes);
  BOOST_TEST(bends(calibration) > 48);
  BOOST_TEST(bends(calibration) <= 64);
}

BOOST_AUTO_TEST_CASE(a_higher_score_never_gets_a_lower_probability) {
  Calibration calibration;
  calibration.fit(outcomes_of(3'000, [](double score) { return score < -1 ? 0.3 : 0.1 + 0.2 * (score > 1); }));
  double before = 0;
  for (double score = -8; score < 8; score += 0.01) {
    BOOST_REQUIRE_GE(calibration(score), before);
    before = calibration(score);
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(blends)

BOOST_AUTO_TEST_CASE(without_outcomes_features_are_taken_as_independent) {
  Features features{};
  features[static_cast<std::size_t>(Feature::payer)] = -2;
  features[static_cast<std::size_t>(Feature::rules_coding)] = 3;
  BOOST_REQUIRE_CLOSE(Blend().log_odds_of(features), 1.0, 1e-9);
}

BOOST_AUTO_TEST_CASE(the_weight_of_each_feature_is_learned_and_never_negative) {
  std::mt19937 random(5);
  const auto uniform = [&] { return 4 * up_to_one(random) - 2; };
  std::vector<MaturedClaim> claims(20'000);
  for (auto& claim : claims) {
    const double payer = uniform(), line = uniform(), chart = uniform();
    claim.features[static_cast<std::size_t>(Feature::payer)] = static_cast<float>(payer);
    claim.features[static_cast<std::size_t>(Feature::line_mean)] = static_cast<float>(line);
    claim.features[static_cast<std::size_t>(Feature::chart)] = static_cast<float>(chart);
    claim.denied = up_to_one(random) < probability(-1 + 0.5 * payer + 1.5 * line - 0.7 * chart);
  }
  std::vector<const MaturedClaim*> rows;
  for (const auto& claim : claims) rows.push_back(&claim);
  Blend blend;
  blend.fit(rows);
  BOOST_REQUIRE_SMALL(blend.coefficient(Feature::payer) - 0.5, 0.1);
  BOOST_REQUIRE_SMALL(blend.coefficient(Feature::line_mean) - 1.5, 0.25);
  BOOST_TEST(blend.coefficient(Feature::chart) == 0.0);
  BOOST_REQUIRE_SMALL(blend.coefficient(Feature::rules_timely) - 1.0, 1e-6);  // never seen: still the prior
}

BOOST_AUTO_TEST_CASE(the_correction_is_scaled_by_the_trust_in_the_outcomes) {
  std::vector<Scored> outcomes;
  for (int i = 0; i < 4000; ++i) outcomes.emplace_back(log_odds(0.8), i % 10 < 6);  // predicted 0.8, observed 0.6
  Calibration whole, half(0.5);
  whole.fit(outcomes);
  half.fit(outcomes);
  BOOST_CHECK_SMALL(whole(log_odds(0.8)) - 0.6, 0.01);
  BOOST_CHECK_SMALL(half(log_odds(0.8)) - probability(0.5 * (log_odds(0.8) + log_odds(0.6))), 0.01);
}

BOOST_AUTO_TEST_SUITE_END()
