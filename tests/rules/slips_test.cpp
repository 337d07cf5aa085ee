// Slips that no case reaches are told nevertheless, and sound code is let alone.
#include <boost/test/unit_test.hpp>

#include "core/lua/source.hpp"
#include "tests/rules/rule_folder.hpp"

using namespace tideover;
using namespace tideover::testing;

namespace {

/// A rule of which the cases reach the first line only.
std::string rule_with_unreached(const std::string& code) {
  return denial_rule("zero", "if claim.amount_cents == 0 then return { probability = 0.5 } end\nif claim.amount_cents > 999999 then\n" + code + "\nend");
}

struct Unreached {
  const char* code;
  const char* expected;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(slips)

BOOST_AUTO_TEST_CASE(a_slip_where_no_case_leads_is_told_with_its_place) {
  const Unreached slips[] = {
      {"return { probability = claim.amout_cents }", "denial/zero.lua:6:30: unknown field 'claim.amout_cents' (did you mean 'claim.amount_cents'?)"},
      {"local n = claim.history.pair_payd", "unknown field 'claim.history.pair_payd' (did you mean 'claim.history.pair_paid'?)"},
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
  for (const auto& slip : slips) {
    BOOST_TEST_CONTEXT(slip.code) {
      RuleFolder folder;
      folder.write("denial/zero.lua", rule_with_unreached(slip.code));
      const auto loaded = folder.load();
      BOOST_TEST(!loaded.ruleset);
      BOOST_TEST(loaded.errors.size() == 1u);
      BOOST_TEST(told(loaded).find(slip.expected) != std::string::npos, told(loaded));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_slip_in_a_library_and_one_in_the_terms_are_told) {
  RuleFolder folder;
  folder.write("lib/some.lua", "local some = {}\nfunction some.of(claim) return claim.anything, nobody end\nreturn some");
  folder.write("terms/plain.lua", terms_rule("if review.denial_probability_bps > 5000 then return { decision = 'declined' } end\n"
                                             "if review.warnings > 90 then return review.warning end\n"
                                             "return { decision = 'approved', advance_percentage = 0.80, fee_percentage = 0.02 }"));
  const auto text = told(folder.load());
  BOOST_TEST(text.find("lib/some.lua:2:48: unknown global 'nobody'") != std::string::npos, text);
  BOOST_TEST(text.find("unknown field 'review.warning' (did you mean 'review.warnings'?)") != std::string::npos, text);
  BOOST_TEST(text.find("field 'claim.anything'") == std::string::npos, text);  // what a library's parameter is nobody knows
}

BOOST_AUTO_TEST_CASE(a_slip_that_a_case_reached_is_told_once) {
  RuleFolder folder;
  folder.write("denial/zero.lua", denial_rule("zero", "if claim.amout_cents == 0 then return { probability = 0.5 } end"));
  BOOST_TEST(folder.load().errors.size() == 1u, told(folder.load()));
}

BOOST_AUTO_TEST_CASE(sound_code_is_let_alone) {
  for (const char* code : {"local claim = { anything = 1 } return claim.anything > 1",
                           "local function of(claim, ...) return claim.anything, ... end return of({}) == nil",
                           "for _, line in ipairs(claim.lines) do local payer = line.history if payer.responses > 3 then return nil end end",
                           "local t = { ['a'] = 1, b = 2; c = { d = 3 }, 4 } t.e = 5 t['f'] = t.b",
                           "local n = 0 while n < 3 do n = n + 1 if n == 2 then break elseif n == 7 then n = 8 else n = n end end repeat local m = n until m > 2",
                           "goto done ::done::",
                           "local s = ('x'):rep(2) .. [[claim.nothing]] .. [==[ ]] nobody ]==] -- claim.nothing",
                           "--[[ nobody\nnobody ]] local a <const>, b = 1, 2 return a + b == 0x1p-3",
                           "local t = {} function t.f(x) return x end function t:g(y) return self, y end",
                           "local far = claim.history.payer_denied_bps // 1 ~= 0 and payer.known or params.recovery > 1e-3",
                           "return select('#', string.byte('x')) == 1 and math.max(1, 2) == usd(1.00) and nil"}) {
    BOOST_TEST_CONTEXT(code) {
      RuleFolder folder;
      folder.write("denial/zero.lua", rule_with_unreached(code));
      const auto loaded = folder.load();
      BOOST_TEST(loaded.ruleset != nullptr, told(loaded));
      BOOST_TEST(loaded.doubts.empty());
    }
  }
}

BOOST_AUTO_TEST_CASE(what_is_declared_for_nothing_is_a_warning_and_keeps_nobody_from_using_the_rules) {
  RuleFolder folder;
  folder.write("lib/some.lua", "return { of = function(claim) return claim.patient_age_from end }");
  auto rule = "local some = lib('some')\n" + denial_rule("zero", "local late = claim.days_to_submission\nif claim.amount_cents == 0 then return { probability = 0.5 } end");
  rule.insert(rule.find("summary"), "needs = { 'lines', 'patient_sex', 'date_of_service', 'patient_age_from' }, ");
  folder.write("denial/zero.lua", rule);
  folder.write("cases/zero.lua", "return { rule = 'denial.zero', cases = {\n  { name = 'clean', expect = 'nothing' },\n"
                                 "  { name = 'zero', claim = { amount_cents = 0, patient_sex = 'F', patient_age_from = 1 }, expect = {} } } }\n");
  folder.write("denial/quiet.lua", denial_rule("quiet", "if claim.amount_cents == 0 then return { probability = 0.5 } end", "off"));
  folder.write("cases/quiet.lua", "return { rule = 'denial.quiet', cases = { { name = 'clean', expect = 'nothing' }, { name = 'zero', claim = { amount_cents = 0 }, expect = {} } } }\n");
  folder.write("ruleset.lua", "return { version = '1', denial = { 'zero', 'quiet' }, terms = 'plain' }");
  const auto checked = lua::check_rules(folder.path(), {kCodes, {}});
  BOOST_TEST(checked.ok, checked.text);
  BOOST_TEST(checked.text.find("denial/zero.lua:3:14: warning: needs 'lines' and never reads it\n  3 |") != std::string::npos, checked.text);
  BOOST_TEST(checked.text.find("warning: needs 'patient_sex' and never reads it") != std::string::npos, checked.text);
  BOOST_TEST(checked.text.find("denial/quiet.lua:1:40: warning: the rule is off and never fires") != std::string::npos, checked.text);
  BOOST_TEST(checked.text.find("needs 'date_of_service'") == std::string::npos, checked.text);
  BOOST_TEST(checked.text.find("needs 'patient_age_from'") == std::string::npos, checked.text);
  BOOST_TEST(checked.text.find("denial/zero.lua:1:7: warning: opens 'some' and never reads it") != std::string::npos, checked.text);
}

BOOST_AUTO_TEST_CASE(parameters_and_payers_that_nothing_comes_of_are_warnings) {
  RuleFolder folder;
  folder.write("params.lua", "return {\n  denial_threshold = { value = 0.50, min = 0, max = 1, unit = 'share' },\n  date_quantile = { value = 0.80, min = 0, max = 1, unit = 'share' },\n"
                             "  recovery = { value = 0.40, min = 0, max = 1, unit = 'share' },\n  some_days = { value = 3, min = 1, max = 9, unit = 'days' },\n"
                             "  limit = { value = 3, min = 1, max = 9 },\n}\n");
  auto rule = denial_rule("zero", "if claim.amount_cents < params.limit then return { probability = 0.5 } end");
  rule.insert(rule.find("summary"), "payers = { 'P1000', 'NOBODY' }, ");
  folder.write("denial/zero.lua", rule);
  folder.write("cases/zero.lua", "return { rule = 'denial.zero', cases = {\n  { name = 'clean', expect = 'nothing' },\n"
                                 "  { name = 'zero', claim = { amount_cents = 0 }, expect = { probability = 0.5 } } } }\n");
  lua::LoadOptions options{kCodes, {}};
  options.knows_payer = [](const std::string& payer) { return payer == "P1000"; };
  const auto checked = lua::check_rules(folder.path(), options);
  BOOST_TEST(checked.ok, checked.text);
  BOOST_TEST(checked.text.find("params.lua:5:3: warning: no rule reads the parameter 'some_days'") != std::string::npos, checked.text);
  BOOST_TEST(checked.text.find("params.lua:6:3: warning: parameter 'limit' does not say its unit") != std::string::npos, checked.text);
  BOOST_TEST(checked.text.find("payers names 'NOBODY', whom no payer directory knows") != std::string::npos, checked.text);
  for (const char* sound : {"'denial_threshold'", "'recovery'", "names 'P1000'", "the parameter 'limit'"}) BOOST_TEST(checked.text.find(sound) == std::string::npos, checked.text);
}

BOOST_AUTO_TEST_CASE(a_unit_says_what_numbers_it_takes) {
  const auto told_of = [](const std::string& param) {
    RuleFolder folder;
    folder.write("params.lua", "return {\n  denial_threshold = { value = 0.50, min = 0, max = 1, unit = 'share' },\n  date_quantile = { value = 0.80, min = 0, max = 1, unit = 'share' },\n"
                               "  recovery = { value = 0.40, min = 0, max = 1, unit = 'share' },\n  limit = { " + param + " },\n}\n");
    return told(folder.load());
  };
  BOOST_TEST(told_of("value = 3, min = 1, max = 9, unit = 'dollars'").find("unit is 'dollars' but must be one of") != std::string::npos);
  BOOST_TEST(told_of("value = 3.5, min = 1, max = 9, unit = 'days'").find("a number of days is whole") != std::string::npos);
  BOOST_TEST(told_of("value = 3, min = 1, max = 9, unit = 'share'").find("a share lies between 0 and 1") != std::string::npos);
  BOOST_TEST(told_of("value = 3, min = 1, max = 9, unit = 'days'") == "");
}

BOOST_AUTO_TEST_CASE(a_stored_bundle_with_a_slip_that_no_case_reaches_still_loads) {
  RuleFolder folder;
  folder.write("denial/zero.lua", rule_with_unreached("return nobody"));
  BOOST_TEST(lua::load_ruleset(lua::read_bundle(folder.path(), {}).bundle, {kCodes, {}}).ruleset != nullptr);
}

BOOST_AUTO_TEST_CASE(words_are_read_as_lua_reads_them) {
  std::string text;
  for (const auto& token : lua::tokens_of("x='a\\'b'--[[c\n]]y\n--z\nreturn 1 ..2~=0x1p+3==[=[ ]] ]=] goto e::e::")) text += std::string(token.text) + '|';
  BOOST_TEST(text == "x|=|'a\\'b'|y|return|1|..|2|~=|0x1p+3|==|[=[ ]] ]=]|goto|e|::|e|::|");
}

BOOST_AUTO_TEST_SUITE_END()
