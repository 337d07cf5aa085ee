// What `tideover rules test` tells: cases by rule, lines that no case reaches, and what a rule read in a case that
// failed.
#include <boost/test/unit_test.hpp>

#include "core/lua/tools/rule_test.hpp"
#include "tests/rules/rule_folder.hpp"

using namespace tideover;
using namespace tideover::testing;

namespace {

lua::TestReport tested(const RuleFolder& folder, const std::string& rule = {}) {
  return lua::test_rules(folder.path(), {kCodes, {}}, rule);
}

#define TELLS(text, wanted) \
  BOOST_TEST((text).find(wanted) != std::string::npos, "expected \"" << (wanted) << "\" in:\n" << (text))

}  // namespace

BOOST_AUTO_TEST_SUITE(rule_test)

BOOST_AUTO_TEST_CASE(cases_and_lines_are_counted_rule_by_rule) {
  const RuleFolder folder;
  const auto report = tested(folder);
  BOOST_TEST(report.passed, report.text);
  BOOST_TEST(report.coverage_percent() == 100);
  TELLS(report.text, "denial.zero                           1 case fires, 1 does not          1 of 1 lines\n");
  TELLS(report.text, "terms.plain                           1 case approves, 1 does not       2 of 2 lines\n");
  TELLS(report.text, "4 cases passed, 0 failed; they cover 3 of 3 lines (100 %)\n");
}

BOOST_AUTO_TEST_CASE(a_line_that_no_case_reaches_is_shown) {
  RuleFolder folder;
  folder.write("lib/some.lua",
               "local some = {}\nfunction some.of(n)\n  if n > 7 then\n    return 1\n  end\n  return 2\nend\nfunction "
               "some.never()\n  return 3\nend\nreturn some\n");
  folder.write(
      "denial/zero.lua",
      "local some = lib('some')\nlocal function late(claim)\n  return claim.amount_cents > 900000\nend\n" +
          denial_rule("zero",
                      "if claim.amount_cents == 0 then return { probability = 0.5 }\nelseif claim.amount_cents == 1 "
                      "then\n  if late(claim) then\n    return some.of(1) == 1\n  end\nend"));
  const auto report = tested(folder);
  BOOST_TEST(report.passed, report.text);
  TELLS(report.text, "denial/zero.lua:3:1: no case reaches this line\n  3 |   return claim.amount_cents > 900000\n");
  for (const char* place : {"denial/zero.lua:10:", "denial/zero.lua:11:", "lib/some.lua:3:", "lib/some.lua:4:",
                            "lib/some.lua:6:", "lib/some.lua:9:"})
    TELLS(report.text, place);
  BOOST_TEST(report.text.find("denial/zero.lua:9:") == std::string::npos, report.text);  // the condition is reached
  BOOST_TEST(report.text.find("denial/zero.lua:12:") == std::string::npos,
             report.text);  // an `end` is no line to reach
  BOOST_TEST(report.lines == 11);
  BOOST_TEST(report.ran == 4);
  BOOST_TEST(report.coverage_percent() == 36);
}

BOOST_AUTO_TEST_CASE(a_failed_case_is_reported_with_the_facts_that_the_rule_read) {
  RuleFolder folder;
  folder.write("cases/zero.lua",
               "return { rule = 'denial.zero', cases = {\n  { name = 'clean', expect = 'nothing' },\n  { name = "
               "'zero', claim = { amount_cents = 0 }, expect = {} },\n"
               "  { name = 'one', claim = { amount_cents = 100 }, expect = { probability = 0.5 } } } }\n");
  const auto report = tested(folder);
  BOOST_TEST(!report.passed);
  TELLS(report.text,
        "cases/zero.lua:4:13: case 'one': expected 1 finding(s), the rule found nothing\n  4 |   { name = 'one'");
  TELLS(report.text, "\n    it read claim.amount_cents = 100 (1.00)\n");
  TELLS(report.text, "4 cases passed, 1 failed");
}

BOOST_AUTO_TEST_CASE(one_rule_can_be_asked_for) {
  const RuleFolder folder;
  const auto report = tested(folder, "denial.zero");
  BOOST_TEST(report.passed);
  BOOST_TEST(report.text.find("terms.plain") == std::string::npos, report.text);
  TELLS(report.text, "they cover 1 of 1 lines");
  const auto none = tested(folder, "denial.nought");
  BOOST_TEST(!none.passed);
  TELLS(none.text, "there are no cases of a rule 'denial.nought'");
}

BOOST_AUTO_TEST_CASE(a_folder_that_cannot_be_read_is_no_passed_test) {
  const RuleFolder folder;
  const auto report = lua::test_rules(folder.path() / "absent", {kCodes, {}});
  BOOST_TEST(!report.passed);
  TELLS(report.text, "does not exist");
}

BOOST_AUTO_TEST_SUITE_END()
