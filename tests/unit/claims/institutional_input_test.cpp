// Institutional claims as clients send them: every field with its bounds and normal form, and what a professional claim
// must not have (core/docs/contract.md#formats).
#include <boost/test/unit_test.hpp>
#include <map>

#include "core/domain/claims/claim_input.hpp"
#include "tests/fakes/printing.hpp"

using namespace tideover::domain;

namespace {

const Date kReviewDay = *parse_date("2026-11-20");

ClaimInput facility_input() {
  ClaimInput input;
  for (const auto& [path, text] : std::map<std::string, std::string>{{"claim_type", "institutional"},
                                                                     {"claim_identifier", "CLM-1"},
                                                                     {"chart_identifier", "CHART-1"},
                                                                     {"servicer_npi", "1234567893"},
                                                                     {"billing_npi", "1999999984"},
                                                                     {"patient_primary_payor_id", "60054"},
                                                                     {"submitted_amount", "1000.00"}})
    *input.at(path) = text;
  return input;
}

std::map<std::string, std::string> faults_in(const ClaimInput& input) {
  const auto read = accept_claim(input, kReviewDay);
  std::map<std::string, std::string> faults;
  if (!read)
    for (const auto& fault : read.error().fields) faults[fault.path] = fault.problem;
  return faults;
}

/// The path at fault after setting `path` to `text`; "" when the claim is accepted.
std::string fault_of(const std::string& path, const std::string& text, ClaimInput input = facility_input()) {
  auto* const field = input.at(path);
  BOOST_REQUIRE_MESSAGE(field, path << " is no field");
  *field = text;
  const auto faults = faults_in(input);
  BOOST_TEST(faults.size() <= 1u, path << " = " << text);
  return faults.empty() ? "" : faults.begin()->first;
}

ClaimDraft facility_claim(const ClaimInput& input) {
  auto draft = accept_claim(input, kReviewDay);
  BOOST_REQUIRE_MESSAGE(draft, "refused: " << (draft ? "" : draft.error().fields.front().path));
  return *draft;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(institutional_input)

BOOST_AUTO_TEST_CASE(a_claim_is_professional_unless_it_says_otherwise) {
  auto input = facility_input();
  BOOST_TEST((facility_claim(input).details.type() == ClaimType::institutional));
  for (const char* type : {"professional", " professional ", ""}) {
    input.claim_type = type;
    BOOST_TEST((facility_claim(input).details.type() == ClaimType::professional));
  }
  input.claim_type = " Institutional ";
  BOOST_TEST((facility_claim(input).details.type() == ClaimType::institutional));
  for (const char* type : {"dental", "837I"}) BOOST_TEST(fault_of("claim_type", type) == "claim_type");
}

BOOST_AUTO_TEST_CASE(an_empty_date_is_absent_and_blanks_around_a_date_do_not_count) {
  auto input = facility_input();
  *input.at("admission_date") = " 2026-11-05 ";
  *input.at("discharge_date") = " ";
  *input.at("date_of_service") = "";
  const auto claim = facility_claim(input);
  BOOST_REQUIRE(claim.details.institutional);
  BOOST_TEST((claim.details.institutional->admission_date == parse_date("2026-11-05")));
  BOOST_TEST(!claim.details.institutional->discharge_date);
  BOOST_TEST(!claim.date_of_service);
}

BOOST_AUTO_TEST_CASE(every_field_is_kept_in_normal_form) {
  auto input = facility_input();
  for (const auto& [path, text] : std::map<std::string, std::string>{{"type_of_bill", " 13x "},
                                                                     {"statement_from", "2026-11-02"},
                                                                     {"statement_through", "2026-11-05"},
                                                                     {"admission_date", "2026-11-01"},
                                                                     {"discharge_date", "2026-11-05"},
                                                                     {"admission_type", "1"},
                                                                     {"admission_source", "d"},
                                                                     {"patient_status", "1"},
                                                                     {"attending_npi", " 1234567893 "},
                                                                     {"operating_npi", "1999999984"},
                                                                     {"drg", "470"},
                                                                     {"diagnosis_codes[0]", "E11.9"},
                                                                     {"diagnosis_codes[1]", "I10"},
                                                                     {"diagnosis_codes[2]", "Z00.00"},
                                                                     {"present_on_admission[0]", "y"},
                                                                     {"present_on_admission[2]", "1"},
                                                                     {"condition_codes[0]", "09"},
                                                                     {"condition_codes[1]", "c5"},
                                                                     {"occurrence_codes[0].code", "11"},
                                                                     {"occurrence_codes[0].date", "2026-10-31"},
                                                                     {"occurrence_spans[0].code", "m1"},
                                                                     {"occurrence_spans[0].from", "2026-11-03"},
                                                                     {"occurrence_spans[0].through", "2026-11-03"},
                                                                     {"value_codes[0].code", "80"},
                                                                     {"value_codes[0].amount", "3"},
                                                                     {"service_lines[0].revenue_code", "450"},
                                                                     {"service_lines[1].revenue_code", " 0250 "}})
    *input.at(path) = text;
  const auto draft = facility_claim(input);
  const InstitutionalDetails expected{"013X",
                                      parse_date("2026-11-02"),
                                      parse_date("2026-11-05"),
                                      parse_date("2026-11-01"),
                                      parse_date("2026-11-05"),
                                      "1",
                                      "D",
                                      "01",
                                      "1234567893",
                                      "1999999984",
                                      "470",
                                      {"Y", "", "1"},
                                      {"09", "C5"},
                                      {{"11", *parse_date("2026-10-31")}},
                                      {{"M1", *parse_date("2026-11-03"), *parse_date("2026-11-03")}},
                                      {{"80", Money::cents(300)}}};
  BOOST_TEST((draft.details.institutional == expected));
  BOOST_TEST(draft.service_lines[0].revenue_code == "0450");
  BOOST_TEST(draft.service_lines[1].revenue_code == "0250");
}

BOOST_AUTO_TEST_CASE(a_cell_may_hold_all_codes) {
  auto input = facility_input();
  *input.at("diagnosis_codes") = "E11.9, I10";
  *input.at("present_on_admission") = "Y;N";
  *input.at("condition_codes") = "09 C5";
  const auto details = *facility_claim(input).details.institutional;
  BOOST_TEST((details.present_on_admission == std::vector<std::string>{"Y", "N"}));
  BOOST_TEST((details.condition_codes == std::vector<std::string>{"09", "C5"}));
}

BOOST_AUTO_TEST_CASE(fields_have_bounds_and_an_empty_text_is_none) {
  const std::map<std::string, std::vector<std::string>> bad{
      {"type_of_bill", {"1", "13", "00131", "1131", "0031", "01A1", "13-"}},
      {"statement_from", {"2026-11-31", "20261102", "2026-11-22"}},
      {"admission_date", {"2026-11-22"}},
      {"admission_type", {"A", "11"}},
      {"admission_source", {"-", "77"}},
      {"patient_status", {"A1", "001"}},
      {"attending_npi", {"123456789", "12345678901", "ABCDEFGHIJ"}},
      {"operating_npi", {"1"}},
      {"drg", {"47", "47A", "04700"}},
      {"condition_codes[0]", {"9", "099", "0-"}},
      {"service_lines[0].revenue_code", {"45", "00450", "04A0"}}};
  for (const auto& [path, texts] : bad) {
    BOOST_TEST(fault_of(path, "") == "", path);
    for (const auto& text : texts) BOOST_TEST(fault_of(path, text) == path, path << " = " << text);
  }
}

BOOST_AUTO_TEST_CASE(dates_are_in_order) {
  auto input = facility_input();
  *input.at("statement_from") = "2026-11-05";
  BOOST_TEST(fault_of("statement_through", "2026-11-04", input) == "statement_through");
  BOOST_TEST(fault_of("statement_through", "2026-11-05", input) == "");
  *input.at("admission_date") = "2026-11-05";
  BOOST_TEST(fault_of("discharge_date", "2026-11-04", input) == "discharge_date");
  BOOST_TEST(fault_of("statement_through", "2026-11-05") == "statement_from");  // an end without a beginning
  input = facility_input();
  *input.at("occurrence_spans[0].code") = "74";
  *input.at("occurrence_spans[0].from") = "2026-11-05";
  BOOST_TEST(fault_of("occurrence_spans[0].through", "2026-11-04", input) == "occurrence_spans[0].through");
}

BOOST_AUTO_TEST_CASE(the_day_of_service_is_the_first_of_the_statement) {
  auto input = facility_input();
  *input.at("statement_from") = "2026-11-02";
  *input.at("statement_through") = "2026-11-05";
  BOOST_TEST((facility_claim(input).date_of_service == parse_date("2026-11-02")));
  BOOST_TEST(fault_of("date_of_submission", "2026-11-01", input) == "date_of_submission");
  const auto days = service_days(facility_claim(input));
  BOOST_TEST((days->from == *parse_date("2026-11-02") && days->to == *parse_date("2026-11-05")));
  *input.at("date_of_service") = "2026-11-03";
  BOOST_TEST((facility_claim(input).date_of_service == parse_date("2026-11-03")));
  input.claim_type.reset();
  input.institutional = {};
  BOOST_TEST((service_days(facility_claim(input))->to == *parse_date("2026-11-03")));
}

BOOST_AUTO_TEST_CASE(the_bill_ends_with_the_frequency_code) {
  auto input = facility_input();
  *input.at("type_of_bill") = "0137";
  BOOST_TEST(facility_claim(input).details.claim_frequency_code == "7");
  BOOST_TEST(fault_of("claim_frequency_code", "7", input) == "");
  BOOST_TEST(fault_of("claim_frequency_code", "1", input) == "claim_frequency_code");
  *input.at("type_of_bill") = "0112";  // an interim bill: no code of a professional claim
  BOOST_TEST(facility_claim(input).details.claim_frequency_code == "");
}

BOOST_AUTO_TEST_CASE(members_of_codes_are_required) {
  for (const auto& [list, members] :
       std::map<std::string, std::vector<std::string>>{{"occurrence_codes", {"code", "date"}},
                                                       {"occurrence_spans", {"code", "from", "through"}},
                                                       {"value_codes", {"code", "amount"}}}) {
    auto input = facility_input();
    *input.at(list + "[0].code") = "";
    const auto faults = faults_in(input);
    BOOST_TEST(faults.size() == members.size());
    for (const auto& member : members) BOOST_TEST(faults.at(list + "[0]." + member) == "required");
  }
  auto input = facility_input();
  *input.at("value_codes[0].code") = "A0";
  BOOST_TEST(fault_of("value_codes[0].amount", "-1", input) == "value_codes[0].amount");
  *input.at("value_codes[0].amount") = "1";
  BOOST_TEST(fault_of("value_codes[0].code", "A", input) == "value_codes[0].code");
}

BOOST_AUTO_TEST_CASE(there_are_at_most_999_lines_25_diagnoses_and_24_codes_of_a_kind) {
  auto input = facility_input();
  input.service_lines.resize(999);
  input.diagnosis_codes.resize(25, "E119");
  input.institutional.present_on_admission.resize(25, "Y");
  input.institutional.condition_codes.resize(24, "09");
  input.institutional.value_codes.resize(24, {"80", "1"});
  BOOST_TEST(facility_claim(input).service_lines.size() == 999u);
  input.service_lines.resize(1000);
  input.diagnosis_codes.resize(26, "E119");
  input.institutional.condition_codes.resize(25, "09");
  input.institutional.value_codes.resize(25, {"80", "1"});
  const auto faults = faults_in(input);
  for (const char* path : {"service_lines", "diagnosis_codes", "condition_codes", "value_codes"})
    BOOST_TEST(faults.count(path) == 1u, path);
  BOOST_TEST(faults.at("service_lines") == "must have at most 999 entries");

  auto few = facility_input();
  *few.at("diagnosis_codes[0]") = "E119";
  BOOST_TEST(fault_of("present_on_admission[1]", "Y", few) == "present_on_admission");
}

BOOST_AUTO_TEST_CASE(a_professional_claim_has_none_of_these_fields) {
  auto professional = facility_input();
  professional.claim_type.reset();
  const std::map<std::string, std::string> texts{{"type_of_bill", "0131"},
                                                 {"statement_from", "2026-11-02"},
                                                 {"admission_type", "1"},
                                                 {"attending_npi", "1234567893"},
                                                 {"drg", "470"},
                                                 {"condition_codes", "09"},
                                                 {"service_lines[0].revenue_code", "0450"}};
  for (const auto& [path, text] : texts) {
    BOOST_TEST(fault_of(path, text, professional) == path);
    BOOST_TEST(fault_of(path, "", professional) == "", path);
  }
  auto input = professional;
  *input.at("value_codes[0].code") = "80";
  BOOST_TEST(faults_in(input).count("value_codes") == 1u);
  BOOST_TEST(fault_of("place_of_service", "11") == "place_of_service");
  BOOST_TEST(fault_of("place_of_service", "11", professional) == "");
}

BOOST_AUTO_TEST_CASE(paths_of_codes_lead_to_their_fields) {
  ClaimInput input;
  for (const char* path : {"condition_codes[24]", "present_on_admission[25]", "occurrence_codes[3].date",
                           "occurrence_spans[24].through", "value_codes[0].amount", "type_of_bill", "condition_codes"})
    BOOST_TEST(input.at(path) != nullptr, path);
  for (const char* path : {"condition_codes[25]", "condition_codes[0].code", "occurrence_codes[3]", "value_codes[]",
                           "occurrence_codes[25].code", "value_codes[0].date", "occurrence_codes", "service_lines[7]"})
    BOOST_TEST(input.at(path) == nullptr, path);
  BOOST_TEST(input.service_lines.empty());
}

BOOST_AUTO_TEST_SUITE_END()
