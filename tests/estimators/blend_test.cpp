// The weight of each feature.
#include "core/estimators/effects/blend.hpp"

#include <boost/test/unit_test.hpp>

#include "core/estimators/basics/arithmetic.hpp"

using namespace tideover::estimators;

namespace {

/// Claims at log odds of -2 and of 2 by the payer's feature, denied as often as `slope` times that says.
void add(std::vector<MaturedClaim>& rows, int claims, double slope) {
  for (int i = 0; i < claims; ++i) {
    MaturedClaim row;
    const double odds = i % 2 == 0 ? -2 : 2;
    row.features[static_cast<std::size_t>(Feature::payer)] = static_cast<float>(odds);
    row.denied = i / 2 % 100 < static_cast<int>(100 * probability(slope * odds) + 0.5);
    rows.push_back(row);
  }
}

double coefficient_of(const std::vector<MaturedClaim>& rows) {
  std::vector<const MaturedClaim*> of;
  for (const auto& row : rows) of.push_back(&row);
  Blend blend;
  blend.fit(of);
  return blend.coefficient(Feature::payer);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(blends)

BOOST_AUTO_TEST_CASE(a_feature_is_weighted_by_how_often_it_was_right) {
  std::vector<MaturedClaim> rows;
  add(rows, 4'000, 0.5);
  BOOST_REQUIRE_CLOSE(coefficient_of(rows), 0.5, 5);
}

BOOST_AUTO_TEST_CASE(early_predictions_do_not_count_in_the_fit) {
  std::vector<MaturedClaim> rows;
  add(rows, 1'000, 0);
  add(rows, 3'000, 0.5);
  BOOST_REQUIRE_CLOSE(coefficient_of(rows), 0.5, 5);
}

BOOST_AUTO_TEST_SUITE_END()
