// What an advance loses by a payer that pays less than is expected.
#include "core/domain/reviews/cash_odds.hpp"

#include <boost/test/unit_test.hpp>

using namespace tideover::domain;

namespace {

/// Nothing comes of one claim in ten; of the others at least 60 %, and by 90 % of what is expected a third fell short.
CashOdds uneven() {
  auto odds = CashOdds::all_or_nothing(1000);
  for (int step = 12; step < CashOdds::kSteps; ++step)
    odds.below_bps[static_cast<std::size_t>(step)] = 1000 + (step - 11) * 500;
  return odds;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(cash_odds)

BOOST_AUTO_TEST_CASE(any_advance_loses_the_unpaid_share_where_all_or_nothing_comes) {
  const auto odds = CashOdds::all_or_nothing(480);
  for (const int advance : {1, 499, 500, 777, 8000, 10'000}) {
    BOOST_TEST(expected_loss_bps(odds, advance) == 480);
    BOOST_TEST(shortfall_bps(odds, advance) == 480);
  }
  BOOST_TEST(expected_loss_bps(odds, 0) == 0);
  BOOST_TEST(largest_advance_bps(odds, 8050, {0, 0}) == 8050);
}

BOOST_AUTO_TEST_CASE(the_shortfall_lies_on_the_line_between_two_steps) {
  BOOST_TEST(shortfall_bps(uneven(), 6000) == 1000);
  BOOST_TEST(shortfall_bps(uneven(), 6250) == 1250);
  BOOST_TEST(shortfall_bps(uneven(), 6500) == 1500);
  BOOST_TEST(shortfall_bps(uneven(), 10'000) == 5000);
  BOOST_TEST(shortfall_bps(uneven(), 20'000) == 5000);
}

BOOST_AUTO_TEST_CASE(the_loss_is_the_area_under_the_shortfalls) {
  // Up to 60 %: .10. From there the line rises by .01 a percent: at 80 % the area is .10 x .80 + .20 x .20 / 2.
  BOOST_TEST(expected_loss_bps(uneven(), 6000) == 1000);
  BOOST_TEST(expected_loss_bps(uneven(), 8000) == 1250);    // .10 / .80
  BOOST_TEST(expected_loss_bps(uneven(), 10'000) == 1800);  // (.10 + .40 x .40 / 2) / 1
  BOOST_TEST(expected_loss_bps(uneven(), 6100) == 1001);    // (.061 + .01 x .01 / 2) / .61
}

BOOST_AUTO_TEST_CASE(an_advance_is_lowered_until_both_caps_hold_for_claims_that_are_paid) {
  // Of nine claims in ten that are paid: at 70 % a ninth falls short, and .005 of .70 is lost.
  BOOST_TEST(largest_advance_bps(uneven(), 9000, {10'000, 10'000}) == 9000);
  BOOST_TEST(largest_advance_bps(uneven(), 9000, {10'000, 1112}) == 7000);
  BOOST_TEST(largest_advance_bps(uneven(), 9000, {10'000, 1111}) == 6900);
  BOOST_TEST(largest_advance_bps(uneven(), 9000, {80, 10'000}) == 7000);  // 71 of 9 000
  BOOST_TEST(largest_advance_bps(uneven(), 9000, {78, 10'000}) == 6900);
  BOOST_TEST(largest_advance_bps(uneven(), 5550, {0, 0}) == 5550);
  BOOST_TEST(largest_advance_bps(uneven(), 6050, {0, 0}) == 6000);
  BOOST_TEST(largest_advance_bps(uneven(), 0, {0, 0}) == 0);
}

BOOST_AUTO_TEST_CASE(nothing_is_within_the_caps_of_a_claim_that_is_paid_in_crumbs) {
  auto odds = CashOdds::all_or_nothing(0);
  odds.below_bps.fill(9000);
  BOOST_TEST(largest_advance_bps(odds, 9000, {200, 100}) == 0);
}

BOOST_AUTO_TEST_CASE(a_claim_that_is_never_paid_loses_any_advance_whole) {
  BOOST_TEST(expected_loss_bps(CashOdds::all_or_nothing(10'000), 100) == 10'000);
  BOOST_TEST(largest_advance_bps(CashOdds::all_or_nothing(10'000), 8000, {200, 1200}) == 8000);
}

BOOST_AUTO_TEST_SUITE_END()
