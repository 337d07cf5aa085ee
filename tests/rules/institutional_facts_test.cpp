// The facts of institutional claims: in rules, in cases, and in explanations.
#include <boost/test/unit_test.hpp>

#include <map>

#include "core/lua/engine/explain.hpp"
#include "tests/rules/rule_folder.hpp"

using namespace tideover;
using namespace tideover::testing;

namespace {

using domain::Date;
using domain::Money;

/// A bundle whose rule fires when `condition` holds, which it does not for a clean professional claim.
struct Condition {
  Condition(const std::string& condition, const std::string& cases, const std::string& declared = "") {
    auto rule = denial_rule("zero", "if " + condition + " then return { probability = 0.5 } end");
    folder.write("denial/zero.lua", rule.insert(rule.find("summary"), declared));
    folder.write(
        "cases/zero.lua",
        "return { rule = 'denial.zero', cases = {\n{ name = 'clean', expect = 'nothing' },\n" + cases + " } }\n");
  }
  std::shared_ptr<const lua::Ruleset> rules() const {
    const auto loaded = folder.load();
    BOOST_REQUIRE_MESSAGE(loaded.ruleset, faults_of(loaded));
    return loaded.ruleset;
  }
  RuleFolder folder;
};

/// All fields that such a claim may have.
domain::InstitutionalDetails all_fields(Date day) {
  return {"0131",
          day,
          day.plus(2),
          day.plus(-1),
          day.plus(3),
          "1",
          "7",
          "01",
          "1234567893",
          "1999999984",
          "470",
          {"Y", ""},
          {"09", "C5"},
          {{"11", day.plus(-3)}},
          {{"74", day, day.plus(1)}},
          {{"80", Money::cents(300)}, {"A2", Money::cents(1250)}}};
}

bool fires(const std::shared_ptr<const lua::Ruleset>& rules, const TestClaim& made) {
  return lua::Engine(rules).assess_denial(made.facts()).findings.size() == 1u;
}

const std::string kAllFacts =
    "claim.type_of_bill == '0131' and claim.statement_through - claim.statement_from == 2\n"
    "and claim.discharge_date - claim.admission_date == 4 and claim.admission_type == '1'\n"
    "and claim.admission_source == '7' and claim.patient_status == '01' and claim.attending_npi == '1234567893'\n"
    "and claim.operating_npi == '1999999984' and claim.drg == '470'\n"
    "and #claim.present_on_admission == 2 and claim.present_on_admission[2] == '' and claim.condition_codes[2] == "
    "'C5'\n"
    "and claim.condition_codes[3] == nil and claim.occurrence_codes[1] == '11'\n"
    "and claim.occurrence_dates[1] == claim.statement_from - 3 and claim.span_codes[1] == '74'\n"
    "and claim.span_through_dates[1] - claim.span_from_dates[1] == 1 and #claim.value_codes == 2\n"
    "and claim.value_codes[2] == 'A2' and claim.value_amounts_cents[2] == 1250\n"
    "and claim.lines[1].revenue_code == '0450'";

const std::string kAllFieldsCase =
    "{ name = 'a stay', claim = { claim_type = 'institutional', type_of_bill = '0131', statement_from = '2026-06-01',\n"
    "  statement_through = '2026-06-03', admission_date = '2026-05-31', discharge_date = '2026-06-04',\n"
    "  admission_type = '1', admission_source = '7', patient_status = '01', attending_npi = '1234567893',\n"
    "  operating_npi = '1999999984', drg = '470', present_on_admission = { 'Y', '' }, condition_codes = { '09', 'C5' "
    "},\n"
    "  occurrence_codes = { { code = '11', date = '2026-05-29' } },\n"
    "  occurrence_spans = { { code = '74', from = '2026-06-01', through = '2026-06-02' } },\n"
    "  value_codes = { { code = '80', amount_cents = 300 }, { code = 'A2', amount_cents = 1250 } },\n"
    "  lines = { { revenue_code = '0450' } } }, expect = { probability = 0.5 } }";

}  // namespace

BOOST_AUTO_TEST_SUITE(institutional_facts)

BOOST_AUTO_TEST_CASE(a_rule_reads_every_field_and_a_case_gives_it) {
  const auto rules = Condition(kAllFacts, kAllFieldsCase).rules();
  TestClaim made;
  BOOST_TEST(!fires(rules, made));
  made.claim.details.institutional = all_fields(*made.claim.date_of_service);
  made.claim.service_lines.front().revenue_code = "0450";
  BOOST_TEST(fires(rules, made));
  made.claim.details.institutional->value_codes.pop_back();
  BOOST_TEST(!fires(rules, made));
}

BOOST_AUTO_TEST_CASE(a_claim_without_a_field_or_a_list_does_not_meet_the_need_for_it) {
  const std::string stay =
      "{ name = 'a stay', claim = { claim_type = 'institutional', drg = '470', "
      "value_codes = { { code = '80', amount_cents = 1 } } }, expect = {} }";
  const auto rules = Condition("claim.amount_cents >= 0", stay, "needs = { 'value_codes', 'drg' }, ").rules();
  TestClaim made;
  using Missing = std::vector<std::string>;
  BOOST_TEST(
      (lua::explain_denial(rules, {}, made.facts()).front().missing == Missing{"claim.value_codes", "claim.drg"}));
  made.claim.details.institutional.emplace().drg = "470";
  BOOST_TEST((lua::explain_denial(rules, {}, made.facts()).front().missing == Missing{"claim.value_codes"}));
  made.claim.details.institutional->value_codes.push_back({"80", Money{}});
  BOOST_TEST(fires(rules, made));
}

BOOST_AUTO_TEST_CASE(a_case_of_a_professional_claim_does_not_give_these_fields) {
  const Condition wrong("claim.type_of_bill == '0131'",
                        "{ name = 'office', claim = { type_of_bill = '0131' }, expect = { probability = 0.5 } }");
  const auto loaded = wrong.folder.load();
  BOOST_TEST(!loaded.ruleset);
  BOOST_TEST(faults_of(loaded).find("type_of_bill") != std::string::npos, faults_of(loaded));
}

BOOST_AUTO_TEST_CASE(an_explanation_shows_elements_days_and_amounts) {
  const std::string condition =
      "#claim.value_codes > 0 and claim.value_amounts_cents[1] > 0 and claim.occurrence_dates[1] and "
      "claim.statement_from > 0 and claim.lines[1].revenue_code";
  const std::string stay =
      "{ name = 'a stay', claim = { claim_type = 'institutional', statement_from = '2026-06-01',\n"
      "  occurrence_codes = { { code = '11', date = '2026-05-29' } },\n"
      "  value_codes = { { code = '80', amount_cents = 300 } }, lines = { { revenue_code = '0450' } } }, expect = {} }";
  TestClaim made;
  made.claim.details.institutional = all_fields(*made.claim.date_of_service);
  made.claim.service_lines.front().revenue_code = "0450";
  const auto explained = lua::explain_denial(Condition(condition, stay).rules(), {}, made.facts()).front();
  std::map<std::string, std::string> reads;
  for (const auto& read : explained.reads) reads[read.name] = read.value;
  BOOST_TEST(reads["#claim.value_codes"] == "2");
  BOOST_TEST(reads["claim.value_amounts_cents[1]"] == "300 (3.00)");
  BOOST_TEST(reads["claim.occurrence_dates[1]"] == "20602 (2026-05-29)");
  BOOST_TEST(reads["claim.statement_from"] == "20605 (2026-06-01)");
  BOOST_TEST(reads["claim.lines[1].revenue_code"] == "\"0450\"");
}

BOOST_AUTO_TEST_CASE(repeated_lines_of_a_long_claim_are_found_as_those_of_a_short_one) {
  const auto rules = Condition("claim.line_count > 1 and claim.lines[claim.line_count].same_as == 2",
                               "{ name = 'two', claim = { lines = { { cpt = 'A1' }, {}, {} } }, expect = {} }")
                         .rules();
  for (const std::size_t count : {3u, 50u, 51u, 999u}) {
    TestClaim made;
    auto& lines = made.claim.service_lines;
    lines.resize(count);
    for (std::size_t i = 0; i < count; ++i) lines[i] = {"C" + std::to_string(i), "25 59", 1000, {}, "0450"};
    BOOST_TEST(!fires(rules, made), count << " lines");
    lines.back() = {"C1", "59 25", 1000, {}, "0450"};  // the order of modifiers does not matter
    BOOST_TEST(fires(rules, made), count << " lines");
    lines.back().revenue_code = "0250";
    BOOST_TEST(!fires(rules, made), count << " lines");
  }
}

BOOST_AUTO_TEST_SUITE_END()
