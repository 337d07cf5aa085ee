// Denials of a group against what was expected of it.
#include "core/estimators/cell.hpp"

#include <boost/test/unit_test.hpp>

#include "core/estimators/arithmetic.hpp"

using namespace tideover::estimators;

namespace {
Cell counted(int claims, int denied, double expected, Week week = 100) {
  Cell cell;
  for (int i = 0; i < claims; ++i) cell.count(week, i < denied, expected, 97);
  return cell;
}
}  // namespace

BOOST_AUTO_TEST_SUITE(cells)

BOOST_AUTO_TEST_CASE(a_cell_that_does_as_expected_shifts_nothing) {
  BOOST_REQUIRE_SMALL(counted(1'000, 100, 0.1).shift(100, {}).all, 0.02);
  BOOST_TEST(Cell{}.shift(100, {}).all == 0.0);
}

BOOST_AUTO_TEST_CASE(few_outcomes_move_little_and_many_move_to_their_share) {
  const double few = probability(log_odds(0.1) + counted(4, 2, 0.1).shift(100, {}).all);
  BOOST_TEST(few < 0.2);
  BOOST_TEST(few > 0.1);
  BOOST_REQUIRE_SMALL(probability(log_odds(0.1) + counted(10'000, 5'000, 0.1).shift(100, {}).all) - 0.5, 0.01);
}

BOOST_AUTO_TEST_CASE(who_bills_hard_payers_only_is_not_taken_for_a_bad_biller) {
  BOOST_REQUIRE_SMALL(counted(1'000, 400, 0.4).shift(100, {}).all, 0.02);
  BOOST_TEST(counted(1'000, 400, 0.2).shift(100, {}).all > 0.8);
}

BOOST_AUTO_TEST_CASE(a_change_shows_within_weeks_against_a_long_record) {
  Cell cell;
  for (Week week = 100; week < 156; ++week)
    for (int i = 0; i < 40; ++i) cell.count(week, week < 150 ? i % 20 == 0 : i % 2 == 0, 0.05, 50);
  BOOST_TEST(probability(log_odds(0.05) + cell.shift(155, {20, 40}).all) > 0.25);
}

BOOST_AUTO_TEST_CASE(a_few_refusals_in_a_row_are_taken_for_a_rule_where_rules_are_to_be_expected) {
  const Strength gradual{20, 30}, as_a_rule{20, 30, 0.02};
  const Cell refused = counted(4, 4, 0.1), mixed = counted(40, 5, 0.1);
  BOOST_TEST(probability(log_odds(0.1) + refused.shift(100, gradual).all) < 0.35);
  BOOST_TEST(probability(log_odds(0.1) + refused.shift(100, as_a_rule).all) > 0.7);
  BOOST_TEST(refused.shift(100, as_a_rule).refused > 1.0);
  BOOST_REQUIRE_SMALL(mixed.shift(100, as_a_rule).all - mixed.shift(100, gradual).all, 0.05);
  // And a dozen that are not refused end it.
  Cell ended = refused;
  for (int i = 0; i < 12; ++i) ended.count(101, false, 0.1, 0);
  BOOST_TEST(probability(log_odds(0.1) + ended.shift(101, as_a_rule).all) < 0.25);
}

BOOST_AUTO_TEST_CASE(outcomes_fade_by_weeks_and_never_in_between) {
  const Cell cell = counted(100, 50, 0.1, 100);
  BOOST_TEST(cell.claims(100) == 100.0);
  BOOST_TEST(cell.claims(126) < 75.0);
  BOOST_TEST(cell.claims(126) > 65.0);
  BOOST_TEST(cell.shift(400, {}).all == 0.0);
}

BOOST_AUTO_TEST_CASE(what_is_taken_back_is_as_if_it_never_was) {
  Cell with = counted(50, 5, 0.1, 100), without = with;
  with.count(103, true, 0.2, 18);
  with.uncount(110, 103, true, 0.2);
  without.count(103, false, 0.1, 0);
  without.uncount(110, 103, false, 0.1);
  BOOST_REQUIRE_SMALL(with.shift(110, {}).all - without.shift(110, {}).all, 1e-3);
  BOOST_REQUIRE_SMALL(with.claims(110) - counted(50, 5, 0.1, 100).claims(110), 0.01);
}

BOOST_AUTO_TEST_CASE(the_commonest_reason_survives_many_rare_ones) {
  Cell cell;
  for (int i = 0; i < 300; ++i) cell.count(100, true, 0.1, static_cast<std::uint16_t>(i % 2 == 0 ? 197 : 1 + i % 60));
  BOOST_TEST(cell.top_carc() == 197);
}

BOOST_AUTO_TEST_CASE(a_full_store_lets_the_smallest_cells_go) {
  Cells cells(64);
  for (int i = 0; i < 50; ++i) cells.at(1, 100).count(100, true, 0.1, 0);
  for (Key key = 2; key < 1'000; ++key) cells.at(key, 100).count(100, false, 0.1, 0);
  BOOST_TEST(cells.size() <= 64U);
  BOOST_REQUIRE(cells.find(1));
  BOOST_TEST(cells.find(1)->claims(100) == 50.0);
}

BOOST_AUTO_TEST_SUITE_END()
