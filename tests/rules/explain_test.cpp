// The explanation of a claim for analysts: every rule, its verdict, and the facts that it read.
#include <boost/test/unit_test.hpp>

#include <algorithm>

#include "core/lua/engine/explain.hpp"
#include "tests/rules/rule_folder.hpp"

using namespace tideover;
using namespace tideover::testing;
using Verdict = ports::RuleExplanation::Verdict;

namespace {

std::string reads_of(const ports::RuleExplanation& one) {
  std::string text;
  for (const auto& read : one.reads) text += (text.empty() ? "" : "; ") + read.name + " = " + read.value;
  return text;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(explain)

BOOST_AUTO_TEST_CASE(each_rule_is_listed_with_its_verdict_and_the_facts_it_read) {
  RuleFolder folder;
  folder.write("ruleset.lua",
               "return { version = '1', denial = { 'zero', 'broken', 'hidden', 'silenced' }, terms = 'plain' }\n");
  const std::string on_one_line = "if claim.line_count == 1 then return { probability = 0.25 } end";
  folder.write(
      "denial/broken.lua",
      denial_rule(
          "broken",
          on_one_line + "\nif claim.line_count > 1 then return { probability = claim.lines[2].units_milli } end"));
  folder.write(
      "denial/hidden.lua",
      denial_rule(
          "hidden",
          "local l = claim.lines[1]\nif l and l.cpt == '99213' and payer.known then return { probability = 0.25 } end",
          "shadow"));
  folder.write("denial/silenced.lua", denial_rule("silenced", on_one_line, "off"));
  for (const std::string name : {"broken", "hidden", "silenced"})
    folder.write("cases/" + name + ".lua",
                 "return { rule = 'denial." + name +
                     "', cases = {\n  { name = 'no line', claim = { lines = {} }, expect = 'nothing' },\n"
                     "  { name = 'one line', claim = { lines = { { cpt = '99213' } } }, expect = { probability = 0.25 "
                     "} } } }\n");
  const auto loaded = folder.load();
  BOOST_REQUIRE_MESSAGE(loaded.ruleset, testing::faults_of(loaded));

  TestClaim made;
  made.claim.service_lines.push_back({"80053", "", 1000, domain::Money::cents(0)});
  const auto explained = lua::explain_denial(loaded.ruleset, {}, made.facts());
  BOOST_REQUIRE(explained.size() == 4u);
  BOOST_TEST((explained[0].verdict == Verdict::silent));
  BOOST_TEST(reads_of(explained[0]) == "claim.amount_cents = 100000 (1000.00)");
  BOOST_TEST((explained[1].verdict == Verdict::failed));
  BOOST_TEST(!explained[1].fault.empty());
  BOOST_TEST(reads_of(explained[1]) ==
             "claim.line_count = 2; claim.lines[2] = true; claim.lines[2].units_milli = 1000");
  BOOST_TEST((explained[2].verdict == Verdict::fired));
  BOOST_TEST(explained[2].findings.front().probability_bps == 2500);
  BOOST_TEST(reads_of(explained[2]) == "claim.lines[1] = true; claim.lines[1].cpt = \"99213\"; payer.known = true");
  BOOST_TEST((explained[3].verdict == Verdict::off));
  BOOST_TEST(explained[3].reads.empty());
}

BOOST_AUTO_TEST_CASE(facts_are_listed_in_the_order_in_which_the_rule_read_them) {
  const auto loaded = lua::load_ruleset(std::filesystem::path(TIDEOVER_SOURCE_DIR) / "rules", {kCodes, {}});
  BOOST_REQUIRE_MESSAGE(loaded.ruleset, testing::faults_of(loaded));
  TestClaim made;
  made.payer.timely_filing_days = 5;
  const auto late = lua::explain_denial(loaded.ruleset, {}, made.facts());
  const auto rule =
      std::find_if(late.begin(), late.end(), [](const auto& one) { return one.rule_id == "denial.timely_filing"; });
  BOOST_REQUIRE(rule != late.end());
  BOOST_TEST((rule->verdict == Verdict::fired));
  BOOST_TEST(reads_of(*rule) == "claim.days_to_submission = 7; payer.id = \"P1000\"; payer.timely_filing_days = 5");
}

BOOST_AUTO_TEST_CASE(dates_are_shown_as_such_and_a_missing_one_as_nil) {
  RuleFolder folder;
  folder.write(
      "denial/zero.lua",
      denial_rule(
          "zero",
          "local seen = claim.date_of_service\nif claim.amount_cents == 0 then return { probability = 0.5 } end"));
  const auto loaded = folder.load();
  BOOST_REQUIRE_MESSAGE(loaded.ruleset, testing::faults_of(loaded));
  TestClaim made;
  BOOST_TEST(reads_of(lua::explain_denial(loaded.ruleset, {}, made.facts()).front())
                 .starts_with("claim.date_of_service = 20605 (2026-06-01)"));
  made.claim.date_of_service.reset();
  BOOST_TEST(reads_of(lua::explain_denial(loaded.ruleset, {}, made.facts()).front())
                 .starts_with("claim.date_of_service = nil"));
}

BOOST_AUTO_TEST_CASE(a_rule_whose_needs_the_claim_does_not_meet_is_not_applicable_and_not_called) {
  RuleFolder folder;
  auto rule = denial_rule(
      "zero",
      "if not claim.history.known or claim.line_count == 0 then error('called') end\nreturn { probability = 0.5 }");
  folder.write("denial/zero.lua",
               rule.insert(rule.find("summary"), "needs = { 'lines', 'history', 'diagnosis_codes', 'patient_sex' }, "));
  folder.write(
      "cases/zero.lua",
      "return { rule = 'denial.zero', cases = { { name = 'clean', expect = 'nothing' },\n"
      "{ name = 'all', claim = { history = {}, diagnosis_codes = { 'E119' }, patient_sex = 'F' }, expect = {} } } }");
  const auto loaded = folder.load();
  BOOST_REQUIRE_MESSAGE(loaded.ruleset, testing::faults_of(loaded));
  TestClaim made;
  const auto lacking = lua::explain_denial(loaded.ruleset, {}, made.facts()).front();
  BOOST_TEST((lacking.verdict == Verdict::not_applicable));
  BOOST_TEST(
      lacking.missing == (std::vector<std::string>{"claim.history", "claim.diagnosis_codes", "claim.patient_sex"}),
      boost::test_tools::per_element());
  lua::Engine engine(loaded.ruleset);
  BOOST_TEST(engine.assess_denial(made.facts()).findings.empty());
  BOOST_TEST(engine.counts().front().faults == 0u);
  made.history.emplace();
  made.claim.details = {{"E119"}, "", {}, "F", {}, ""};
  BOOST_TEST((lua::explain_denial(loaded.ruleset, {}, made.facts()).front().verdict == Verdict::fired));
  BOOST_TEST(engine.assess_denial(made.facts()).findings.size() == 1u);
}

BOOST_AUTO_TEST_CASE(of_a_rule_that_reads_without_end_the_first_facts_are_shown) {
  RuleFolder folder;
  folder.write(
      "denial/zero.lua",
      denial_rule("zero",
                  "local n = 0\nfor i = 1, claim.line_count do if claim.lines[i].cpt == 'x' then n = n + 1 end end\n"
                  "if claim.amount_cents == 0 then return { probability = 0.5 } end"));
  const auto loaded = folder.load();
  BOOST_REQUIRE_MESSAGE(loaded.ruleset, testing::faults_of(loaded));
  TestClaim made;
  made.claim.service_lines.assign(50, made.claim.service_lines.front());
  const auto explained = lua::explain_denial(loaded.ruleset, {}, made.facts());
  BOOST_TEST(explained.front().read_more);
  BOOST_TEST(explained.front().reads.size() == 64u);
}

BOOST_AUTO_TEST_SUITE_END()
