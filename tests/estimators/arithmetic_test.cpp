// Exponential and logarithm against the C library.
#include "core/estimators/basics/arithmetic.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

using namespace tideover::estimators;

BOOST_AUTO_TEST_SUITE(arithmetic)

BOOST_AUTO_TEST_CASE(the_exponential_is_that_of_the_c_library_to_14_digits) {
  for (double x = -700; x < 700; x += 0.0917) BOOST_REQUIRE_SMALL(exponential(x) / std::exp(x) - 1, 1e-14);
  BOOST_TEST(exponential(0) == 1.0);
  BOOST_TEST(exponential(-1e6) == 0.0);
  BOOST_TEST(std::isfinite(exponential(1e6)));
}

BOOST_AUTO_TEST_CASE(the_logarithm_is_that_of_the_c_library_to_14_digits) {
  for (double x = 1e-300; x < 1e300; x *= 1.37) BOOST_REQUIRE_SMALL(logarithm(x) / std::log(x) - 1, 1e-14);
  for (double x = 0.5; x < 2; x += 0.00137)
    BOOST_REQUIRE_SMALL(logarithm(x) - std::log(x), 1e-14 * std::fabs(std::log(x)));
  BOOST_TEST(logarithm(1) == 0.0);
  BOOST_REQUIRE_SMALL(logarithm(1e-310) / std::log(1e-310) - 1, 1e-14);  // subnormal
}

BOOST_AUTO_TEST_CASE(log_odds_and_probability_undo_each_other) {
  for (double p = 0.001; p < 1; p += 0.001) BOOST_REQUIRE_SMALL(probability(log_odds(p)) - p, 1e-14);
  BOOST_TEST(std::isfinite(log_odds(0)));
  BOOST_TEST(std::isfinite(log_odds(1)));
  BOOST_TEST(probability(-800) >= 0.0);
}

BOOST_AUTO_TEST_SUITE_END()
