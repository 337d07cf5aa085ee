// Sparing calls of rules that are known to stay silent changes no answer: the same claims are judged with every rule
// called.
#include <boost/test/unit_test.hpp>

#include <map>
#include <random>

#include "core/lua/ruleset/program.hpp"
#include "tests/rules/rule_folder.hpp"

using namespace tideover;
using namespace tideover::testing;

namespace {

const std::filesystem::path kSource = TIDEOVER_SOURCE_DIR;

std::shared_ptr<const lua::Ruleset> loaded(const std::filesystem::path& folder) {
  const auto read = lua::load_ruleset(folder, {kCodes, {}});
  BOOST_REQUIRE_MESSAGE(read.ruleset, faults_of(read));
  return read.ruleset;
}

/// Claims that share most of what they say, as a clinic's do, and are wrong in every way that a rule looks for.
class Clinic {
 public:
  TestClaim next() {
    TestClaim made;
    auto& claim = made.claim;
    claim.claim_identifier = pick<std::string>({"A-1", "A-2", "", "AN-IDENTIFIER-THAT-IS-LONG", std::string(60, 'x')});
    claim.servicer_npi = pick<std::string>({"1234567893", "1234567890", "1999999984", ""});
    claim.billing_npi = pick<std::string>({"1999999984", "1999999983"});
    claim.submitted_amount = domain::Money::cents(pick({100'000, 50'000, 0, 7}));
    claim.date_of_service =
        pick<std::optional<domain::Date>>({made.today.plus(-14), made.today.plus(-700), std::nullopt});
    claim.date_of_submission = pick<std::optional<domain::Date>>({made.today.plus(-7), std::nullopt});
    if (pick({0, 0, 1}) == 1) claim.details.institutional.emplace().type_of_bill = pick<std::string>({"0131", ""});
    claim.service_lines.resize(static_cast<std::size_t>(pick({0, 1, 1, 2, 3, 70})));
    for (auto& line : claim.service_lines) {
      line.cpt = pick<std::string>({"99213", "99213", "J1100", "BAD", ""});
      line.modifier = pick<std::string>({"", "", "25", "76", "!"});
      line.revenue_code = claim.details.institutional ? pick<std::string>({"0450", "0250", ""}) : "";
      line.units_milli = pick({1000, 2000});
      line.amount =
          pick<std::optional<domain::Money>>({domain::Money::cents(50'000), domain::Money::cents(7), std::nullopt});
    }
    made.payer_known = pick({1, 1, 0}) == 1;
    made.payer.status = pick<std::string>({"active", "active", "inactive"});
    made.payer.timely_filing_days = pick({90, 365});
    made.profile = pick<domain::ValidationProfile>({lua::kProfiles[0], lua::kProfiles[1], lua::kProfiles[2]});
    made.duplicates = pick({0, 0, 0, 1});
    return made;
  }

 private:
  template <class T>
  T pick(std::initializer_list<T> choices) {
    return *(choices.begin() + static_cast<std::ptrdiff_t>(random_() % choices.size()));
  }

  std::mt19937 random_{20261122};
};

std::string shown(const std::vector<domain::Finding>& findings) {
  std::string text;
  for (const auto& f : findings) {
    text += f.rule_id + '|' + f.code + '|' + f.field + '|' + f.description + '|' + std::string(lua::name_of(f.effect)) +
            '|';
    text += std::to_string(f.probability_bps) + '|' + std::to_string(f.confidence_cap_bps) + '|' +
            std::to_string(f.line.value_or(-1)) + '|';
    text += std::to_string(f.amount_at_risk ? f.amount_at_risk->cents() : -1) + '\n';
  }
  return text;
}

/// Judges many claims both ways; the calls that were spared.
std::uint64_t compare(const std::shared_ptr<const lua::Ruleset>& rules) {
  using Call = lua::Program::Call;
  lua::Program sparing(rules, rules->tables, {}), calling(rules, rules->tables, {});
  Clinic clinic;
  for (int i = 0; i < 20'000; ++i) {
    const auto claim = clinic.next();
    std::vector<domain::Finding> spared, called;
    for (std::size_t rule = 0; rule < rules->denial.size(); ++rule) {
      const auto one = sparing.run_denial(rule, claim.facts(), spared, Call::when_needed);
      const auto other = calling.run_denial(rule, claim.facts(), called, Call::always);
      BOOST_REQUIRE_MESSAGE(one == other, rules->denial[rule].id << " of claim " << i << ": " << one.value_or("nothing")
                                                                 << ", " << other.value_or("nothing"));
    }
    BOOST_REQUIRE_MESSAGE(shown(spared) == shown(called), "claim " << i << ":\n"
                                                                   << shown(spared) << "and with every call\n"
                                                                   << shown(called));
    BOOST_REQUIRE(sparing.settle().empty());
    BOOST_REQUIRE(calling.settle().empty());
  }
  BOOST_TEST(calling.spared_calls() == 0u);
  return sparing.spared_calls();
}

std::string cases_of(const std::string& rule, const std::string& fires) {
  return "return { rule = 'denial." + rule +
         "', cases = { { name = 'clean', expect = 'nothing' },\n{ name = 'fires', claim = " + fires +
         ", expect = {} } } }\n";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(memo_cache)

BOOST_AUTO_TEST_CASE(the_shipped_rules_say_the_same_with_most_of_their_calls_spared) {
  BOOST_TEST(compare(loaded(kSource / "rules")) > 100'000u);  // of 220 000
}

BOOST_AUTO_TEST_CASE(rules_that_read_lines_in_every_way_say_the_same) {
  RuleFolder folder;
  for (const auto& [name, body] : std::map<std::string, std::string>{
           {"last",
            "local n = #claim.lines if n > 1 and claim.lines[n].cpt == 'BAD' then return { probability = 0.5, line = n "
            "} end"},
           {"beyond", "if claim.lines[3] then return { probability = 0.5 } end return claim.lines[0]"},
           {"erring",
            "if claim.duplicates > 0 then error('there are ' .. claim.duplicates) end if #claim.lines == 0 then return "
            "{ probability = 0.1 } end"},
           {"wrong",
            "if claim.facility == 'X' then return { probability = 0.5 } end\nif claim.date_of_service == nil then "
            "return { probability = 7 } end"},
           {"profiled",
            "if claim.lines_total_cents > 100000 then return { probability = 0.5, line = 2 } end return {}"}})
    folder.write("denial/" + name + ".lua", denial_rule(name, body));
  folder.write("cases/last.lua", cases_of("last", "{ lines = { { cpt = '99213' }, { cpt = 'BAD' } } }"));
  folder.write("cases/beyond.lua",
               cases_of("beyond", "{ lines = { { cpt = '99213' }, { cpt = '99214' }, { cpt = '99215' } } }"));
  folder.write("cases/erring.lua", cases_of("erring", "{ lines = {} }"));
  folder.write("cases/wrong.lua", cases_of("wrong", "{ facility = 'X' }"));
  folder.write("cases/profiled.lua",
               cases_of("profiled", "{ lines = { { amount_cents = 90000 }, { amount_cents = 90000 } } }"));
  folder.write("ruleset.lua",
               "return { version = '1', denial = { 'zero', 'last', 'beyond', 'erring', 'wrong', 'profiled' }, terms = "
               "'plain' }\n");
  BOOST_TEST(compare(loaded(folder.path())) > 60'000u);  // of 120 000
}

BOOST_AUTO_TEST_CASE(a_rule_that_hardly_ever_reads_the_same_is_called_and_not_cached) {
  RuleFolder folder;
  const auto rules = loaded(folder.path());
  lua::Program program(rules, rules->tables, {});
  TestClaim claim;
  const auto call = [&](std::int64_t cents) {
    claim.claim.submitted_amount = domain::Money::cents(cents);
    std::vector<domain::Finding> findings;
    BOOST_TEST(!program.run_denial(0, claim.facts(), findings, lua::Program::Call::when_needed));
    return findings.size();
  };
  for (int cents = 1; cents < 100'000; ++cents) BOOST_REQUIRE(call(cents) == 0u);
  BOOST_TEST(program.spared_calls() == 0u);
  BOOST_TEST(call(0) == 1u);
}

// Texts are remembered by number, and numbers are given again after so many: what was learnt of the old ones must go
// with them.
BOOST_AUTO_TEST_CASE(unbounded_texts_are_dropped_together_with_their_cache_entries) {
  RuleFolder folder;
  std::string list = "'zero'";
  const std::vector<std::string> names = {"claim_identifier", "facility", "servicer_npi", "billing_npi", "payer_id"};
  for (const auto& fact : names) {
    folder.write("denial/" + fact + ".lua",
                 denial_rule(fact, "if claim." + fact + " == 'wrong " + fact +
                                       "' or claim.amount_cents == 0 then return { probability = 0.5 } end"));
    folder.write("cases/" + fact + ".lua", cases_of(fact, "{ amount_cents = 0 }"));
    list += ", '" + fact + "'";
  }
  folder.write("ruleset.lua", "return { version = '1', denial = { " + list + " }, terms = 'plain' }\n");
  lua::Engine engine(loaded(folder.path()));
  TestClaim made;
  auto& claim = made.claim;
  std::string* const facts[] = {&claim.claim_identifier, &claim.facility, &claim.servicer_npi, &claim.billing_npi,
                                &claim.payer_id};
  for (int i = 0; i < 8'000; ++i) {
    for (std::size_t fact = 0; fact < std::size(facts); ++fact)
      *facts[fact] = std::to_string(fact) + ' ' + std::to_string(i);
    BOOST_REQUIRE(engine.assess_denial(made.facts()).findings.empty());
    if (i % 7 < 4) continue;  // so that numbers given again are of other texts than they were
    // What is wrong of one fact is nothing to the rule of the next, which learns it.
    const auto wrong = static_cast<std::size_t>(i) % 5;
    *facts[wrong] = *facts[(wrong + 1) % 5] = "wrong " + names[wrong];
    BOOST_REQUIRE_MESSAGE(engine.assess_denial(made.facts()).findings.size() == 1u, i);
  }
}

// One rule leaves behind in a library what another one reads: the host undoes and reports it, and silence
// of a rule that came from it must not be cached.
BOOST_AUTO_TEST_CASE(state_that_one_rule_leaves_for_another_is_reported_whatever_came_before) {
  RuleFolder folder;
  folder.write("lib/file_cache.lua",
               "local kept = 0\nlocal file_cache = {}\nfunction file_cache.put(value) kept = value end\nfunction "
               "file_cache.get() "
               "return kept end\nreturn file_cache\n");
  const std::string file_cache = "local file_cache = lib('file_cache')\n";
  folder.write("denial/zero.lua",
               file_cache + denial_rule("zero",
                                        "if claim.amount_cents == 0 then return { probability = 0.5 } end\n"
                                        "if claim.duplicates > 0 then file_cache.put(claim.duplicates) end"));
  folder.write(
      "denial/reader.lua",
      file_cache +
          denial_rule("reader", "if #claim.lines == 0 or file_cache.get() == 2 then return { probability = 0.2 } end"));
  folder.write("cases/reader.lua", cases_of("reader", "{ lines = {} }"));
  folder.write("ruleset.lua", "return { version = '1', denial = { 'zero', 'reader' }, terms = 'plain' }\n");
  const auto rules = loaded(folder.path());
  lua::Engine used(rules);
  for (const int duplicates : {0, 0, 2, 0, 1, 2, 0, 2}) {
    TestClaim claim;
    claim.duplicates = duplicates;
    lua::Engine fresh(rules);
    const auto left = used.assess_denial(claim.facts()), right = fresh.assess_denial(claim.facts());
    BOOST_TEST(shown(left.findings) == shown(right.findings));
    BOOST_TEST(left.findings.size() == (duplicates == 2 ? 1u : 0u));
    BOOST_TEST(left.faults.size() == right.faults.size());
  }
  BOOST_TEST(used.counts().at(1).fired == 3u);
}

BOOST_AUTO_TEST_CASE(silence_on_a_claim_of_few_lines_is_not_reused_for_many_lines) {
  RuleFolder folder;
  auto rule = denial_rule(
      "zero",
      "if line.cpt == 'J1100' then return { probability = 0.5 } end local n = 0 for i = 1, 4000 do n = n + 1 end");
  rule.insert(rule.find("(claim, payer") + 1, "line, ");
  rule.insert(rule.find("summary"), "each = 'line', ");
  folder.write("denial/zero.lua", rule);
  folder.write("cases/zero.lua",
               "return { rule = 'denial.zero', cases = {\n  { name = 'clean', expect = 'nothing' },\n"
               "  { name = 'found', claim = { lines = { { cpt = 'J1100' } } }, expect = { probability = 0.5 } } } }\n");
  const auto rules = loaded(folder.path());
  TestClaim one, many;
  many.claim.service_lines.resize(100, many.claim.service_lines.front());
  lua::Engine warm(rules), cold(rules);
  for (int i = 0; i < 3; ++i) BOOST_TEST(warm.assess_denial(one.facts()).faults.empty());
  const auto after = warm.assess_denial(many.facts()), alone = cold.assess_denial(many.facts());
  BOOST_TEST(after.faults.size() == 1u);
  BOOST_TEST(alone.faults.size() == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
