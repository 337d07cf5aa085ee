// The measures against values reckoned by hand.
#include "tests/bench/claimsim/metrics.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

using namespace tideover::claimsim;

BOOST_AUTO_TEST_SUITE(claimsim_metrics)

BOOST_AUTO_TEST_CASE(auroc_counts_pairs_and_ties_one_half) {
  // Pairs of (positive, negative): .9 beats both, .4 beats .1 and ties with .4: 3.5 of 4.
  BOOST_TEST(auroc({0.9, 0.4, 0.4, 0.1}, {1, 1, 0, 0}) == 0.875, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(auroc({0.1, 0.2, 0.8}, {1, 1, 0}) == 0.0);
  BOOST_TEST(std::isnan(auroc({0.1, 0.2}, {0, 0})));
}

BOOST_AUTO_TEST_CASE(a_constant_score_discriminates_nothing) {
  BOOST_TEST(auroc({0.3, 0.3, 0.3, 0.3, 0.3}, {1, 0, 0, 1, 0}) == 0.5);
  BOOST_TEST(auprc({0.3, 0.3, 0.3, 0.3, 0.3}, {1, 0, 0, 1, 0}) == 0.4);
}

BOOST_AUTO_TEST_CASE(auprc_adds_precision_at_each_recall_gained) {
  // Highest first: + - + -: 1/2 · 1/1 + 1/2 · 2/3.
  BOOST_TEST(auprc({0.9, 0.8, 0.7, 0.6}, {1, 0, 1, 0}) == 5.0 / 6, boost::test_tools::tolerance(1e-12));
  // The second and third are one step: 1/2 · 1/1 + 1/2 · 2/3, whichever comes first in the file.
  BOOST_TEST(auprc({0.9, 0.7, 0.7, 0.6}, {1, 0, 1, 0}) == auprc({0.9, 0.7, 0.7, 0.6}, {1, 1, 0, 0}));
}

BOOST_AUTO_TEST_CASE(calibration_error_is_the_mass_weighted_gap_of_the_bins) {
  // Two values, so two bins: |.2·10 − 3| + |.7·5 − 3| = 1 + .5, of 15.
  const Scores scores{.2, .2, .2, .2, .2, .2, .2, .2, .2, .2, .7, .7, .7, .7, .7};
  const Labels labels{1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0};
  BOOST_TEST(calibration_error(scores, labels) == 0.1, boost::test_tools::tolerance(1e-12));
  // sqrt(2/π)·(sqrt(10·.16) + sqrt(5·.21)) / 15
  BOOST_TEST(calibration_error_by_chance(scores) == 0.79788456 * (1.26491106 + 1.02469508) / 15,
             boost::test_tools::tolerance(1e-7));
}

BOOST_AUTO_TEST_CASE(thirty_distinct_scores_fall_into_fifteen_bins_of_two) {
  Scores scores;
  Labels labels;
  for (int i = 0; i < 30; ++i) scores.push_back(i / 100.0), labels.push_back(i % 4 < 2);
  // The bins hold two labels of 1 or none in turn, and scores of (4b + 1) / 100 in all.
  double gap = 0;
  for (int b = 0; b < 15; ++b) gap += std::abs((b % 2 == 0 ? 2 : 0) - (4 * b + 1) / 100.0);
  BOOST_TEST(calibration_error(scores, labels) == gap / 30, boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(crps_of_a_certain_day_is_the_distance) {
  QuantileDays days;
  days.fill(20);
  // The mean of the levels is one half, so twice the pinball loss is the distance on either side.
  BOOST_TEST(crps(days, 20) == 0.0);
  BOOST_TEST(crps(days, 27) == 7.0, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(crps(days, 15) == 5.0, boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(crps_of_two_days_weighs_each_by_its_levels) {
  QuantileDays days;
  days.fill(10);
  for (std::size_t i = kLevels / 2; i < kLevels; ++i) days[i] = 14;
  // Happened on the 10th: only the upper half errs, by 4 · (1 − level), whose mean over .51 … .99 is .25: 2 · ½ · 4 ·
  // .25.
  BOOST_TEST(crps(days, 10) == 1.0, boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_SUITE_END()
