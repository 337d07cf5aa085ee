// From which charge on a payer wants documents.
#include "core/estimators/charge_step.hpp"

#include <boost/test/unit_test.hpp>

using namespace tideover::estimators;

namespace {

constexpr double kUsual = 0.002;
const int kSmall = step_place_of(20'000), kLarge = step_place_of(250'000);

void answer(ChargeStep& step, int place, int claims, int denied) {
  for (int i = 0; i < claims; ++i) step.count(100, place, {i < denied, 1, i < denied ? 1.0 : 0.0}, kUsual);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(charge_steps)

BOOST_AUTO_TEST_CASE(places_rise_with_the_charge_and_end) {
  BOOST_TEST(step_place_of(0) == -1);
  BOOST_TEST(step_place_of(20'000) > step_place_of(12'000));
  BOOST_TEST(step_place_of(1'000'000'000) == static_cast<int>(kStepPlaces) - 1);
}

BOOST_AUTO_TEST_CASE(two_refusals_of_large_charges_among_paid_small_ones_show_a_step) {
  ChargeStep step;
  answer(step, kSmall, 200, 0);
  answer(step, kLarge, 20, 2);
  BOOST_TEST(step.told(100, kLarge, kUsual).all > 0.07);
  BOOST_TEST(step.told(100, kLarge + 2, kUsual).all > 0.07);  // a size that was never answered
  BOOST_TEST(step.told(100, kSmall, kUsual).all < 0.005);
}

BOOST_AUTO_TEST_CASE(large_charges_that_are_paid_show_that_there_is_none) {
  ChargeStep step;
  answer(step, kLarge, 200, 0);
  BOOST_TEST(step.told(100, kLarge, kUsual).all < 0.01);
  BOOST_TEST(step.told(100, kLarge, kUsual).refused < ChargeStep().told(100, kLarge, kUsual).refused / 4);
}

BOOST_AUTO_TEST_CASE(a_step_that_is_not_heard_of_for_years_is_forgotten) {
  ChargeStep step;
  answer(step, kSmall, 200, 0);
  answer(step, kLarge, 40, 5);
  const double stranger = ChargeStep().told(0, kSmall, kUsual).all;
  BOOST_TEST(step.told(100, kSmall, kUsual).all < stranger / 3);
  BOOST_REQUIRE_CLOSE(step.told(400, kSmall, kUsual).all, stranger, 1e-6);
}

BOOST_AUTO_TEST_CASE(what_is_taken_back_is_as_if_it_never_was) {
  ChargeStep step;
  answer(step, kSmall, 50, 0);
  answer(step, kLarge, 20, 1);
  const double before = step.told(100, kLarge, kUsual).all;
  const auto counting = step.count(100, kLarge, {true, 1, 0.7}, kUsual);
  BOOST_TEST(step.told(100, kLarge, kUsual).all > before);
  step.uncount(kLarge, counting);
  BOOST_REQUIRE_CLOSE(step.told(100, kLarge, kUsual).all, before, 0.01);
}

BOOST_AUTO_TEST_SUITE_END()
