// Weights of rules.
#include "core/estimators/effects/weights.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/fakes/printing.hpp"

using namespace tideover;
using namespace tideover::estimators;

namespace {

FiredRule a_rule(int weight_bps, int strength) {
  FiredRule rule;
  rule.rule_id = "mue.line_over";
  rule.carc = "151";
  rule.weight_bps = weight_bps;
  rule.strength = strength;
  return rule;
}

Weights::Hit hit_of(bool denied, bool confirmed, double expected) {
  return {{denied, 1, confirmed ? 1.0 : 0.0}, denied, confirmed, expected, domain::Money::cents(1'000)};
}

void answer(Weights& weights, const FiredRule& rule, Key payer, int claims, int denied, double expected = 0.1) {
  for (int i = 0; i < claims; ++i) weights.count(rule, payer, 100, hit_of(i < denied, i < denied, expected));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(rule_weights)

BOOST_AUTO_TEST_CASE(a_rule_without_record_has_the_weight_set_by_its_analyst) {
  BOOST_REQUIRE_CLOSE(Weights(64).weight(a_rule(8'500, 40), 1, 100), 0.85, 1e-9);
}

BOOST_AUTO_TEST_CASE(the_weight_of_a_useless_rule_falls) {
  Weights weights(64);
  const auto rule = a_rule(8'500, 40);
  for (int i = 0; i < 1'000; ++i)
    weights.count(rule, 1, 100, hit_of(i % 10 == 0, false, 0.1));  // denied for other reasons alone
  BOOST_TEST(weights.weight(rule, 1, 100) < 0.08);
}

BOOST_AUTO_TEST_CASE(a_rule_gains_weight_only_by_denials_that_were_not_expected_anyway) {
  Weights weights(64);
  const auto rule = a_rule(3'000, 20);
  answer(weights, rule, 1, 500, 500);
  BOOST_TEST(weights.weight(rule, 1, 100) > 0.9);
  Weights anyway(64);
  for (int i = 0; i < 500; ++i) anyway.count(rule, 1, 100, hit_of(i % 2 == 0, false, 0.5));
  BOOST_TEST(anyway.weight(rule, 1, 100) < 0.1);
}

BOOST_AUTO_TEST_CASE(a_payer_that_ignores_a_rule_has_its_own_weight) {
  Weights weights(64);
  const auto rule = a_rule(8'000, 40);
  answer(weights, rule, 1, 300, 270);
  answer(weights, rule, 2, 60, 6);
  BOOST_TEST(weights.weight(rule, 1, 100) > 0.8);
  BOOST_TEST(weights.weight(rule, 2, 100) < 0.25);
  BOOST_TEST(weights.weight(rule, 3, 100) > 0.6);
}

BOOST_AUTO_TEST_CASE(a_locked_weight_is_not_learned) {
  Weights weights(64);
  auto rule = a_rule(8'500, 40);
  rule.locked = true;
  answer(weights, rule, 1, 1'000, 0);
  BOOST_REQUIRE_CLOSE(weights.weight(rule, 1, 100), 0.85, 1e-9);
}

BOOST_AUTO_TEST_CASE(the_denial_codes_of_a_rule_are_learned_from_responses) {
  Weights weights(64);
  const auto rule = a_rule(8'500, 40);
  BOOST_TEST(weights.code_share(rule, CarcGroup::coding) > 0.7);
  auto hit = hit_of(true, true, 0.1);
  hit.group = CarcGroup::necessity;
  for (int i = 0; i < 200; ++i) weights.count(rule, 1, 100, hit);
  BOOST_TEST(weights.code_share(rule, CarcGroup::coding) < 0.1);
  BOOST_TEST(weights.code_share(rule, CarcGroup::necessity) > 0.9);
  BOOST_TEST(weights.code_share(rule, CarcGroup::timely) < 0.01);
  for (int i = 0; i < 200; ++i) weights.uncount(rule, 1, 101, 100, hit);
  BOOST_TEST(weights.code_share(rule, CarcGroup::coding) > 0.7);
}

BOOST_AUTO_TEST_CASE(the_record_gives_precision_and_lift_without_reversed_claims) {
  Weights weights(64);
  const auto rule = a_rule(8'500, 40);
  answer(weights, rule, 1, 10, 6);
  weights.count(rule, 1, 100, hit_of(true, false, 0.1));
  weights.uncount(rule, 1, 101, 100, hit_of(true, false, 0.1));
  BOOST_REQUIRE_EQUAL(weights.grades().size(), 1U);
  const auto& grade = weights.grades().front();
  BOOST_TEST(grade.hits == 10);
  BOOST_TEST(grade.confirmed == 6);
  BOOST_REQUIRE_CLOSE(grade.precision(), 0.6, 1e-9);
  BOOST_REQUIRE_CLOSE(grade.lift(), 6.0, 1e-6);
  BOOST_TEST(grade.flagged == domain::Money::cents(10'000));
}

BOOST_AUTO_TEST_SUITE_END()
