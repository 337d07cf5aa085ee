// The way of a rule bundle from a folder into force: every state x step.
#include "core/domain/reviews/rule_bundle.hpp"

#include <boost/test/unit_test.hpp>
#include <map>
#include <string>

using namespace tideover::domain;

BOOST_AUTO_TEST_SUITE(rule_bundle)

BOOST_AUTO_TEST_CASE(every_state_answers_every_step_as_drawn) {
  const std::string drawn[] = {"check", "test", "approve", "promote", "replace", "reject", "file"};
  const BundleStep steps[] = {BundleStep::check,   BundleStep::test,   BundleStep::approve, BundleStep::promote,
                              BundleStep::replace, BundleStep::reject, BundleStep::file};
  static_assert(std::size(steps) == kBundleStepCount);
  const std::map<std::string, std::map<std::string, std::string>> expected{
      {"candidate", {{"check", "checked"}, {"reject", "rejected"}}},
      {"checked", {{"test", "tested"}, {"reject", "rejected"}}},
      {"tested", {{"approve", "approved"}, {"promote", "live"}, {"reject", "rejected"}}},
      {"approved", {{"promote", "live"}, {"reject", "rejected"}}},
      {"live", {{"replace", "retired"}}},
      {"retired", {{"promote", "live"}, {"reject", "rejected"}}},
      {"rejected", {{"file", "candidate"}}},
  };
  for (const auto name : kBundleStateNames)
    for (std::size_t i = 0; i < std::size(steps); ++i) {
      const auto& row = expected.at(std::string(name));
      const auto cell = row.find(drawn[i]);
      const auto next = next_state(*bundle_state_named(name), steps[i]);
      BOOST_TEST((next ? name_of(*next) : "no step") == (cell == row.end() ? "no step" : cell->second),
                 name << " / " << drawn[i]);
    }
}

BOOST_AUTO_TEST_CASE(a_name_that_is_none_is_no_state_and_no_act) {
  BOOST_TEST(!bundle_state_named("editing"));
  BOOST_TEST(!rule_act_named("promote"));
  BOOST_TEST((rule_act_named("rolled_back") == RuleAct::rolled_back));
}

BOOST_AUTO_TEST_SUITE_END()
