// Scripts that try to hang, to fill the memory, to get out or to lie. Each must end soon, as a named fault, and leave
// the other rules and the next claim untouched. The rules are run without the loader's cases, as after a publication.
#include <boost/test/unit_test.hpp>

#include <time.h>

#include <chrono>
#include <iterator>

#include "tests/fault/figure.hpp"
#include "tests/rules/rule_folder.hpp"

using namespace tideover;
using namespace tideover::testing;

namespace {

/// A ruleset of rules that no loader checked.
std::shared_ptr<const lua::Ruleset> unchecked(const std::vector<std::pair<std::string, std::string>>& rules,
                                              const std::string& terms = "return { decision = 'declined' }") {
  auto bundle = std::make_shared<lua::Bundle>();
  auto ruleset = std::make_shared<lua::Ruleset>();
  for (const auto& [name, text] : rules) {
    lua::DenialRule rule;
    rule.id = "denial." + name;
    rule.file = "denial/" + name + ".lua";
    rule.code = "16";
    bundle->files[rule.file] = text;
    ruleset->denial.push_back(std::move(rule));
  }
  bundle->files["terms/plain.lua"] = terms_rule(terms);
  ruleset->terms = {"terms.plain", "terms/plain.lua", 1};
  ruleset->params = {{"limit", std::int64_t{365}}};
  ruleset->bundle = std::move(bundle);
  return ruleset;
}

struct Script {
  const char* name;
  const char* body;       // of evaluate
  const char* expected;   // part of the fault
  const char* head = "";  // before the rule's return
};

constexpr auto kSoon = std::chrono::milliseconds(100);

const Script kScripts[] = {
    {"an endless loop", "while true do end", "instructions"},
    {"a goto loop", "::again:: goto again", "instructions"},
    {"nested loops", "local n = 0 for i = 1, 1e9 do for j = 1, 1e9 do n = n + j end end", "instructions"},
    {"a loop over all integers", "for i = math.mininteger, math.maxinteger do end", "instructions"},
    {"a repeat loop", "repeat until false", "instructions"},
    {"a loop with a huge float step", "for i = 1, 1e308, 0.1 do end", "instructions"},
    {"deep recursion", "local function f(n) return 1 + f(n + 1) end return f(0)", "stack overflow|memory|time"},
    {"endless tail calls", "local function f() return f() end return f()", "instructions"},
    {"tail calls with growing arguments", "local function f(...) return f(1, ...) end return f()",
     "memory|instructions|time"},
    {"mutual recursion", "local f, g; function f() return g() .. 'x' end function g() return f() .. 'y' end return f()",
     "stack overflow|memory|time"},
    {"a text that doubles", "local s = 'x' while true do s = s .. s end", "memory"},
    {"a text that grows by one", "local s = '' while true do s = s .. 'x' end", "memory|instructions"},
    {"many long comparisons",
     "local a, b = 'x', 'x' for i = 1, 18 do a = a .. a b = b .. b end while true do if a < b then return end end",
     "memory|instructions|time"},
    {"rep with a huge count", "return string.rep('x', 1e15)", "longer than|representation"},
    {"rep of nothing with a huge count", "return string.rep('', math.maxinteger)", "longer than"},
    {"rep as a method", "return ('x'):rep(1e9)", "longer than"},
    {"rep in a loop", "while true do local s = ('x'):rep(4096) end", "memory|instructions"},
    {"upper of a long text in a loop", "local s = ('x'):rep(4096) while true do local u = s:upper() end",
     "memory|instructions"},
    {"find that never fits",
     "local s, p = ('a'):rep(4096), ('a'):rep(2048) .. 'b' while true do local x = s:find(p) end", "instructions"},
    {"bytes of a long text in a loop",
     "local s = ('x'):rep(4096) while true do local x = select('#', s:byte(1, -1)) end", "instructions"},
    {"text functions on a text that is too long", "local s = ('x'):rep(4096) return (s .. 'x'):upper()", "too long"},
    {"a table that grows", "local t = {} while true do t[#t + 1] = {} end", "memory"},
    {"a table with huge keys", "local t = {} for i = 1, 1e9 do t[i * 1e9] = i end", "memory|instructions"},
    {"a table that holds itself, again and again", "local t = {} while true do t = { t, t } end", "memory"},
    {"closures without end", "local t = {} while true do t[#t + 1] = function() return t end end", "memory"},
    {"pairs over a large table",
     "local t = {} for i = 1, 20000 do t[i] = i end while true do for k in pairs(t) do break end end",
     "memory|instructions"},
    {"varargs without end", "local function f(...) return select('#', ...) + f(...) end return f(1, 2, 3)",
     "stack overflow|memory|instructions"},
    {"pcall around a loop", "while true do pcall(function() while true do end end) end", "unknown global 'pcall'"},
    {"xpcall", "xpcall(evaluate, error)", "unknown global 'xpcall'"},
    {"coroutines", "coroutine.wrap(function() end)()", "unknown global 'coroutine'"},
    {"load", "load('return 1')()", "unknown global 'load'"},
    {"require", "require('os')", "unknown global 'require'"},
    {"dofile", "dofile('/etc/passwd')", "unknown global 'dofile'"},
    {"package", "return package.loaded.os", "unknown global 'package'"},
    {"debug", "debug.sethook()", "unknown global 'debug'"},
    {"os", "os.exit(1)", "unknown global 'os'"},
    {"io", "io.open('/etc/passwd')", "unknown global 'io'"},
    {"the globals table", "return _G.os", "unknown global '_G'"},
    {"the collector", "collectgarbage('stop')", "unknown global 'collectgarbage'"},
    {"metatables", "setmetatable({}, { __gc = function() while true do end end })", "unknown global 'setmetatable'"},
    {"the metatable of texts", "getmetatable('').__index = nil", "unknown global 'getmetatable'"},
    {"rawset", "rawset(string, 'len', nil)", "unknown global 'rawset'"},
    {"next, whose order differs from run to run", "return next({ a = 1 })", "unknown global 'next'"},
    {"table.move", "table.move({}, 1, 1e15, 2)", "attempt to index a function value (global 'table')"},
    {"bytecode", "return string.dump(function() end)", "unknown field 'string.dump'"},
    {"gsub", "return ('x'):gsub('.-', '')", "unknown field 'string.gsub'"},
    {"match", "return ('a'):rep(28):match('a?')", "unknown field 'string.match'"},
    {"format", "return string.format('%99999d', 1)", "unknown field 'string.format'"},
    {"random numbers", "return math.random()", "unknown field 'math.random'"},
    {"a global", "count = 1", "assignment to global 'count'"},
    {"a global through _ENV", "_ENV.count = 1", "assignment to global 'count'"},
    {"a global without a name, whose address differs from run to run", "_ENV[claim] = 1", "globals must have names"},
    {"a change of string", "string.len = nil", "string is read-only"},
    {"a change of the claim", "claim.amount_cents = 0", "claim is read-only"},
    {"a change of a line", "claim.lines[1].cpt = '99999'", "line is read-only"},
    {"a change of the lines", "claim.lines[2] = {}", "claim.lines is read-only"},
    {"a change of the parameters", "params.limit = 1", "params is read-only"},
    {"a counter between calls", "count = count + 1", "keep nothing between claims", "local count = 0\n"},
    {"a list between calls", "seen[#seen + 1] = 1", "read-only", "local seen = {}\n"},
    {"a claim kept between calls", "kept = claim", "keep nothing between claims", "local kept\n"},
    {"an environment of its own that stays", "_ENV = {}", "keep nothing between claims"},
    {"a loading inside evaluate", "return lib('x')", "must be at the top of the file"},
    {"a slip in a field", "return claim.amout_cents", "did you mean 'claim.amount_cents'"},
    {"the chart identifier", "return claim.chart_identifier", "unknown field 'claim.chart_identifier'"},
    {"a slip in a parameter", "return params.limt", "did you mean 'params.limit'"},
    {"error with a table", "error({})", "error() was called with a table"},
    {"error with nil", "error(nil)", "error() was called with a nil"},
    {"an uncalled nil", "local f f()", "attempt to call a nil value"},
    {"arithmetic on text", "return '1' + 1", "attempt to perform arithmetic on a string"},
    {"a number as result", "return 0.5", "must return nil, a finding or a list"},
    {"a function as result", "return function() end", "must return nil, a finding or a list"},
    {"a claim as result", "return claim", "must return nil, a finding or a list"},
    {"NaN", "return { probability = 0 / 0 }", "probability must be above 0"},
    {"an infinite probability", "return { probability = 1 / 0 }", "probability must be above 0"},
    {"a negative probability", "return { probability = -0.1 }", "probability must be above 0"},
    {"a probability above one", "return { probability = 97 }", "at most 1"},
    {"a probability as text", "return { probability = '0.97' }", "probability must be a number"},
    {"a slip in a finding", "return { probabilty = 0.5 }", "did you mean 'probability'"},
    {"a finding without probability", "return { line = 1 }", "needs the field 'probability'"},
    {"a line that is not there", "return { probability = 0.5, line = 2 }", "the claim has 1 lines"},
    {"a float for cents", "return { probability = 0.5, amount_at_risk_cents = 12.5 }", "use usd()"},
    {"a float that is whole", "return { probability = 0.5, amount_at_risk_cents = 12.0 }", "use usd()"},
    {"negative cents", "return { probability = 0.5, amount_at_risk_cents = -1 }", "not a valid amount of a claim"},
    {"half a cent", "return { probability = 0.5, amount_at_risk_cents = usd(0.005) }", "whole number of cents"},
    {"pct of a float", "return { probability = 0.5, amount_at_risk_cents = pct(100.5, 80) }", "integer cents"},
    {"a list with a number in it", "return { { probability = 0.5 }, 1 }", "must be a table, not a number"},
    {"a long note", "return { probability = 0.5, note = ('x'):rep(201) }", "note is longer"},
    {"iterating the claim", "for k in pairs(claim) do end", "table expected"},
    {"pairs with odd keys", "for k in pairs({ [true] = 1 }) do end", "strings or numbers"},
};

/// Of this thread: a busy test machine makes no script look slow.
std::chrono::microseconds processor_time() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::microseconds(now.tv_nsec / 1000);
}

bool tells_one_of(const std::string& text, const std::string& wanted) {
  for (std::size_t from = 0; from <= wanted.size();) {
    const auto bar = std::min(wanted.find('|', from), wanted.size());
    if (text.find(wanted.substr(from, bar - from)) != std::string::npos) return true;
    from = bar + 1;
  }
  return false;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(sandbox)

BOOST_AUTO_TEST_CASE(every_evil_script_ends_soon_with_a_fault_and_affects_no_other) {
  const TestClaim claim;
  for (const auto& script : kScripts) {
    BOOST_TEST_CONTEXT(script.name) {
      const std::string good = denial_rule("good", "return { probability = 0.25 }");
      lua::Engine engine(
          unchecked({{"before", good}, {"evil", script.head + denial_rule("evil", script.body)}, {"after", good}}));
      for (int round = 1; round <= 2; ++round) {  // the second claim meets the state that the first one left
        const auto began = processor_time();
        const auto assessed = engine.assess_denial(claim.facts());
        const auto took = processor_time() - began;
        BOOST_CHECK_MESSAGE(took <= kSoon, "round " << round << " took " << took.count() << " us");
        BOOST_REQUIRE_MESSAGE(assessed.faults.size() == 1,
                              "round " << round << ": " << assessed.faults.size() << " faults");
        BOOST_TEST(assessed.faults[0].rule_id == "denial.evil");
        BOOST_CHECK_MESSAGE(tells_one_of(assessed.faults[0].problem, script.expected), assessed.faults[0].problem);
        BOOST_TEST(assessed.findings.size() == 2u);
      }
    }
  }
  test::survived("R21", std::size(kScripts), 40,
                 "evil scripts, the escapes of a Lua sandbox among them: each ends within 100 ms of processor time as "
                 "a named fault, which is manual review, and no other rule is affected");
}

BOOST_AUTO_TEST_CASE(a_terms_rule_that_errs_or_lies_goes_to_manual_review) {
  const Script scripts[] = {
      {"nothing", "return nil", "must be a table"},
      {"no decision", "return { advance_percentage = 0.8 }", "needs the field 'decision'"},
      {"an unknown decision", "return { decision = 'yes' }", "must be one of"},
      {"approval without terms", "return { decision = 'approved' }", "needs the field 'advance_percentage'"},
      {"NaN", "return { decision = 'approved', advance_percentage = 0 / 0, fee_percentage = 0.02 }",
       "share between 0 and 1"},
      {"percent for share", "return { decision = 'approved', advance_percentage = 80, fee_percentage = 0.02 }",
       "share between 0 and 1"},
      {"finer than a basis point",
       "return { decision = 'approved', advance_percentage = 0.80001, fee_percentage = 0.02 }", "four decimals"},
      {"a negative fee", "return { decision = 'approved', advance_percentage = 0.8, fee_percentage = -0.02 }",
       "share between 0 and 1"},
      {"a loop", "while true do end", "instructions"},
      {"a slip", "return { decision = 'approved', advance_percent = 0.8, fee_percentage = 0.02 }",
       "advance_percentage"},
      {"reasons as text", "return { decision = 'declined', reasons = 'risk' }", "list of strings"},
      {"the claim, which terms do not see", "return claim.amount_cents", "unknown global 'claim'"},
      {"a share where basis points are expected", "return review.expected_loss_bps(0.80)",
       "review.expected_loss_bps needs basis points"},
      {"more than everything", "return review.shortfall_bps(10001)", "review.shortfall_bps needs basis points"},
      {"a missing cap", "return review.largest_advance_bps(8000, 200)",
       "review.largest_advance_bps needs basis points"},
  };
  const auto review = test_review();
  for (const auto& script : scripts) {
    BOOST_TEST_CONTEXT(script.name) {
      lua::Engine engine(unchecked({}, script.body));
      const auto terms = engine.propose_terms({review, "RTP", domain::Date::from_ymd(2026, 6, 15).value()});
      BOOST_TEST((terms.proposal.decision == domain::Decision::manual_review));
      BOOST_TEST(terms.proposal.advance_bps == 0);
      BOOST_REQUIRE(terms.faults.size() == 1u);
      BOOST_CHECK_MESSAGE(tells_one_of(terms.faults[0].problem, script.expected), terms.faults[0].problem);
    }
  }
}

BOOST_AUTO_TEST_CASE(bytecode_is_not_loaded_even_as_a_rule_file) {
  RuleFolder folder;
  folder.write("denial/zero.lua", std::string("\x1bLua\x54\x00\x19\x93\r\n\x1a\n", 12));
  const auto loaded = folder.load();
  BOOST_TEST(!loaded.ruleset);
  BOOST_TEST(faults_of(loaded).find("binary chunk") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(evil_top_levels_of_files_end_the_load_soon) {
  for (const char* text : {"while true do end", "local t = {} while true do t[#t + 1] = ('x'):rep(4096) end",
                           "local t = {} t.t = t for i = 1, 1e9 do t = { t } end return t", "return lib('circle')",
                           "x = 1", "return function() end", "", "return {}", "return nil, nil"}) {
    BOOST_TEST_CONTEXT(text) {
      RuleFolder folder;
      folder.write("denial/zero.lua", text);
      folder.write("lib/circle.lua", "return lib('circle')");
      const auto began = std::chrono::steady_clock::now();
      const auto loaded = folder.load();
      BOOST_TEST((std::chrono::steady_clock::now() - began < std::chrono::seconds(1)));
      BOOST_TEST(!loaded.ruleset);
      BOOST_TEST(!loaded.errors.empty());
    }
  }
}

BOOST_AUTO_TEST_CASE(an_iterator_that_outlives_its_loop_would_count_claims) {
  const std::string tick = "local tick = pairs({ 1, 2, 3 })\n",
                    list = "local list = { deep = { (pairs({ { n = 0 } })) } }\n";
  const std::pair<const char*, std::string> kept[] = {
      {"denial/zero.lua", tick + denial_rule("zero", "return tick() and { probability = 0.2 }")},
      {"denial/zero.lua",
       list + denial_rule("zero", "local _, row = list.deep[1]() return row and { probability = 0.2 }")},
      {"lib/counting.lua", tick + "return { tick = function() return tick() end }"}};
  for (const auto& [file, text] : kept) {
    RuleFolder folder;
    folder.write(file, text);
    const auto loaded = folder.load();
    BOOST_TEST(!loaded.ruleset, text);
    BOOST_TEST(faults_of(loaded).find("keeps what pairs() returned") != std::string::npos, faults_of(loaded));
  }
}

BOOST_AUTO_TEST_CASE(a_rule_for_lines_has_one_budget_for_all_of_them) {
  const auto of_each_line = [](const char* body) {
    auto text = denial_rule("evil", body);
    text.insert(text.find("(claim, payer") + 1, "line, ");
    auto rules = std::make_shared<lua::Ruleset>(*unchecked({{"evil", text}}));
    rules->denial[0].asks_lines = true;
    return rules;
  };
  TestClaim claim;
  claim.claim.service_lines.resize(50, claim.claim.service_lines.front());
  // Each another one, and looked at: of alike ones a rule that said nothing is asked once.
  for (std::int64_t i = 0; auto& line : claim.claim.service_lines) line.amount = domain::Money::cents(++i);
  const auto judge = [&](const char* body) {
    lua::Engine engine(of_each_line(body));
    const auto began = processor_time();
    auto assessed = engine.assess_denial(claim.facts());
    BOOST_CHECK_MESSAGE(processor_time() - began <= kSoon,
                        body << " took " << (processor_time() - began).count() << " us");
    return assessed;
  };
  // Long comparisons cost much for few instructions: the processor's time is what ends them.
  const auto slow = judge(
      "local own = line.amount_cents local a, b = 'x', 'x' for i = 1, 18 do a = a .. a b = b .. b end "
      "for i = 1, 300 do local all = a <= b and a <= b and a <= b and a <= b and a <= b and a <= b end");
  BOOST_REQUIRE(slow.faults.size() == 1u);
  BOOST_TEST(slow.faults[0].problem.find("processor time") != std::string::npos, slow.faults[0].problem);
  const auto busy = judge("local own = line.amount_cents for i = 1, 20000 do end");
  BOOST_REQUIRE(busy.faults.size() == 1u);
  BOOST_TEST(busy.faults[0].problem.find("instructions") != std::string::npos, busy.faults[0].problem);
  BOOST_TEST(judge("for i = 1, 2000 do end return { probability = 0.1 }").faults.empty());
}

BOOST_AUTO_TEST_CASE(functions_that_rules_may_use_work_as_documented) {
  const char* const truths[] = {
      "usd(250.00) == 25000 and math.type(usd(250)) == 'integer'",
      "usd(0.29) == 29 and usd(-1.10) == -110",
      "pct(1000, 80) == 800 and pct(5, 50) == 2 and pct(15, 50) == 8 and pct(10000, 2.5) == 250",
      "bps(0.20) == 2000 and bps(0.0001) == 1",
      "npi_check('1234567893') and not npi_check('1234567890')",
      "procedure_code_ok('99213') and not procedure_code_ok('ABCDE')",
      "modifiers_ok('25:59') and modifiers_ok('') and not modifiers_ok('2')",
      "('abc'):sub(2) == 'bc' and ('abc'):sub(-2, -2) == 'b' and ('abc'):sub(0) == 'abc' and ('abc'):sub(4) == ''",
      "('aBc'):upper() == 'ABC' and ('aBc'):lower() == 'abc' and #'abc' == 3 and ('abc'):len() == 3",
      "('abc'):byte() == 97 and select('#', ('abc'):byte(1, -1)) == 3 and ('abc'):byte(9) == nil",
      "('a.c'):find('.') == 2 and ('abc'):find('x') == nil and select(2, ('abcabc'):find('bc', 3)) == 6 and "
      "(''):find('') == 1",
      "('ab'):rep(3) == 'ababab' and ('ab'):rep(0) == '' and ('ab'):rep(-1) == ''",
      "tostring(12) == '12' and tostring({}) == 'table' and tostring(nil) == 'nil' and tostring(claim) == 'userdata'",
      "#claim.lines == 1 and claim.lines[1].cpt == '99213' and claim.lines[2] == nil and claim.lines[0] == nil",
      "claim.days_to_submission == 7 and claim.today - claim.date_of_service == 14 and claim.facility == nil",
      "payer.known and payer.timely_filing_days == 365 and payer.denial_rate_bps == 800",
      "(function() local s = '' for k, v in pairs({ b = 2, a = 1, [2] = 'y', [1] = 'x' }) do s = s .. k .. v end "
      "return s end)() == '1x2ya1b2'",
      "(function() local n = 0 for i, line in ipairs(claim.lines) do n = n + i * line.amount_cents end return n end)() "
      "== 100000",
      "tonumber('12') == 12 and tonumber('0x10') == 16 and tonumber('1.5') == 1.5 and tonumber('x') == nil and "
      "tonumber(('1'):rep(65)) == nil",
      "math.max(1, 3, 2) == 3 and math.floor(2.5) == 2 and math.tointeger(2.0) == 2 and 7 // 2 == 3",
  };
  const TestClaim claim;
  for (const char* truth : truths) {
    BOOST_TEST_CONTEXT(truth) {
      lua::Engine engine(unchecked(
          {{"truth", denial_rule("truth", std::string("if ") + truth + " then return { probability = 1 } end")}}));
      const auto assessed = engine.assess_denial(claim.facts());
      BOOST_TEST(assessed.findings.size() == 1u);
      for (const auto& fault : assessed.faults) BOOST_ERROR(fault.problem);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_long_run_of_claims_keeps_its_memory) {
  const auto rules = unchecked({{"busy", denial_rule("busy",
                                                     "local t = {} for i = 1, 50 do t[i] = 'text ' .. tostring(i) end "
                                                     "return { probability = 0.5, note = t[50] }")}});
  lua::Limits tight;
  tight.live_bytes = 1024 * 1024;
  lua::Engine engine(rules, tight);
  const TestClaim claim;
  for (int i = 0; i < 5000; ++i) {
    const auto assessed = engine.assess_denial(claim.facts());
    BOOST_REQUIRE(assessed.faults.empty());
  }
}

BOOST_AUTO_TEST_SUITE_END()
