// Loading a bundle: every fault is reported at once, with its position, and no faulty bundle is published.
#include <boost/test/unit_test.hpp>

#include <set>
#include <string>
#include <vector>

#include "core/lua/vm/bundle.hpp"
#include "tests/rules/rule_folder.hpp"

using namespace tideover;
using namespace tideover::testing;

namespace {

/// A bundle with one file changed, and what the loader must say about it.
struct Mistake {
  const char* name;
  const char* file;
  std::string text;
  const char* expected;
};

std::string rule_with(const std::string& from, const std::string& to) {
  std::string text = denial_rule("zero", "if claim.amount_cents == 0 then return { probability = 0.5 } end");
  const auto at = text.find(from);
  BOOST_REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

/// In a rule: its fields, its codes, its globals and what it does in a case.
std::vector<Mistake> mistakes_in_rules() {
  return {
      {"an id that is not the file's", "denial/zero.lua", rule_with("denial.zero", "denial.nought"),
       "must be 'denial.zero'"},
      {"an unknown field", "denial/zero.lua", rule_with("summary", "sumary"),
       "denial/zero.lua:2:3: a denial rule has an unknown field 'sumary' (did you mean 'summary'?)"},
      {"a missing field", "denial/zero.lua", rule_with("family = 'test', ", ""), "needs the field 'family'"},
      {"an unknown code", "denial/zero.lua", rule_with("code = '16'", "code = '999'"),
       "reason code '999' is not in the catalogue"},
      {"an unknown group", "denial/zero.lua", rule_with("'CO'", "'XX'"), "must be one of 'CO', 'PR', 'OA', 'PI'"},
      {"an unknown effect", "denial/zero.lua", rule_with("rev = 1", "rev = 1, profiles = { strict = 'error' }"),
       "strict is 'error'"},
      {"an unknown profile", "denial/zero.lua", rule_with("rev = 1", "rev = 1, profiles = { strikt = 'reason' }"),
       "did you mean 'strict'"},
      {"a cap above one", "denial/zero.lua", rule_with("rev = 1", "rev = 1, confidence_cap = 75"),
       "confidence_cap must be a share"},
      {"a weight that is no share", "denial/zero.lua", rule_with("rev = 1", "rev = 1, weight = 95"),
       "weight must be a share above 0"},
      {"a strength without end", "denial/zero.lua", rule_with("rev = 1", "rev = 1, strength = 0"),
       "strength must be a number of claims from 1 to 1000"},
      {"an unknown severity", "denial/zero.lua", rule_with("rev = 1", "rev = 1, severity = 'hard'"),
       "severity is 'hard' but must be one of 'info'"},
      {"a need that is never missing", "denial/zero.lua", rule_with("rev = 1", "rev = 1, needs = { 'amount_cents' }"),
       "needs names 'amount_cents', which is not an optional fact of a claim"},
      {"a slip in a need", "denial/zero.lua", rule_with("rev = 1", "rev = 1, needs = { 'patient_sexx' }"),
       "did you mean 'patient_sex'?"},
      {"an unknown type of claim", "denial/zero.lua", rule_with("rev = 1", "rev = 1, claim_type = 'dental'"),
       "claim_type is 'dental' but must be one of 'professional', 'institutional'"},
      {"a rule for no payer at all", "denial/zero.lua", rule_with("rev = 1", "rev = 1, payers = {}"),
       "payers is an empty list"},
      {"a payer that is listed twice", "denial/zero.lua",
       rule_with("rev = 1", "rev = 1, payers = { 'P1000', 'p1000' }"), "payers names 'p1000' twice"},
      {"a code without a text", "denial/zero.lua", rule_with("rev = 1", "rev = 1, codes = { '' }"),
       "codes has an empty name"},
      {"true without a weight", "denial/zero.lua", denial_rule("zero", "return claim.amount_cents == 0"),
       "(true fires where the rule has a weight)"},
      {"a payer's code that is none", "denial/zero.lua",
       denial_rule("zero", "if claim.amount_cents == 0 then return { probability = 0.5, carc = 'CO-45' } end"),
       "carc must be one to three digits"},
      {"a float as rev", "denial/zero.lua", rule_with("rev = 1", "rev = 1.5"), "rev must be an integer"},
      {"evaluate that is no function", "denial/zero.lua",
       "return { id = 'denial.zero', rev = 1, mode = 'live', family = 'f', summary = 's', fix = 'f',\n"
       "  reason = { group = 'CO', code = '16' }, evaluate = 1 }",
       "denial/zero.lua:2:43: evaluate must be a function"},
      {"a global", "denial/zero.lua", "limit = 5\nreturn {}",
       "denial/zero.lua:1:1: assignment to global 'limit': write 'local limit'"},
      {"a slip in a global", "denial/zero.lua", "local x = usb(1)\nreturn {}",
       "unknown global 'usb' (did you mean 'usd'?)"},
      {"a rule that fails in its case", "denial/zero.lua", denial_rule("zero", "return { probability = claim.amount }"),
       "denial/zero.lua:4:24: unknown field 'claim.amount' (did you mean 'claim.amount_cents'?) (in case 'clean')"},
      {"a rule that keeps a counter", "denial/zero.lua", "local calls = 0\n" + denial_rule("zero", "calls = calls + 1"),
       "assigns 'calls'"},
  };
}

/// In the list of rules, in parameters, in a library, and a file in the wrong place.
std::vector<Mistake> mistakes_in_bundles() {
  return {
      {"a rule that is not there", "ruleset.lua",
       "return { version = '1', denial = { 'zero', 'one' }, terms = 'plain' }", "file not found: denial/one.lua"},
      {"a rule listed twice", "ruleset.lua", "return { version = '1', denial = { 'zero', 'zero' }, terms = 'plain' }",
       "listed twice"},
      {"no terms", "ruleset.lua", "return { version = '1', denial = { 'zero' } }", "needs the field 'terms'"},
      {"a name that leads elsewhere", "ruleset.lua",
       "return { version = '1', denial = { '../denial/zero' }, terms = 'plain' }",
       "file not found: denial/../denial/zero.lua"},
      {"a parameter without range", "params.lua", "return { denial_threshold = { value = 0.5 } }", "needs min and max"},
      {"a parameter that is bare", "params.lua", "return { denial_threshold = 0.5 }", "must be a table"},
      {"a parameter that the forecast needs", "params.lua", "return { }", "'denial_threshold' is missing"},
      {"a share finer than a basis point", "params.lua",
       "return {\n  denial_threshold = { value = 0.50001, min = 0, max = 1 },\n  date_quantile = { value = 0.80, min = "
       "0, max = 1 },\n  recovery = { value = 0.40, min = 0, max = 1 },\n}\n",
       "params.lua:2:3: parameter 'denial_threshold' must be a share"},
      {"a part of a day", "params.lua",
       "return {\n  denial_threshold = { value = 0.5, min = 0, max = 1 },\n  date_quantile = { value = 0.80, min = "
       "0, max = 1 },\n  recovery = { value = 0.40, min = 0, max = 1 },\n  write_off_days = { value = 90.5, min = 1, "
       "max = 999 },\n}\n",
       "params.lua:5:3: parameter 'write_off_days' must be a whole number of days"},
      {"a file in the wrong place", "zero.lua", "return {}", "is not allowed here"},
      {"a library that returns nothing", "lib/empty.lua", "local x = 1", "must return a table"},
  };
}

/// In the cases of a rule.
std::vector<Mistake> mistakes_in_cases() {
  return {
      {"a rule without a case that fires", "cases/zero.lua",
       "return { rule = 'denial.zero', cases = { { name = 'clean', expect = 'nothing' } } }",
       "needs a case in cases/ in which it finds something"},
      {"a case of a rule that is not there", "cases/zero.lua", "return { rule = 'denial.nought', cases = {} }",
       "there is no rule 'denial.nought'"},
      {"a case without expectation", "cases/zero.lua",
       "return { rule = 'denial.zero', cases = { { name = 'clean' } } }", "case 'clean': needs expect"},
      {"a slip in a case", "cases/zero.lua",
       "return { rule = 'denial.zero', cases = { { name = 'clean', claim = { amount = 1 }, expect = 'nothing' } } }",
       "unknown field 'amount'"},
      {"a derived field in a case", "cases/zero.lua",
       "return { rule = 'denial.zero', cases = { { name = 'clean', claim = { line_count = 1 }, expect = 'nothing' } } "
       "}",
       "unknown field 'line_count'"},
      {"dollars in a case", "cases/zero.lua",
       "return { rule = 'denial.zero', cases = { { name = 'clean', claim = { amount_cents = 1.5 }, expect = 'nothing' "
       "} } }",
       "use usd()"},
      {"a date that does not exist", "cases/zero.lua",
       "return { rule = 'denial.zero', cases = { { name = 'clean', claim = { date_of_service = '2026-02-30' }, expect "
       "= 'nothing' } } }",
       "must be a date"},
      {"a case that expects too much", "cases/zero.lua",
       "return { rule = 'denial.zero', cases = {\n { name = 'clean', expect = { probability = 0.5 } } } }",
       "cases/zero.lua:2:12: case 'clean': expected 1 finding(s), the rule found nothing"},
      {"a case that expects another probability", "cases/zero.lua",
       "return { rule = 'denial.zero', cases = { { name = 'z', claim = { amount_cents = 0 }, expect = { probability = "
       "0.6 } } } }",
       "expected probability (in bps) 6000, got 5000"},
      {"a case that expects other terms", "cases/plain.lua",
       "return { rule = 'terms.plain', cases = { { name = 'safe', expect = { decision = 'declined' } } } }",
       "expected decision declined, got approved"},
  };
}

}  // namespace

BOOST_AUTO_TEST_SUITE(loader)

BOOST_AUTO_TEST_CASE(a_sound_bundle_is_published_with_its_digest_and_a_short_version) {
  RuleFolder folder;
  const auto loaded = folder.load();
  BOOST_REQUIRE_MESSAGE(loaded.ruleset, faults_of(loaded));
  BOOST_TEST(loaded.cases.passed == 4);
  BOOST_TEST(loaded.ruleset->stamp.sha256.size() == 64u);
  BOOST_TEST(loaded.ruleset->stamp.version == "1+" + loaded.ruleset->stamp.sha256.substr(0, 8));
  BOOST_TEST(loaded.ruleset->stamp.sha256 == lua::digest_of(folder.path()));
}

BOOST_AUTO_TEST_CASE(the_digest_depends_on_every_name_and_byte_and_on_nothing_else) {
  RuleFolder one, two;
  BOOST_TEST(lua::digest_of(one.path()) == lua::digest_of(two.path()));
  const auto before = lua::digest_of(two.path());
  two.write("README.md", "not a rule");
  two.write("denial/.zero.lua.swp", "an editor's own");
  BOOST_TEST(lua::digest_of(two.path()) == before);
  std::set<std::string> digests = {before};
  two.write("lib/a.lua", "return {}");
  BOOST_TEST(digests.insert(lua::digest_of(two.path())).second);
  std::filesystem::rename(two.path() / "lib/a.lua", two.path() / "lib/b.lua");
  BOOST_TEST(digests.insert(lua::digest_of(two.path())).second);
  two.write("lib/b.lua", "return { }");
  BOOST_TEST(digests.insert(lua::digest_of(two.path())).second);
}

BOOST_AUTO_TEST_CASE(a_byte_order_mark_in_front_of_a_file_is_skipped) {
  const std::string mark = "\xEF\xBB\xBF";
  RuleFolder folder;
  folder.write("lib/a.lua", mark + "return { none = function(amount) return amount == 0 end }");
  folder.write("denial/zero.lua",
               mark + "local a = lib('a')\n" +
                   denial_rule("zero", "if a.none(claim.amount_cents) then return { probability = 0.5 } end"));
  const auto loaded = folder.load();
  BOOST_REQUIRE_MESSAGE(loaded.ruleset, faults_of(loaded));
  BOOST_TEST(loaded.cases.passed == 4);
}

BOOST_AUTO_TEST_CASE(a_syntax_error_is_reported_with_file_line_column_and_the_line_itself) {
  RuleFolder folder;
  folder.write("denial/zero.lua", "return {\n  id = 'denial.zero',\n  rev = = 1,\n}\n");
  const auto loaded = folder.load();
  BOOST_TEST(!loaded.ruleset);
  const std::string text = faults_of(loaded);
  BOOST_TEST(text.starts_with("denial/zero.lua:3:7: unexpected symbol near '='\n  3 |   rev = = 1,\n    |       ^\n"),
             text);
}

BOOST_AUTO_TEST_CASE(all_faults_of_all_files_are_reported_at_once) {
  RuleFolder folder;
  folder.write("params.lua",
               "return {\n  denial_threshold = { value = 7, min = 0, max = 1 },\n  date_quantile = { value = 0.8, min "
               "= 0, max = 1 },\n"
               "  recovery = { value = 0.4, min = 0, max = 1 } }\n");
  folder.write("denial/zero.lua", rule_with("mode = 'live'", "mode = 'life'"));
  folder.write("terms/plain.lua", "return {");
  folder.write("lib/broken.lua", "return }");
  folder.write("denial/forgotten.lua", denial_rule("forgotten", ""));
  const std::string text = faults_of(folder.load());
  for (const char* place :
       {"params.lua:2:3: parameter 'denial_threshold': the value 7 is outside its range 0 to 1",
        "denial/zero.lua:1:47: mode is 'life'", "terms/plain.lua:1:", "lib/broken.lua:1:8: unexpected symbol near '}'",
        "denial/forgotten.lua:1:1: is not listed in ruleset.lua"})
    BOOST_TEST(text.find(place) != std::string::npos, place << " is missing in:\n" << text);
}

BOOST_AUTO_TEST_CASE(each_mistake_is_named) {
  for (const auto& mistakes : {mistakes_in_rules(), mistakes_in_bundles(), mistakes_in_cases()})
    for (const auto& mistake : mistakes) {
      BOOST_TEST_CONTEXT(mistake.name) {
        RuleFolder folder;
        folder.write(mistake.file, mistake.text);
        const auto loaded = folder.load();
        BOOST_TEST(!loaded.ruleset);
        BOOST_TEST(faults_of(loaded).find(mistake.expected) != std::string::npos, "expected \"" << mistake.expected
                                                                                                << "\" in:\n"
                                                                                                << faults_of(loaded));
      }
    }
}

BOOST_AUTO_TEST_CASE(a_link_out_of_the_folder_is_refused_and_one_inside_is_followed) {
  RuleFolder folder, elsewhere;
  std::filesystem::create_directories(folder.path() / ".store");
  std::filesystem::rename(folder.path() / "denial/zero.lua", folder.path() / ".store/zero.lua");
  std::filesystem::create_symlink("../.store/zero.lua", folder.path() / "denial/zero.lua");
  BOOST_TEST(folder.load().ruleset != nullptr);

  std::filesystem::remove(folder.path() / "denial/zero.lua");
  std::filesystem::create_symlink(elsewhere.path() / "denial/zero.lua", folder.path() / "denial/zero.lua");
  const auto loaded = folder.load();
  BOOST_TEST(!loaded.ruleset);
  BOOST_TEST(
      faults_of(loaded).find("denial/zero.lua: is a broken link or a link to a file outside") != std::string::npos,
      faults_of(loaded));

  RuleFolder third;
  std::filesystem::remove_all(third.path() / "denial");
  std::filesystem::create_directory_symlink(elsewhere.path() / "denial", third.path() / "denial");
  BOOST_TEST(faults_of(third.load()).find("denial: is a link to a file outside") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(files_that_are_too_large_or_no_files_are_refused) {
  RuleFolder folder;
  folder.write("lib/large.lua", std::string(200'000, ' '));
  BOOST_TEST(faults_of(folder.load()).find("lib/large.lua: is larger than 128 KiB") != std::string::npos);
  BOOST_TEST(faults_of(lua::load_ruleset(folder.path() / "absent", {kCodes, {}})).find("does not exist") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(libraries_are_shared_read_only_and_loaded_once) {
  RuleFolder folder;
  folder.write("lib/limits.lua",
               "local words = { late = true }\nreturn { is_late = function(word) return words[word] == true end, words "
               "= words }");
  folder.write("denial/zero.lua",
               "local limits = lib('limits')\n" +
                   denial_rule("zero",
                               "if limits.is_late('late') and limits.words.late and not limits.words.soon and "
                               "claim.amount_cents == 0 then return { probability = 0.5 } end"));
  BOOST_TEST(folder.load().ruleset != nullptr, faults_of(folder.load()));
  folder.write("denial/zero.lua", "local limits = lib('limits')\n" + denial_rule("zero", "limits.words.soon = true"));
  BOOST_TEST(faults_of(folder.load()).find("read-only") != std::string::npos);
  folder.write("denial/zero.lua", "local limits = lib('limits')\n" + denial_rule("zero", "return limits.is_lat('x')"));
  BOOST_TEST(faults_of(folder.load()).find("did you mean 'lib('limits').is_late'") != std::string::npos,
             faults_of(folder.load()));
}

BOOST_AUTO_TEST_CASE(libraries_that_load_each_other_are_refused) {
  RuleFolder folder;
  folder.write("lib/a.lua", "local b = lib('b') return {}");
  folder.write("lib/b.lua", "local a = lib('a') return {}");
  BOOST_TEST(faults_of(folder.load()).find("cycle") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_check_for_the_terminal_prints_the_rules_or_the_faults) {
  RuleFolder folder;
  const auto good = lua::check_rules(folder.path(), {kCodes, {}});
  BOOST_TEST(good.ok);
  BOOST_TEST(good.text.find("4 cases passed") != std::string::npos, good.text);
  folder.write("denial/zero.lua", "return {");
  const auto bad = lua::check_rules(folder.path(), {kCodes, {}});
  BOOST_TEST(!bad.ok);
  BOOST_TEST(bad.text.find("Nothing was changed.") != std::string::npos, bad.text);
}

BOOST_AUTO_TEST_SUITE_END()
