// Medicare's fee. Amounts were worked out by hand.
#include "core/domain/reviews/medicare_fee.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>

using namespace tideover::domain;

namespace {

constexpr std::int64_t kFactor = 32'346'500;  // 2025

constexpr std::int64_t rvu(int hundredths) {
  return hundredths * 10'000LL;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(medicare_fee_unit)

BOOST_AUTO_TEST_CASE(the_fee_is_each_part_by_its_index_times_the_factor) {
  const RelativeValues visit{rvu(130), rvu(135), rvu(10)};
  BOOST_TEST(medicare_fee(visit, {}, kFactor).cents() == 88'95);  // 2.75 x 32.3465 = 88.952875
  // (1.30 x 1.5 + 1.35 x 1.081 + 0.10 x 0.592) x 32.3465 = 112.195452...
  BOOST_TEST(medicare_fee(visit, {1'500'000, 1'081'000, 592'000}, kFactor).cents() == 112'20);
  BOOST_TEST(medicare_fee({0, 5'000, 0}, {}, kOneInMillionths).cents() == 0);  // half a cent goes to the even one
  BOOST_TEST(medicare_fee({0, 15'000, 0}, {}, kOneInMillionths).cents() == 2);
  BOOST_TEST(medicare_fee({0, 4'999, 0}, {}, kOneInMillionths).cents() == 0);
  // What no schedule says is held within what a claim may ask, and nothing overflows.
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  BOOST_TEST((medicare_fee({kMost, kMost, kMost}, {kMost, kMost, kMost}, kMost) == kLargestAmount));
  BOOST_TEST((medicare_fee({-kMost, 0, 0}, {}, kMost) == Money{}));
}

BOOST_AUTO_TEST_SUITE_END()
