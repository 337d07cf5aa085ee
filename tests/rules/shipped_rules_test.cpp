// The rules of this repository: they load, their cases pass, each profile treats them as the contract says, and the
// editor stubs tell exactly what a rule can see.
#include <boost/test/unit_test.hpp>

#include <lua.hpp>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

#include "core/domain/funding/terms.hpp"
#include "core/lua/facts/facts.hpp"
#include "core/lua/vm/environment.hpp"
#include "core/lua/vm/freeze.hpp"
#include "core/lua/vm/sandbox.hpp"
#include "core/lua/vm/source.hpp"
#include "tests/rules/rule_folder.hpp"

using namespace tideover;
using namespace tideover::testing;
using domain::Finding;
using domain::ValidationProfile;

namespace {

const std::filesystem::path kSource = TIDEOVER_SOURCE_DIR;

std::shared_ptr<const lua::Ruleset> shipped() {
  const auto loaded = lua::load_ruleset(kSource / "rules", {kCodes, {}});
  BOOST_REQUIRE_MESSAGE(loaded.ruleset, faults_of(loaded));
  return loaded.ruleset;
}

std::vector<std::string> found(lua::Engine& engine, const TestClaim& claim) {
  std::vector<std::string> texts;
  const auto assessed = engine.assess_denial(claim.facts());
  for (const auto& fault : assessed.faults) BOOST_ERROR(fault.rule_id + ": " + fault.problem);
  for (const auto& finding : assessed.findings)
    texts.push_back(finding.code + " " + std::string(lua::name_of(finding.effect)));
  return texts;
}

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  BOOST_REQUIRE_MESSAGE(at != std::string::npos, from << " is not there");
  return text.replace(at, from.size(), to);
}

/// The n-th Lua block of a page, from 1.
std::string lua_block(const std::string& page, int n) {
  std::size_t from = 0;
  for (int i = 0; i < n; ++i) from = page.find("```lua\n", from) + 7;
  return page.substr(from, page.find("```", from) - from);
}

using Texts = std::vector<std::string>;

/// "---@class tideover.Claim" and its "---@field name type" lines.
std::map<std::string, std::map<std::string, std::string>> stub_classes(const std::string& text) {
  std::map<std::string, std::map<std::string, std::string>> classes;
  std::string current, line;
  for (std::istringstream stream(text); std::getline(stream, line);) {
    std::istringstream words(line);
    std::string tag, name, type;
    words >> tag >> name >> type;
    if (tag == "---@class") current = name;
    if (tag == "---@field") classes[current][name] = type;
  }
  return classes;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(shipped_rules)

BOOST_AUTO_TEST_CASE(they_load_and_their_cases_pass) {
  const auto report = lua::check_rules(kSource / "rules", {kCodes, {}});
  BOOST_TEST(report.ok, report.text);
  BOOST_TEST(report.text.find("denial.timely_filing rev 2, live, TIMELY_FILING: lenient=reason") != std::string::npos,
             report.text);
}

BOOST_AUTO_TEST_CASE(the_first_change_of_the_readme_works_by_copy_and_paste) {
  RuleFolder folder;
  std::filesystem::copy(kSource / "rules", folder.path() / "copy", std::filesystem::copy_options::recursive);
  const auto copy = folder.path() / "copy";
  const auto write = [&](const std::string& file, const std::string& text) { std::ofstream(copy / file) << text; };
  const auto check = [&] { return lua::check_rules(copy, {kCodes, {}}); };

  const std::string params = text_of(copy / "params.lua");
  write("params.lua", replaced(params, "usd(25000.00)", "usd(30000.00)"));
  BOOST_TEST(check().text.find("case 'a cent more'") != std::string::npos, check().text);
  write("cases/terms_standard.lua",
        replaced(text_of(copy / "cases/terms_standard.lua"), "usd(25000.01)", "usd(30000.01)"));
  BOOST_TEST(check().ok, check().text);

  const std::string readme = text_of(kSource / "rules/README.md");
  const std::string rule = lua_block(readme, 1);
  write("denial/round_amount.lua", rule);
  write("cases/round_amount.lua", lua_block(readme, 2));
  write("ruleset.lua", replaced(text_of(copy / "ruleset.lua"), "'zero_charge',", "'zero_charge', 'round_amount',"));
  BOOST_TEST(check().ok, check().text);

  write("denial/round_amount.lua", replaced(rule, "and claim.amount_cents", "and claim.amout_cents"));
  const auto promised = readme.find("denial/round_amount.lua:10:");
  BOOST_REQUIRE(promised != std::string::npos);
  BOOST_TEST(check().text.find(readme.substr(promised, readme.find('\n', promised) - promised)) != std::string::npos,
             check().text);
}

BOOST_AUTO_TEST_CASE(a_clean_claim_finds_nothing_under_any_profile) {
  lua::Engine engine(shipped());
  for (const auto profile : lua::kProfiles) {
    TestClaim claim;
    claim.profile = profile;
    BOOST_TEST(found(engine, claim) == Texts{}, boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(placeholders_are_warnings_when_lenient_reasons_when_standard_and_refusals_when_strict) {
  lua::Engine engine(shipped());
  TestClaim claim;
  claim.claim.servicer_npi = "1234567890";
  claim.payer_known = false;
  const std::map<ValidationProfile, std::string> effects = {{ValidationProfile::lenient, "warning"},
                                                            {ValidationProfile::standard, "reason"},
                                                            {ValidationProfile::strict, "refusal"}};
  for (const auto& [profile, effect] : effects) {
    claim.profile = profile;
    BOOST_TEST(found(engine, claim) == (Texts{"NPI_CHECK_DIGIT " + effect, "PAYER_UNKNOWN " + effect}),
               boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(a_claim_with_every_fault_gets_every_finding_in_the_order_of_the_ruleset) {
  lua::Engine engine(shipped());
  TestClaim claim;
  claim.claim.servicer_npi = "1234567890";
  claim.claim.claim_identifier = "a-claim-identifier-of-many-characters";
  claim.payer.status = "inactive";
  claim.payer.timely_filing_days = 5;
  claim.duplicates = 1;
  claim.claim.submitted_amount = domain::Money{};
  claim.claim.service_lines = {{"ABCDE", "2", 1000, domain::Money::cents(100)},
                               {"ABCDE", "2", 1000, domain::Money::cents(100)}};
  BOOST_TEST(found(engine, claim) ==
                 (Texts{"NPI_CHECK_DIGIT reason", "109 reason", "TIMELY_FILING reason", "DUPLICATE_CLAIM reason",
                        "18 reason", "PROCEDURE_CODE_FORMAT reason", "PROCEDURE_CODE_FORMAT reason",
                        "MODIFIER_INVALID reason", "MODIFIER_INVALID reason", "LINES_DO_NOT_BALANCE reason",
                        "ZERO_CHARGE reason", "CLAIM_IDENTIFIER_LONG warning", "CLAIM_IDENTIFIER_CUT warning"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(lines_are_listed_by_the_fee_schedule_of_the_rules_before_the_history_is_asked_for) {
  lua::Engine engine(shipped());
  TestClaim claim;
  claim.claim.date_of_service = domain::parse_date("2026-01-05");
  claim.claim.service_lines = {{"00011", "", 2000, domain::Money::cents(50'000)},
                               {"99213", "", 1000, domain::Money::cents(50'000)}};
  auto facts = claim.facts();
  std::vector<domain::ListedFee> asked_fees;
  domain::ClaimHistory history;
  facts.history_of = [&](const std::vector<domain::ListedFee>& fees) {
    asked_fees = fees;
    return &history;
  };
  const std::vector<domain::ListedFee> listed{{domain::Money::cents(2 * 768'22), 90}, {}};  // (12 + 9 + 2) x 33.4009
  BOOST_TEST((engine.assess_denial(facts).fees == listed));
  BOOST_TEST((asked_fees == listed));
  asked_fees.clear();
  facts.answered_claims = 0;
  BOOST_TEST((engine.assess_denial(facts).fees == listed));
  BOOST_TEST(asked_fees.empty());  // whom the rules do not let be learned from yet
  claim.claim.service_lines.erase(claim.claim.service_lines.begin());
  BOOST_TEST(engine.assess_denial(claim.facts()).fees.empty());
}

BOOST_AUTO_TEST_CASE(lines_are_listed_with_what_a_contract_names) {
  lua::Engine engine(shipped());
  TestClaim claim;
  claim.claim.date_of_service = domain::parse_date("2026-01-05");
  claim.claim.service_lines = {{"00010", "", 2000, domain::Money::cents(50'000)}};
  BOOST_REQUIRE(engine.assess_denial(claim.facts()).fees.size() == 1u);
  BOOST_TEST((engine.assess_denial(claim.facts()).fees[0].contract == domain::Money::cents(24'100)));
  claim.claim.payer_id = "P2000";
  const auto fees = engine.assess_denial(claim.facts()).fees;
  BOOST_TEST((fees.empty() || !fees[0].contract));
}

BOOST_AUTO_TEST_CASE(an_npi_that_fails_its_check_caps_the_confidence_of_a_warning) {
  lua::Engine engine(shipped());
  for (const char* npi : {"1234567890", "3000000000"}) {
    TestClaim claim;
    claim.claim.billing_npi = npi;
    claim.profile = ValidationProfile::lenient;
    const auto findings = engine.assess_denial(claim.facts()).findings;
    BOOST_REQUIRE(findings.size() == 1u);
    BOOST_TEST(findings[0].code == "NPI_CHECK_DIGIT");
    BOOST_TEST((findings[0].effect == Finding::Effect::warning));
    BOOST_TEST(findings[0].confidence_cap_bps == 7500);
  }
}

BOOST_AUTO_TEST_CASE(an_unknown_payer_caps_the_confidence_by_profile) {
  lua::Engine engine(shipped());
  TestClaim claim;
  claim.payer_known = false;
  claim.profile = ValidationProfile::lenient;
  BOOST_TEST(engine.assess_denial(claim.facts()).findings.at(0).confidence_cap_bps == 7500);
  claim.profile = ValidationProfile::standard;
  BOOST_TEST(engine.assess_denial(claim.facts()).findings.at(0).confidence_cap_bps == 4000);
}

BOOST_AUTO_TEST_CASE(a_finding_carries_what_a_client_needs_to_act) {
  lua::Engine engine(shipped());
  TestClaim claim;
  claim.claim.service_lines.push_back({"ABCDE", "", 1000, domain::Money::cents(4200)});
  claim.claim.submitted_amount = domain::Money::cents(104'200);
  const auto findings = engine.assess_denial(claim.facts()).findings;
  BOOST_REQUIRE(findings.size() == 1u);
  const Finding& finding = findings[0];
  BOOST_TEST(finding.rule_id == "denial.procedure_code_format");
  BOOST_TEST(finding.group == "CO");
  BOOST_TEST(finding.family == "coding");
  BOOST_TEST(finding.field == "service_lines[1].cpt");
  BOOST_TEST(finding.line.value() == 1);
  BOOST_TEST(finding.amount_at_risk->cents() == 4200);
  BOOST_TEST(finding.probability_bps == 9500);
  BOOST_TEST(!finding.description.empty());
  BOOST_TEST(!finding.fix.empty());
}

BOOST_AUTO_TEST_CASE(the_forecast_policy_comes_from_the_parameters) {
  const auto policy = shipped()->policy;
  BOOST_TEST(policy.denial_threshold_bps == 5000);
  BOOST_TEST(policy.date_quantile_bps == 8000);
  BOOST_TEST(policy.recovery_bps == 4000);
  BOOST_TEST(shipped()->overdue.task_days == 60);
  BOOST_TEST(shipped()->overdue.write_off_days == 180);
}

BOOST_AUTO_TEST_CASE(the_standard_terms_are_those_of_the_contract) {
  lua::Engine engine(shipped());
  const auto terms = engine.propose_terms({test_review(), "RTP", domain::Date::from_ymd(2026, 6, 15).value()});
  BOOST_TEST(terms.faults.empty());
  BOOST_TEST((terms.proposal.decision == domain::Decision::approved));
  BOOST_TEST(terms.proposal.advance_bps == 8000);
  BOOST_TEST(terms.proposal.fee_bps == 200);
}

BOOST_AUTO_TEST_CASE(the_editor_stubs_declare_every_field_that_a_rule_can_see_and_no_other) {
  const std::string text = text_of(kSource / "api/rules/tideover.meta.lua");
  auto classes = stub_classes(text);
  const std::map<std::string, std::string> class_names = {
      {"claim", "tideover.Claim"},        {"line", "tideover.Line"},       {"payer", "tideover.Payer"},
      {"review", "tideover.Review"},      {"history", "tideover.History"}, {"line_history", "tideover.LineHistory"},
      {"event", "tideover.RecourseEvent"}};
  for (const auto& object : lua::fact_objects()) {
    std::map<std::string, std::string> seen;
    for (const auto& field : object.fields) seen[field.name] = field.type;
    const auto& stub_fields = classes[class_names.at(object.name)];
    for (const auto& [name, type] : seen)
      BOOST_TEST((stub_fields.count(name) == 1 && stub_fields.at(name) == type),
                 object.name << "." << name << " must be a field of type " << type << " in the stubs");
    for (const auto& [name, type] : stub_fields)
      BOOST_TEST(seen.count(name) == 1u, object.name << "." << name << " does not exist");
  }
}

BOOST_AUTO_TEST_CASE(the_editor_stubs_declare_every_function_of_the_environment_and_no_other) {
  const std::string text = text_of(kSource / "api/rules/tideover.meta.lua");
  std::set<std::string> stub_names;
  std::string line;
  for (std::istringstream stream(text); std::getline(stream, line);)
    if (line.starts_with("function ")) stub_names.insert(line.substr(9, line.find('(') - 9));

  lua_State* const state = luaL_newstate();
  lua::push_environment(
      state, [](lua_State*) { return 0; }, [](lua_State*) { return 0; });
  std::set<std::string> names;
  const auto collect = [&](const std::string& prefix) {
    lua::push_content(state, -1);
    for (lua_pushnil(state); lua_next(state, -2) != 0; lua_pop(state, 1))
      if (lua_isfunction(state, -1)) names.insert(prefix + lua_tostring(state, -2));
    lua_pop(state, 1);
  };
  collect("");
  for (const char* library : {"string", "math"}) {
    lua_getfield(state, -1, library);
    collect(std::string(library) + ".");
    lua_pop(state, 1);
  }
  lua_close(state);
  BOOST_TEST(stub_names == names, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(luacheck_knows_every_name_of_the_environment_and_no_other) {
  lua::Sandbox sandbox(std::make_shared<lua::Bundle>(), {});
  std::set<std::string> names;
  for (const auto& [global, fields] : sandbox.global_names()) {
    names.insert(global);
    names.insert(fields.begin(), fields.end());
  }
  // Every quoted word of its list, and the two libraries, which are keys.
  const std::string text = text_of(kSource / ".luacheckrc");
  std::set<std::string> listed_names;
  const auto tokens = lua::tokens_of(text);
  const auto list =
      std::find_if(tokens.begin(), tokens.end(), [](const auto& token) { return token.text == "read_globals"; });
  for (auto token = list; token != tokens.end(); ++token) {
    if (token->kind == lua::Token::Kind::text) listed_names.emplace(lua::unquoted(*token));
    if (token->kind == lua::Token::Kind::name && token->text != "fields" && token != list)
      listed_names.emplace(token->text);
  }
  BOOST_TEST(listed_names == names, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_number_outside_the_limits_of_its_table_is_refused_with_file_line_and_column) {
  RuleFolder folder;
  const auto copy = folder.path() / "copy";
  std::filesystem::copy(kSource / "rules", copy, std::filesystem::copy_options::recursive);
  struct Row {
    const char* table;
    const char* text;
    const char* expected;
  };
  for (const auto& [table, row, expected] : {
           Row{"pfs", "00099,,A,99999.99,1,1,1,1,1,0,010,0.1,0.8,0.1,2,1,2,1,0,,", "work must be a number"},
           Row{"pfs", "00099,,A,1,1,1,1,1,99999.99,0,010,0.1,0.8,0.1,2,1,2,1,0,,", "total_facility must be a number"},
           Row{"pfs", "00099,,A,1,1,1,1,1,1,0,010,1.1,0.8,0.1,2,1,2,1,0,,", "pre must be a number"},
           Row{"pfs", "00099,,A,1,1,1,1,1,1,0,010,0.1,0.8,0.1,2,1,2,1,0,,1000", "conversion_factor must be a number"},
           Row{"conversion_factors", "PFS,2040-01-01,,99999.99", "factor must be a number"},
           Row{"contracts", "P1,,00099,,2024-01-01,,100000000,", "price must be a number"},
           Row{"contracts", "P1,,00099,,2024-01-01,,,10000", "medicare_percent must be a number"},
           Row{"gpci", "00000,ZZ,99,A,10,1,1", "work must be a number"},
           Row{"gpci", "00000,ZZ,99,A,1,10,1", "pe must be a number"},
           Row{"gpci", "00000,ZZ,99,A,1,1,10", "mp must be a number"},
           Row{"mue", "00099,1000001,2", "units must be a whole number"},
           Row{"payer_limits", "P9,3651,,", "timely_days must be a whole number"},
           Row{"codes", "00099,2015-01-01,,,151,", "age_from must be a whole number"},
           Row{"codes", "00099,2015-01-01,,,,151", "age_to must be a whole number"},
       }) {
    const auto file = copy / "tables" / (std::string(table) + ".csv");
    const std::string before = text_of(file);
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    std::ofstream(file) << before << row << '\n';
    const auto report = lua::check_rules(copy, {kCodes, {}}).text;
    std::ofstream(file) << before;
    const std::string place = "tables/" + std::string(table) + ".csv:" + std::to_string(line) + ":";
    BOOST_TEST(report.find(place) != std::string::npos, report << " has no " << place);
    BOOST_TEST(report.find(expected) != std::string::npos, report << " has no " << expected);
  }
}

BOOST_AUTO_TEST_SUITE_END()
