// Charge from which a payer requests documents.
#include "core/estimators/effects/charge_step.hpp"

#include <boost/test/unit_test.hpp>

using namespace tideover::estimators;

namespace {

constexpr double kUsual = 0.002;
constexpr Key kPayer = 1, kOther = 2;
const int kSmall = step_position_of(20'000), kLarge = step_position_of(250'000);

void answer(ChargeSteps& steps, int place, int claims, int denied, Key payer = kPayer) {
  for (int i = 0; i < claims; ++i) steps.count(payer, 100, place, {i < denied, 1, i < denied ? 1.0 : 0.0}, kUsual);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(charge_steps)

BOOST_AUTO_TEST_CASE(positions_rise_with_the_charge_and_end) {
  BOOST_TEST(step_position_of(0) == -1);
  BOOST_TEST(step_position_of(20'000) > step_position_of(12'000));
  BOOST_TEST(step_position_of(1'000'000'000) == static_cast<int>(kStepPositions) - 1);
}

BOOST_AUTO_TEST_CASE(two_denied_large_charges_among_paid_small_ones_show_a_step) {
  ChargeSteps steps(64);
  answer(steps, kSmall, 200, 0);
  answer(steps, kLarge, 20, 2);
  BOOST_TEST(steps.estimate(kPayer, 100, kLarge, kUsual).all > 0.07);
  BOOST_TEST(steps.estimate(kPayer, 100, kLarge + 2, kUsual).all > 0.07);  // a size that was never answered
  BOOST_TEST(steps.estimate(kPayer, 100, kSmall, kUsual).all < 0.005);
}

BOOST_AUTO_TEST_CASE(paid_large_charges_rule_out_a_step) {
  ChargeSteps steps(64);
  const double before = steps.estimate(kPayer, 100, kLarge, kUsual).refused;
  answer(steps, kLarge, 200, 0);
  BOOST_TEST(steps.estimate(kPayer, 100, kLarge, kUsual).all < 0.01);
  BOOST_TEST(steps.estimate(kPayer, 100, kLarge, kUsual).refused < before / 4);
}

BOOST_AUTO_TEST_CASE(the_usual_step_is_expected_of_a_new_payer) {
  ChargeSteps steps(64);
  const double before = steps.estimate(kOther, 100, kLarge, kUsual).all;
  for (Key payer = 100; payer < 140; ++payer) {
    answer(steps, kSmall, 60, 0, payer);
    answer(steps, kLarge, 40, 5, payer);
  }
  BOOST_TEST(steps.estimate(kOther, 100, kLarge, kUsual).all > 1.5 * before);
  BOOST_TEST(steps.estimate(kOther, 100, kSmall, kUsual).all < 0.02);
  // One payer changes little for others, however many responses it sends.
  ChargeSteps one(64);
  for (int i = 0; i < 100; ++i) answer(one, kLarge, 40, 5);
  BOOST_TEST(one.estimate(kOther, 100, kLarge, kUsual).all < 1.3 * before);
}

BOOST_AUTO_TEST_CASE(a_step_not_observed_for_years_is_forgotten) {
  ChargeSteps steps(64);
  answer(steps, kSmall, 200, 0);
  answer(steps, kLarge, 40, 5);
  const double without_cell = steps.estimate(kOther, 100, kSmall, kUsual).all;
  BOOST_TEST(steps.estimate(kPayer, 100, kSmall, kUsual).all < without_cell / 3);
  BOOST_REQUIRE_CLOSE(steps.estimate(kPayer, 400, kSmall, kUsual).all, without_cell, 1e-6);
}

BOOST_AUTO_TEST_CASE(uncounted_outcomes_leave_no_effect) {
  ChargeSteps steps(64);
  answer(steps, kSmall, 50, 0);
  answer(steps, kLarge, 20, 1);
  const double before = steps.estimate(kPayer, 100, kLarge, kUsual).all,
               of_other = steps.estimate(kOther, 100, kLarge, kUsual).all;
  const auto counting = steps.count(kPayer, 100, kLarge, {true, 1, 0.7}, kUsual);
  BOOST_TEST(steps.estimate(kPayer, 100, kLarge, kUsual).all > before);
  steps.uncount(kPayer, kLarge, counting);
  BOOST_REQUIRE_CLOSE(steps.estimate(kPayer, 100, kLarge, kUsual).all, before, 3);
  BOOST_REQUIRE_CLOSE(steps.estimate(kOther, 100, kLarge, kUsual).all, of_other, 3);
}

BOOST_AUTO_TEST_SUITE_END()
