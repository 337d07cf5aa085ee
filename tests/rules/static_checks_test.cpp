// Mistakes that no case reaches are reported, and correct code passes.
#include <boost/test/unit_test.hpp>

#include "core/lua/vm/source.hpp"
#include "tests/rules/rule_folder.hpp"

using namespace tideover;
using namespace tideover::testing;

namespace {

/// A rule of which the cases reach the first line only.
std::string rule_with_unreached(const std::string& code) {
  return denial_rule(
      "zero",
      "if claim.amount_cents == 0 then return { probability = 0.5 } end\nif claim.amount_cents > 999999 then\n" + code +
          "\nend");
}

struct Unreached {
  const char* code;
  const char* expected;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(static_checks)

BOOST_AUTO_TEST_CASE(a_mistake_that_no_case_reaches_is_reported_with_its_position) {
  const Unreached mistakes[] = {
      {"return { probability = claim.amout_cents }",
       "denial/zero.lua:6:30: unknown field 'claim.amout_cents' (did you mean 'claim.amount_cents'?)"},
      {"local n = claim.history.pair_payd",
       "unknown field 'claim.history.pair_payd' (did you mean 'claim.history.pair_paid'?)"},
      {"return payer.nam", "unknown field 'payer.nam' (did you mean 'payer.name'?)"},
      {"return params.recovry", "unknown field 'params.recovry' (did you mean 'params.recovery'?)"},
      {"return usb(1)", "denial/zero.lua:6:8: unknown global 'usb' (did you mean 'usd'?)"},
      {"local limit = 1 return limt", "unknown global 'limt' (did you mean 'limit'?)"},
      {"count = 1", "denial/zero.lua:6:1: assignment to global 'count': write 'local count'"},
      {"function count() end", "assignment to global 'count'"},
      {"do local inner = 1 end return inner", "unknown global 'inner'"},
      {"for i = 1, 2 do end return i", "unknown global 'i'"},
      {"local t = { key = 1, other = kex }", "unknown global 'kex'"},
      {"return math.flor(1)", "unknown field 'math.flor' (did you mean 'math.floor'?)"},
      {"local f = function(a) return a end return a", "unknown global 'a'"},
  };
  for (const auto& mistake : mistakes) {
    BOOST_TEST_CONTEXT(mistake.code) {
      RuleFolder folder;
      folder.write("denial/zero.lua", rule_with_unreached(mistake.code));
      const auto loaded = folder.load();
      BOOST_TEST(!loaded.ruleset);
      BOOST_TEST(loaded.errors.size() == 1u);
      BOOST_TEST(faults_of(loaded).find(mistake.expected) != std::string::npos, faults_of(loaded));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_float_in_cents_is_reported_with_its_position) {
  const Unreached mistakes[] = {
      {"return claim.amount_cents >= 10000.00",
       "denial/zero.lua:6:30: cents are compared with a float; amounts are whole cents: write usd(10000.00)"},
      {"return 1e4 < claim.amount_cents", "denial/zero.lua:6:8: cents are compared with a float"},
      {"return claim.lines_total_cents == -.5", "denial/zero.lua:6:35: cents are compared with a float"},
      {"local limit = 10000.00 return claim.amount_cents > limit",
       "denial/zero.lua:6:52: cents are compared with a float"},
      {"local limits = { large = 10000.00 } return claim.amount_cents > limits.large",
       "6:65: cents are compared with a float"},
      {"local function limit() return 10000.00 end return claim.amount_cents > limit()",
       "6:72: cents are compared with a float"},
      {"return claim.amount_cents > 100 * 100.00", "6:29: cents are compared with a float"},
      {"return claim.amount_cents > params.recovery", "6:29: cents are compared with a float"},
      {"return not (claim.amount_cents ~= 10.5)", "6:35: cents are compared with a float"},
      {"for _, line in ipairs(claim.lines) do if line.amount_cents > 99.99 then return nil end end",
       "6:62: cents are compared with a float"},
      {"local f = function() return claim.amount_cents > 1.5 end", "6:50: cents are compared with a float"},
      {"return usd(5.00) > 4.99", "6:20: cents are compared with a float"},
      {"return claim.amount_cents + 0.5 > usd(1.00)", "6:29: a float is added to or subtracted from cents"},
      {"return math.max(claim.amount_cents, 100.00) == 1", "6:37: cents are compared with a float"},
      {"local c = claim.amount_cents or 100.00", "6:33: this is an amount in cents or a float"},
      {"return { probability = 0.5, amount_at_risk_cents = claim.amount_cents * 0.8 }",
       "6:52: 'amount_at_risk_cents' becomes a float; amounts are whole cents: use basis points and //"},
      {"return { probability = 0.5, amount_at_risk_cents = claim.amount_cents * params.recovery }",
       "6:52: 'amount_at_risk_cents' becomes a float"},
      {"return { probability = 0.5, amount_at_risk_cents = 100.00 }",
       "6:52: 'amount_at_risk_cents' becomes a float; amounts are whole cents: write usd(100.00)"},
      {"local half_cents = claim.amount_cents / 2", "6:20: 'half_cents' becomes a float"},
      {"local part = claim.amount_cents * 0.8 local x = { amount_at_risk_cents = part }",
       "6:74: 'amount_at_risk_cents' becomes a float"},
      {"local function f(limit_cents) return claim.amount_cents > limit_cents end return f(10000.00)",
       "6:84: 'limit_cents' becomes a float"},
      {"return claim.amount_cents > usd(claim.lines_total_cents)",
       "6:33: usd() needs dollars; this is already an amount in cents"},
  };
  for (const auto& mistake : mistakes) {
    BOOST_TEST_CONTEXT(mistake.code) {
      RuleFolder folder;
      folder.write("denial/zero.lua", rule_with_unreached(mistake.code));
      const auto loaded = folder.load();
      BOOST_TEST(!loaded.ruleset);
      BOOST_TEST(loaded.errors.size() == 1u);
      BOOST_TEST(faults_of(loaded).find(mistake.expected) != std::string::npos, faults_of(loaded));
    }
  }
}

BOOST_AUTO_TEST_CASE(correct_arithmetic_with_cents_passes) {
  for (const char* code : {
           "return claim.amount_cents >= usd(10000.00)",
           "return claim.amount_cents >= 1000000",
           "return claim.amount_cents * 8000 // 10000 > usd(1.00)",
           "return claim.amount_cents * 0.8 > claim.lines_total_cents",
           "return claim.amount_cents / claim.lines_total_cents > 0.5",
           "return claim.amount_cents / 100 >= 10000.00",
           "return { probability = 0.95, amount_at_risk_cents = claim.amount_cents // 2 }",
           "return { probability = 0.95, amount_at_risk_cents = math.floor(claim.amount_cents * 0.8) }",
           "return { probability = params.recovery, amount_at_risk_cents = math.max(claim.amount_cents, usd(1.50)) }",
           "local t = {} t[1] = 0.5 for i = 1, #t do t[i] = t[i] * 2.5 end repeat local x = 0.5 until x > 0.1",
           "local function share(part, whole) return part / whole end return share(claim.amount_cents, "
           "claim.lines_total_cents) > 0.5",
       }) {
    BOOST_TEST_CONTEXT(code) {
      RuleFolder folder;
      folder.write("denial/zero.lua", rule_with_unreached(code));
      const auto loaded = folder.load();
      BOOST_TEST(loaded.ruleset != nullptr, faults_of(loaded));
    }
  }
}

BOOST_AUTO_TEST_CASE(floats_beside_cents_are_reported_in_parameters_terms_and_libraries_too) {
  RuleFolder folder;
  folder.write("lib/some.lua",
               "local some = {}\nfunction some.of(claim) return claim.amount_cents > 5.00 end\nreturn some");
  folder.write("terms/plain.lua",
               terms_rule("if review.expected_cents > 1000.00 then return { decision = 'declined' } end\n"
                          "return { decision = 'approved', advance_percentage = 0.80, fee_percentage = 0.02 }"));
  folder.write(
      "params.lua",
      "return { denial_threshold = { value = 0.5, min = 0, max = 1 }, date_quantile = { value = 0.8, min = 0, max = 1 "
      "},\n"
      "recovery = { value = 0.4, min = 0, max = 1 },\nlimit_cents = { value = 5000.50, min = 0, max = 10000 } }");
  const auto text = faults_of(folder.load());
  for (const char* part : {"lib/some.lua:2:53: cents are compared with a float",
                           "cents are compared with a float; amounts are whole cents: write usd(1000.00)",
                           "params.lua:3:1: parameter 'limit_cents' is a float"})
    BOOST_TEST(text.find(part) != std::string::npos, text);
}

BOOST_AUTO_TEST_CASE(a_text_that_is_not_utf8_is_reported_with_its_position_and_a_comment_may_hold_any_bytes) {
  RuleFolder folder;
  folder.write("denial/zero.lua", "-- Andr\xe9\n" + rule_with_unreached("return nil"));
  BOOST_TEST(folder.load().ruleset != nullptr, faults_of(folder.load()));

  auto rule = rule_with_unreached("return { probability = 0.5, note = 'Andr\xe9' }");
  folder.write("denial/zero.lua", rule);
  const auto unreached = faults_of(folder.load());
  BOOST_TEST(
      unreached.find("denial/zero.lua:6:41: this text is not UTF-8: save the file as UTF-8") != std::string::npos,
      unreached);

  const auto at = rule.find("summary = '");
  BOOST_REQUIRE(at != std::string::npos);
  rule = rule_with_unreached("return nil");
  rule.insert(rule.find("summary = '") + 11, "\\xe9");
  folder.write("denial/zero.lua", rule);
  const auto escaped = faults_of(folder.load());
  BOOST_TEST(escaped.find("summary is not UTF-8: its escapes are not valid characters") != std::string::npos, escaped);
}

BOOST_AUTO_TEST_CASE(a_note_that_is_cut_inside_a_character_is_a_fault) {
  RuleFolder folder;
  folder.write(
      "denial/zero.lua",
      denial_rule("zero",
                  "if claim.amount_cents == 0 then return { probability = 0.5, note = ('\u00e9'):sub(1, 1) } end"));
  const auto text = faults_of(folder.load());
  BOOST_TEST(text.find("note is not UTF-8") != std::string::npos, text);
}

BOOST_AUTO_TEST_CASE(a_byte_order_mark_is_skipped_and_positions_stay_right) {
  RuleFolder plain, marked;
  marked.write("denial/zero.lua", "\xef\xbb\xbf" + rule_with_unreached("return nil"));
  plain.write("denial/zero.lua", rule_with_unreached("return nil"));
  BOOST_TEST(marked.load().ruleset != nullptr, faults_of(marked.load()));
  BOOST_TEST(lua::digest_of(marked.path()) == lua::digest_of(plain.path()));

  marked.write("denial/zero.lua", "\xef\xbb\xbfreturn claim.amount_cents >");
  const auto text = faults_of(marked.load());
  BOOST_TEST(text.find("denial/zero.lua:1:") != std::string::npos, text);
  BOOST_TEST(text.find("\xef\xbb\xbf") == std::string::npos, text);

  marked.write("denial/zero.lua", std::string("\xff\xfer\0e\0", 6));
  BOOST_TEST(faults_of(marked.load()).find("denial/zero.lua: is UTF-16: save it as UTF-8") != std::string::npos,
             faults_of(marked.load()));
}

BOOST_AUTO_TEST_CASE(mistakes_in_a_library_and_in_the_terms_are_reported) {
  RuleFolder folder;
  folder.write("lib/some.lua",
               "local some = {}\nfunction some.of(claim) return claim.anything, absent end\nreturn some");
  folder.write("terms/plain.lua",
               terms_rule("if review.denial_probability_bps > 5000 then return { decision = 'declined' } end\n"
                          "if review.warnings > 90 then return review.warning end\n"
                          "return { decision = 'approved', advance_percentage = 0.80, fee_percentage = 0.02 }"));
  const auto text = faults_of(folder.load());
  BOOST_TEST(text.find("lib/some.lua:2:48: unknown global 'absent'") != std::string::npos, text);
  BOOST_TEST(text.find("unknown field 'review.warning' (did you mean 'review.warnings'?)") != std::string::npos, text);
  BOOST_TEST(text.find("field 'claim.anything'") == std::string::npos,
             text);  // the type of a library's parameter is not known
}

BOOST_AUTO_TEST_CASE(a_mistake_that_a_case_reached_is_reported_once) {
  RuleFolder folder;
  folder.write("denial/zero.lua",
               denial_rule("zero", "if claim.amout_cents == 0 then return { probability = 0.5 } end"));
  BOOST_TEST(folder.load().errors.size() == 1u, faults_of(folder.load()));
}

BOOST_AUTO_TEST_CASE(correct_code_passes) {
  for (const char* code :
       {"local claim = { anything = 1 } return claim.anything > 1",
        "local function of(claim, ...) return claim.anything, ... end return of({}) == nil",
        "for _, line in ipairs(claim.lines) do local payer = line.history if payer.responses > 3 then return nil end "
        "end",
        "local t = { ['a'] = 1, b = 2; c = { d = 3 }, 4 } t.e = 5 t['f'] = t.b",
        "local n = 0 while n < 3 do n = n + 1 if n == 2 then break elseif n == 7 then n = 8 else n = n end end repeat "
        "local m = n until m > 2",
        "goto done ::done::", "local s = ('x'):rep(2) .. [[claim.nothing]] .. [==[ ]] absent ]==] -- claim.nothing",
        "--[[ absent\nabsent ]] local a <const>, b = 1, 2 return a + b == 0x1p-3",
        "local t = {} function t.f(x) return x end function t:g(y) return self, y end",
        "local far = claim.history.payer_denied_bps // 1 ~= 0 and payer.known or params.recovery > 1e-3",
        "return select('#', string.byte('x')) == 1 and math.max(1, 2) == usd(1.00) and nil"}) {
    BOOST_TEST_CONTEXT(code) {
      RuleFolder folder;
      folder.write("denial/zero.lua", rule_with_unreached(code));
      const auto loaded = folder.load();
      BOOST_TEST(loaded.ruleset != nullptr, faults_of(loaded));
      BOOST_TEST(loaded.doubts.empty());
    }
  }
}

BOOST_AUTO_TEST_CASE(an_unused_declaration_is_a_warning_and_does_not_block_the_rules) {
  RuleFolder folder;
  folder.write("lib/some.lua", "return { of = function(claim) return claim.patient_age_from end }");
  auto rule =
      "local some = lib('some')\n" +
      denial_rule(
          "zero",
          "local late = claim.days_to_submission\nif claim.amount_cents == 0 then return { probability = 0.5 } end");
  rule.insert(rule.find("summary"), "needs = { 'lines', 'patient_sex', 'date_of_service', 'patient_age_from' }, ");
  folder.write("denial/zero.lua", rule);
  folder.write(
      "cases/zero.lua",
      "return { rule = 'denial.zero', cases = {\n  { name = 'clean', expect = 'nothing' },\n"
      "  { name = 'zero', claim = { amount_cents = 0, patient_sex = 'F', patient_age_from = 1 }, expect = {} } } }\n");
  folder.write("denial/quiet.lua",
               denial_rule("quiet", "if claim.amount_cents == 0 then return { probability = 0.5 } end", "off"));
  folder.write("cases/quiet.lua",
               "return { rule = 'denial.quiet', cases = { { name = 'clean', expect = 'nothing' }, { name = 'zero', "
               "claim = { amount_cents = 0 }, expect = {} } } }\n");
  folder.write("ruleset.lua", "return { version = '1', denial = { 'zero', 'quiet' }, terms = 'plain' }");
  const auto checked = lua::check_rules(folder.path(), {kCodes, {}});
  BOOST_TEST(checked.ok, checked.text);
  BOOST_TEST(
      checked.text.find("denial/zero.lua:3:14: warning: needs 'lines' and never reads it\n  3 |") != std::string::npos,
      checked.text);
  BOOST_TEST(checked.text.find("warning: needs 'patient_sex' and never reads it") != std::string::npos, checked.text);
  BOOST_TEST(checked.text.find("denial/quiet.lua:1:40: warning: the rule is off and never fires") != std::string::npos,
             checked.text);
  BOOST_TEST(checked.text.find("needs 'date_of_service'") == std::string::npos, checked.text);
  BOOST_TEST(checked.text.find("needs 'patient_age_from'") == std::string::npos, checked.text);
  BOOST_TEST(checked.text.find("denial/zero.lua:1:7: warning: opens 'some' and never reads it") != std::string::npos,
             checked.text);
}

BOOST_AUTO_TEST_CASE(parameters_and_payers_without_effect_are_warnings) {
  RuleFolder folder;
  folder.write("params.lua",
               "return {\n  denial_threshold = { value = 0.50, min = 0, max = 1, unit = 'share' },\n  date_quantile = "
               "{ value = 0.80, min = 0, max = 1, unit = 'share' },\n"
               "  recovery = { value = 0.40, min = 0, max = 1, unit = 'share' },\n  some_days = { value = 3, min = 1, "
               "max = 9, unit = 'days' },\n"
               "  limit = { value = 3, min = 1, max = 9 },\n}\n");
  auto rule = denial_rule("zero", "if claim.amount_cents < params.limit then return { probability = 0.5 } end");
  rule.insert(rule.find("summary"), "payers = { 'P1000', 'ABSENT' }, ");
  folder.write("denial/zero.lua", rule);
  folder.write("cases/zero.lua",
               "return { rule = 'denial.zero', cases = {\n  { name = 'clean', expect = 'nothing' },\n"
               "  { name = 'zero', claim = { amount_cents = 0 }, expect = { probability = 0.5 } } } }\n");
  lua::LoadOptions options{kCodes, {}};
  options.knows_payer = [](const std::string& payer) { return payer == "P1000"; };
  const auto checked = lua::check_rules(folder.path(), options);
  BOOST_TEST(checked.ok, checked.text);
  BOOST_TEST(checked.text.find("params.lua:5:3: warning: no rule reads the parameter 'some_days'") != std::string::npos,
             checked.text);
  BOOST_TEST(checked.text.find("params.lua:6:3: warning: parameter 'limit' has no unit") != std::string::npos,
             checked.text);
  BOOST_TEST(checked.text.find("payers names 'ABSENT', which no payer directory has") != std::string::npos,
             checked.text);
  for (const char* sound : {"'denial_threshold'", "'recovery'", "names 'P1000'", "the parameter 'limit'"})
    BOOST_TEST(checked.text.find(sound) == std::string::npos, checked.text);
}

BOOST_AUTO_TEST_CASE(a_unit_says_what_numbers_it_takes) {
  const auto faults_of_param = [](const std::string& param) {
    RuleFolder folder;
    folder.write("params.lua",
                 "return {\n  denial_threshold = { value = 0.50, min = 0, max = 1, unit = 'share' },\n  date_quantile "
                 "= { value = 0.80, min = 0, max = 1, unit = 'share' },\n"
                 "  recovery = { value = 0.40, min = 0, max = 1, unit = 'share' },\n  limit = { " +
                     param + " },\n}\n");
    return faults_of(folder.load());
  };
  BOOST_TEST(
      faults_of_param("value = 3, min = 1, max = 9, unit = 'dollars'").find("unit is 'dollars' but must be one of") !=
      std::string::npos);
  BOOST_TEST(faults_of_param("value = 3.5, min = 1, max = 9, unit = 'days'").find("a number of days must be whole") !=
             std::string::npos);
  BOOST_TEST(faults_of_param("value = 3, min = 1, max = 9, unit = 'share'")
                 .find("a share and its range must be between 0 and 1") != std::string::npos);
  BOOST_TEST(faults_of_param("value = 3, min = 1, max = 9, unit = 'days'") == "");
}

BOOST_AUTO_TEST_CASE(a_stored_bundle_with_a_mistake_that_no_case_reaches_still_loads) {
  RuleFolder folder;
  folder.write("denial/zero.lua", rule_with_unreached("return absent"));
  BOOST_TEST(lua::load_ruleset(lua::read_bundle(folder.path(), {}).bundle, {kCodes, {}}).ruleset != nullptr);
}

BOOST_AUTO_TEST_CASE(words_are_read_as_lua_reads_them) {
  const std::vector<std::string> expected{"x",      "=",  "'a\\'b'",    "y",    "return", "1",  "..", "2", "~=",
                                          "0x1p+3", "==", "[=[ ]] ]=]", "goto", "e",      "::", "e",  "::"};
  std::vector<std::string> tokens;
  for (const auto& token : lua::tokens_of("x='a\\'b'--[[c\n]]y\n--z\nreturn 1 ..2~=0x1p+3==[=[ ]] ]=] goto e::e::"))
    tokens.emplace_back(token.text);
  BOOST_TEST(tokens == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
