// Observed and expected denials of a group of claims.
#include "core/estimators/effects/cell.hpp"

#include <boost/test/unit_test.hpp>

#include "core/estimators/basics/arithmetic.hpp"

using namespace tideover::estimators;

namespace {
Cell counted(int claims, int denied, double expected, Week week = 100, Strength strength = {}) {
  Cell cell;
  for (int i = 0; i < claims; ++i) cell.count(week, {i < denied, 1, i < denied ? 1.0 : 0.0}, expected, 97, strength);
  return cell;
}
}  // namespace

BOOST_AUTO_TEST_SUITE(cells)

BOOST_AUTO_TEST_CASE(a_cell_with_the_expected_denials_shifts_nothing) {
  BOOST_REQUIRE_SMALL(counted(1'000, 100, 0.1).shift(100, {}), 0.02);
  BOOST_TEST(Cell{}.shift(100, {}) == 0.0);
}

BOOST_AUTO_TEST_CASE(few_outcomes_shift_little_and_many_shift_to_their_share) {
  const double few = counted(4, 2, 0.1).estimate(100, 0.1, {}).all;
  BOOST_TEST(few < 0.2);
  BOOST_TEST(few > 0.1);
  BOOST_REQUIRE_SMALL(counted(10'000, 5'000, 0.1).estimate(100, 0.1, {}).all - 0.5, 0.01);
}

BOOST_AUTO_TEST_CASE(twice_the_expected_denials_shift_as_much_at_a_low_rate) {
  BOOST_REQUIRE_SMALL(counted(20, 4, 0.1).shift(100, {}) - counted(200, 4, 0.01).shift(100, {}), 0.1);
}

BOOST_AUTO_TEST_CASE(a_provider_is_not_blamed_for_the_denials_of_strict_payers) {
  BOOST_REQUIRE_SMALL(counted(1'000, 400, 0.4).shift(100, {}), 0.02);
  BOOST_TEST(counted(1'000, 400, 0.2).shift(100, {}) > 0.8);
}

BOOST_AUTO_TEST_CASE(a_change_shows_within_weeks_against_a_long_record) {
  Cell cell;
  for (Week week = 100; week < 156; ++week)
    for (int i = 0; i < 40; ++i) cell.count(week, week < 150 ? i % 20 == 0 : i % 2 == 0, 0.05, 50);
  BOOST_TEST(cell.estimate(155, 0.05, {2, 4}).all > 0.25);
}

BOOST_AUTO_TEST_CASE(a_run_of_denials_is_taken_for_a_policy_if_policies_are_expected) {
  const Strength gradual{2, 4}, as_a_rule{2, 4, 0.02};
  const Cell refused = counted(4, 4, 0.1, 100, as_a_rule), mixed = counted(40, 5, 0.1, 100, as_a_rule);
  BOOST_TEST(counted(4, 4, 0.1).estimate(100, 0.1, gradual).all < 0.35);
  const auto estimate = refused.estimate(100, 0.1, as_a_rule);
  BOOST_TEST(estimate.all > 0.7);
  BOOST_TEST(estimate.usual < 0.2);  // the refusals are explained
  BOOST_TEST(estimate.refused > 0.8);
  BOOST_TEST(mixed.estimate(100, 0.1, as_a_rule).refused < 0.1);
  // A dozen claims without a denial end it.
  Cell ended = refused;
  for (int i = 0; i < 12; ++i) ended.count(101, {}, 0.1, 0, as_a_rule);
  BOOST_TEST(ended.estimate(101, 0.1, as_a_rule).all < 0.2);
}

BOOST_AUTO_TEST_CASE(a_policy_that_begins_shows_after_a_long_clean_record) {
  const Strength as_a_rule{5, 8, 0.02};
  Cell cell = counted(200, 0, 0.01, 100, as_a_rule);
  for (int i = 0; i < 3; ++i) cell.count(101, {true, 1, 1}, 0.01, 50, as_a_rule);
  BOOST_TEST(cell.estimate(101, 0.01, as_a_rule).refused > 0.8);
}

BOOST_AUTO_TEST_CASE(the_estimate_of_a_continuing_policy_hardly_changes_per_response) {
  const Strength as_a_rule{5, 8, 0.02};
  const Cell refused = counted(30, 30, 0.02, 100, as_a_rule);
  BOOST_TEST(refused.estimate(100, 0.02, as_a_rule).refused > 0.99);
}

BOOST_AUTO_TEST_CASE(a_denial_for_another_cause_changes_nothing) {
  const Strength as_a_rule{5, 8, 0.02};
  Cell cell;
  for (int i = 0; i < 10; ++i) cell.count(100, {true, 0.01, 0.0001}, 0.01, 50, as_a_rule);
  BOOST_REQUIRE_SMALL(cell.estimate(100, 0.01, as_a_rule).all - Cell::without_cell(0.01, as_a_rule).all, 0.003);
  BOOST_TEST(cell.top_carc() == 0);
}

BOOST_AUTO_TEST_CASE(outcomes_fade_by_weeks_and_never_in_between) {
  const Cell cell = counted(100, 50, 0.1, 100);
  BOOST_TEST(cell.claims(100) == 100.0);
  BOOST_TEST(cell.claims(126) < 75.0);
  BOOST_TEST(cell.claims(126) > 65.0);
  BOOST_TEST(cell.shift(400, {}) == 0.0);
}

BOOST_AUTO_TEST_CASE(uncounted_outcomes_leave_no_effect) {
  Cell with = counted(50, 5, 0.1, 100), without = with;
  const auto counting = with.count(103, {true, 1, 1}, 0.2, 18, {});
  with.uncount(110, 103, counting, 0.2);
  const auto clean = without.count(103, {}, 0.1, 0, {});
  without.uncount(110, 103, clean, 0.1);
  BOOST_REQUIRE_SMALL(with.shift(110, {}) - without.shift(110, {}), 1e-3);
  BOOST_REQUIRE_SMALL(with.claims(110) - counted(50, 5, 0.1, 100).claims(110), 0.01);
}

BOOST_AUTO_TEST_CASE(the_commonest_reason_survives_many_rare_ones) {
  Cell cell;
  for (int i = 0; i < 300; ++i) cell.count(100, true, 0.1, static_cast<std::uint16_t>(i % 2 == 0 ? 197 : 1 + i % 60));
  BOOST_TEST(cell.top_carc() == 197);
}

BOOST_AUTO_TEST_CASE(a_full_store_drops_the_smallest_cells) {
  Cells cells(64);
  for (int i = 0; i < 50; ++i) cells.at(1, 100).count(100, true, 0.1, 0);
  for (Key key = 2; key < 1'000; ++key) cells.at(key, 100).count(100, false, 0.1, 0);
  BOOST_TEST(cells.size() <= 64U);
  BOOST_REQUIRE(cells.find(1));
  BOOST_TEST(cells.find(1)->claims(100) == 50.0);
}

BOOST_AUTO_TEST_SUITE_END()
