// What `tideover rules new`, `shadow`, `diff` and `docs` do to a folder and tell of it.
#include <boost/test/unit_test.hpp>

#include <iterator>

#include "core/lua/tools/rule_diff.hpp"
#include "core/lua/tools/rule_docs.hpp"
#include "core/lua/tools/rule_edit.hpp"
#include "core/lua/tools/rule_test.hpp"
#include "tests/rules/rule_folder.hpp"

using namespace tideover;
using namespace tideover::testing;
using lua::RuleMode;

namespace {

std::string content(const RuleFolder& folder, const std::string& file) {
  std::ifstream in(folder.path() / file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::shared_ptr<const lua::Ruleset> sound_rules(const RuleFolder& folder) {
  const auto loaded = folder.load();
  BOOST_REQUIRE_MESSAGE(loaded.ruleset, faults_of(loaded));
  return loaded.ruleset;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(rule_edit)

BOOST_AUTO_TEST_CASE(a_new_rule_passes_check_and_test_at_once) {
  const RuleFolder folder;
  BOOST_TEST(lua::add_rule(folder.path(), {"denial.large"}).problem == "");
  BOOST_TEST(lua::add_rule(folder.path(), {"larger", "18", "OA"}).problem == "");
  const auto rules = sound_rules(folder);
  BOOST_REQUIRE(rules->denial.size() == 3u);
  BOOST_TEST(rules->denial[1].id == "denial.large");
  BOOST_TEST((rules->denial[1].mode == RuleMode::shadow));
  BOOST_TEST(rules->denial[2].code == "18");
  BOOST_TEST(rules->denial[2].group == "OA");
  const auto tested = lua::test_rules(folder.path(), {kCodes, {}}, "denial.large");
  BOOST_TEST(tested.passed, tested.text);
  BOOST_TEST(tested.coverage_percent() == 100);
}

BOOST_AUTO_TEST_CASE(a_new_rule_joins_the_list_however_it_is_written) {
  for (const auto& [before, after] : std::map<std::string, std::string>{
           {"return { version = '1', denial = { 'zero' }, terms = 'plain' }\n",
            "return { version = '1', denial = { 'zero', 'large' }, terms = 'plain' }\n"},
           {"return { version = '1', denial = { 'zero', }, terms = 'plain' }\n",
            "return { version = '1', denial = { 'zero', 'large', }, terms = 'plain' }\n"},
           {"-- denial = {}\nreturn {\n  denial = {\n    -- who\n    'zero',  -- the first\n    -- the end\n  },\n  "
            "version = '1', terms = 'plain' }\n",
            "-- denial = {}\nreturn {\n  denial = {\n    -- who\n    'zero',  -- the first\n    'large',\n    -- the "
            "end\n  },\n  version = '1', terms = 'plain' }\n"},
           {"return {\n  denial = {\n    'zero'\n  },\n  version = '1', terms = 'plain' }\n",
            "return {\n  denial = {\n    'zero',\n    'large',\n  },\n  version = '1', terms = 'plain' }\n"}}) {
    RuleFolder folder;
    folder.write("ruleset.lua", before);
    BOOST_TEST(lua::add_rule(folder.path(), {"large"}).problem == "");
    BOOST_TEST(content(folder, "ruleset.lua") == after);
    sound_rules(folder);
  }
}

BOOST_AUTO_TEST_CASE(a_new_rule_overwrites_nothing) {
  RuleFolder folder;
  const auto list = content(folder, "ruleset.lua");
  BOOST_TEST(lua::add_rule(folder.path(), {"zero"}).problem.find("already exists") != std::string::npos);
  for (const char* name : {"", "Large", "../large", "denial.", "a-b", "1st"})
    BOOST_TEST(lua::add_rule(folder.path(), {name}).problem.find("the name of a rule must be") == 0u, name);
  BOOST_TEST(content(folder, "ruleset.lua") == list);
  folder.write("ruleset.lua", "return {}");
  BOOST_TEST(lua::add_rule(folder.path(), {"large"}).problem.find("has no list") != std::string::npos);
  BOOST_TEST(!std::filesystem::exists(folder.path() / "denial/large.lua"));
  BOOST_TEST(lua::add_rule(folder.path() / "absent", {"large"}).problem.find("cannot be read") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_mode_changes_and_comments_stay) {
  RuleFolder folder;
  const auto rule = [](const std::string& mode, const std::string& rev) {
    return "-- mode = 'live'\nlocal other = { mode = 'x' }\nreturn { id = 'denial.zero', mode = '" + mode +
           "', -- mode\n  rev = " + rev +
           ", family = 'f', reason = { group = 'CO', code = '16' }, summary = 's', fix = 'f',\n  evaluate = "
           "function(claim) if claim.amount_cents == 0 and other.mode == 'x' then return { probability = 0.5 } end end "
           "}\n";
  };
  folder.write("denial/zero.lua", rule("live", "9"));
  BOOST_TEST(lua::set_mode(folder.path(), "denial.zero", RuleMode::shadow).files.size() == 1u);
  BOOST_TEST(content(folder, "denial/zero.lua") == rule("shadow", "10"));
  BOOST_TEST(lua::set_mode(folder.path(), "zero", RuleMode::shadow).files.empty());
  BOOST_TEST(lua::set_mode(folder.path(), "zero", RuleMode::live).problem == "");
  BOOST_TEST(content(folder, "denial/zero.lua") == rule("live", "11"));
  sound_rules(folder);
  folder.write("denial/zero.lua", rule("off", "11"));
  BOOST_TEST(
      lua::set_mode(folder.path(), "zero", RuleMode::live).problem.find("is off; put it into shadow mode first") !=
      std::string::npos);
  BOOST_TEST(content(folder, "denial/zero.lua") == rule("off", "11"));
  BOOST_TEST(lua::set_mode(folder.path(), "none", RuleMode::live).problem.find("cannot be read") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_difference_names_rules_parameters_and_lines) {
  const RuleFolder one;
  RuleFolder other;
  BOOST_TEST(lua::differences(*sound_rules(one), *sound_rules(other)) == "");
  lua::add_rule(one.path(), {"gone"});
  lua::add_rule(other.path(), {"large"});
  lua::set_mode(other.path(), "zero", RuleMode::shadow);
  other.write("params.lua",
              "return {\n  denial_threshold = { value = 0.40, min = 0, max = 1, unit = 'share' },\n  date_quantile = { "
              "value = 0.80, min = 0, max = 1, unit = 'share' },\n  recovery = { value = 0.40, min = 0, max = 1, unit "
              "= 'share' },\n  more = { value = 1, min = 0, max = 1 },\n}\n");
  const auto text = lua::differences(*sound_rules(one), *sound_rules(other));
  for (const char* part :
       {"added    denial.large (shadow): A large claim without lines\n", "removed  denial.gone (shadow): ",
        "changed  denial.zero\n    rev: 1 -> 2\n    mode: live -> shadow\n    - 1 | return { id = 'denial.zero', rev = "
        "1",
        "    + 1 | return { id = 'denial.zero', rev = 2, mode = 'shadow'",
        "changed  params.denial_threshold: 0.5 -> 0.4\n", "added    params.more = 1\n", "added    cases/large.lua\n",
        "removed  cases/gone.lua\n",
        "changed  params.lua\n    - 2 |   denial_threshold = { value = 0.50, min = 0, max = 1, unit = 'share' },\n    "
        "+ 2 |   denial_threshold = { value = 0.40",
        "    + 5 |   more = { value = 1"})
    BOOST_TEST(text.find(part) != std::string::npos, "expected \"" << part << "\" in:\n" << text);
  BOOST_TEST(text.find("date_quantile") == std::string::npos, text);  // an unchanged line between changed ones
}

BOOST_AUTO_TEST_CASE(the_page_shows_the_declarations_and_cases_of_each_rule) {
  RuleFolder folder;
  folder.write("lib/some.lua", "return { of = function(params) return params.recovery end }");
  auto rule = "-- Why it is so.\nlocal some = lib('some')\n" +
              denial_rule("zero",
                          "if claim.patient_sex == 'F' and claim.amount_cents == 0 and some.of(params) < "
                          "params.date_quantile then return true end");
  folder.write("denial/zero.lua", rule.insert(rule.find("summary"),
                                              "weight = 0.925, strength = 40, needs = { 'patient_sex' }, payers = { "
                                              "'P1000' }, codes = { '99213' }, profiles = { lenient = 'warning' }, "));
  folder.write(
      "cases/zero.lua",
      "return { rule = 'denial.zero', cases = {\n  { name = 'clean', expect = 'nothing' },\n  { name = 'nothing "
      "charged', claim = { amount_cents = 0, patient_sex = 'F' }, expect = { probability = 0.925 } } } }\n");
  const auto loaded = folder.load();
  BOOST_REQUIRE_MESSAGE(loaded.ruleset, faults_of(loaded));
  const auto page = lua::rules_page(*loaded.ruleset, loaded.cases);
  for (const char* part :
       {"| denial.zero | CO 16 | 92.5 % | live | A test |\n", "## denial.zero\n\nA test. Nothing\n\nWhy it is so.\n",
        "- reason: CO 16\n", "- weight: 92.5 %, worth 40 claims\n", "- needs: `patient_sex`\n", "- payers: `P1000`\n",
        "- codes: `99213`\n", "- parameters: `date_quantile`, `recovery`\n", "- effect: warning for lenient\n",
        "- fires: nothing charged\n", "- does not: clean\n"})
    BOOST_TEST(page.find(part) != std::string::npos, "expected \"" << part << "\" in:\n" << page);
}

BOOST_AUTO_TEST_SUITE_END()
