// Rules that say whom and what they are for are asked of nothing else, and of all of that.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <ostream>
#include <vector>

#include "core/lua/engine/explain.hpp"
#include "core/lua/ruleset/program.hpp"
#include "tests/rules/rule_folder.hpp"

using namespace tideover;
using namespace tideover::testing;

namespace {

/// A rule that fires whenever it is called, and declares this.
std::string firing_rule(const std::string& name, const std::string& purpose) {
  auto rule = denial_rule(name, "return { probability = 0.5 }");
  return rule.insert(rule.find("summary"), purpose + ", ");
}

/// The ruleset of these rules, with cases that hold for any of them.
std::shared_ptr<const lua::Ruleset> rules_for(const std::vector<std::string>& purposes) {
  RuleFolder folder;
  std::string list;
  for (std::size_t i = 0; i < purposes.size(); ++i) {
    const auto name = "rule_" + std::to_string(i);
    folder.write("denial/" + name + ".lua", firing_rule(name, purposes[i]));
    list += "'" + name + "', ";
  }
  std::filesystem::remove(folder.path() / "denial/zero.lua");
  folder.write("ruleset.lua", "return { version = '1', denial = { " + list + " }, terms = 'plain' }");
  const auto bundle = std::make_shared<const lua::Bundle>(lua::read_bundle(folder.path(), {}).bundle);
  const auto linted = lua::lint_bundle(bundle, {}, kCodes);
  for (const auto& error : linted.errors) BOOST_ERROR(error.text());
  return linted.ruleset;
}

/// A finding: the rule by its place in the list, and the line from 1; line 0 for a finding about the claim.
struct Fired {
  std::size_t rule = 0;
  std::size_t line = 0;
  friend bool operator==(const Fired&, const Fired&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Fired& one) {
    return out << "rule " << one.rule << " line " << one.line;
  }
};

std::vector<Fired> fired(const std::shared_ptr<const lua::Ruleset>& rules, const TestClaim& made) {
  std::vector<Fired> all;
  for (const auto& finding : lua::Engine(rules).assess_denial(made.facts()).findings)
    all.push_back({std::stoul(finding.rule_id.substr(std::string("denial.rule_").size())),
                   finding.line ? static_cast<std::size_t>(*finding.line) + 1 : 0});
  return all;
}

/// Exactly these rules find something about the claim.
void expect_fired(const std::shared_ptr<const lua::Ruleset>& rules, const TestClaim& made,
                  const std::vector<Fired>& expected) {
  BOOST_TEST(fired(rules, made) == expected, boost::test_tools::per_element());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(rule_index)

BOOST_AUTO_TEST_CASE(a_rule_for_payers_is_asked_of_their_claims_only) {
  const auto rules = rules_for({"lock = false", "payers = { 'P1000', 'P2000' }", "payers = { 'p3000' }"});
  TestClaim made;
  expect_fired(rules, made, {{.rule = 0}, {.rule = 1}});
  made.payer.payer_id = "P3000";
  expect_fired(rules, made, {{.rule = 0}, {.rule = 2}});
  made.payer.payer_id = "P4000";
  expect_fired(rules, made, {{.rule = 0}});
  made.payer_known = false;  // then the claim's own word counts
  made.claim.payer_id = "P2000";
  expect_fired(rules, made, {{.rule = 0}, {.rule = 1}});
}

BOOST_AUTO_TEST_CASE(a_rule_for_codes_is_asked_of_claims_that_have_one_or_of_the_lines_that_do) {
  const auto rules =
      rules_for({"codes = { '99213', 'J1100' }", "codes = { '99213', 'j-1100' }, each = 'line'", "each = 'line'"});
  TestClaim made;
  made.claim.service_lines = {{"80053", "", 1000, {}}, {"J1100", "", 1000, {}}, {"99213", "25", 1000, {}}};
  expect_fired(rules, made,
               {{.rule = 0},
                {.rule = 1, .line = 2},
                {.rule = 1, .line = 3},
                {.rule = 2, .line = 1},
                {.rule = 2, .line = 2},
                {.rule = 2, .line = 3}});
  made.claim.service_lines.resize(1);
  expect_fired(rules, made, {{.rule = 2, .line = 1}});
  made.claim.service_lines.clear();
  expect_fired(rules, made, {});
}

BOOST_AUTO_TEST_CASE(a_rule_for_a_type_of_claim_is_asked_of_that_type_only) {
  const auto rules = rules_for({"lock = false", "claim_type = 'professional', payers = { 'P1000' }",
                                "claim_type = 'institutional', each = 'line'"});
  TestClaim made;
  expect_fired(rules, made, {{.rule = 0}, {.rule = 1}});
  BOOST_TEST(lua::explain_denial(rules, {}, made.facts())[2].elsewhere == "is for institutional claims");
  made.claim.details.institutional.emplace();
  expect_fired(rules, made, {{.rule = 0}, {.rule = 2, .line = 1}});
  BOOST_TEST(lua::explain_denial(rules, {}, made.facts())[1].elsewhere == "is for professional claims");
}

BOOST_AUTO_TEST_CASE(among_many_rules_exactly_those_that_a_claim_concerns_are_asked) {
  std::vector<std::string> purposes;
  for (int i = 0; i < 200; ++i) {
    std::string purpose = i % 11 == 0 ? "lock = true" : "lock = false";
    if (i % 3 == 0) purpose += ", payers = { 'P" + std::to_string(i % 5) + "', 'PX' }";
    if (i % 4 == 0) purpose += ", codes = { '9921" + std::to_string(i % 7) + "' }";
    if (i % 5 == 0) purpose += ", needs = { 'patient_sex' }";
    purposes.push_back(purpose);
  }
  auto rules = std::make_shared<lua::Ruleset>(*rules_for(purposes));
  for (auto& rule : rules->denial)
    if (rule.lock) rule.mode = lua::RuleMode::off;
  for (const char* payer : {"P0", "P3", "PX", "PZ"})
    for (const char* code : {"99210", "99213", "J1100"})
      for (const char* sex : {"", "F"}) {
        TestClaim made;
        made.payer.payer_id = payer;
        made.claim.service_lines.front().cpt = code;
        made.claim.details.patient_sex = sex;
        std::vector<Fired> expected;
        for (std::size_t i = 0; i < 200; ++i) {
          const std::string name = payer;
          const bool concerned = i % 11 != 0 && (i % 3 != 0 || name == "PX" || name == "P" + std::to_string(i % 5)) &&
                                 (i % 4 != 0 || code == "9921" + std::to_string(i % 7)) && (i % 5 != 0 || *sex != 0);
          if (concerned) expected.push_back({i});
        }
        BOOST_TEST_CONTEXT(payer << ' ' << code << ' ' << sex) expect_fired(rules, made, expected);
      }
}

BOOST_AUTO_TEST_CASE(a_rule_that_is_for_others_is_not_applicable_and_says_for_whom) {
  const auto rules = rules_for({"payers = { 'P2000' }", "codes = { 'A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'A7' }",
                                "payers = { 'P1000', 'P2000' }, codes = { '99213' }"});
  TestClaim made;
  const auto explained = lua::explain_denial(rules, {}, made.facts());
  using Verdict = ports::RuleExplanation::Verdict;
  BOOST_TEST((explained[0].verdict == Verdict::not_applicable));
  BOOST_TEST(explained[0].elsewhere == "is for payer P2000");
  BOOST_TEST((explained[1].verdict == Verdict::not_applicable));
  BOOST_TEST(explained[1].elsewhere == "is for lines with A1, A2, A3, A4, A5 and 2 more");
  BOOST_TEST((explained[2].verdict == Verdict::fired));
  BOOST_TEST(explained[2].elsewhere == "");
  made.payer.payer_id = "P3000";
  BOOST_TEST(lua::explain_denial(rules, {}, made.facts())[2].elsewhere == "is for payers P1000, P2000");
}

BOOST_AUTO_TEST_SUITE_END()
