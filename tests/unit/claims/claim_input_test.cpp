// Claims as clients send them: what is required, every bound at and over it, and the normal forms
// (core/docs/contract.md#formats).
#include "core/domain/claims/claim_input.hpp"

#include <boost/test/unit_test.hpp>
#include <map>

#include "tests/fakes/printing.hpp"

using namespace tideover::domain;

namespace {

const Date kToday = *parse_date("2026-11-20");

ClaimInput good_input() {
  ClaimInput input;
  input.claim_identifier = "CLM-1";
  input.chart_identifier = "CHART-1";
  input.servicer_npi = "1234567893";
  input.billing_npi = "1999999984";
  input.payer_id = "60054";
  input.submitted_amount = "1000.00";
  return input;
}

using Faults = std::map<std::string, std::string>;

Faults faults_of(const ClaimInput& input) {
  const auto accepted = accept_claim(input, kToday);
  Faults faults;
  if (accepted) return faults;
  BOOST_TEST(accepted.error().code == ErrorCode::validation_error);
  for (const auto& fault : accepted.error().fields) faults[fault.path] = fault.problem;
  return faults;
}

/// The path at fault after setting `path` to `value`; "" when the claim is accepted.
std::string fault_with(const std::string& path, const std::string& value) {
  auto input = good_input();
  *input.at(path) = value;
  const auto faults = faults_of(input);
  BOOST_TEST(faults.size() <= 1u, path << " = " << value);
  return faults.empty() ? "" : faults.begin()->first;
}

ClaimDraft accepted(const ClaimInput& input) {
  auto draft = accept_claim(input, kToday);
  BOOST_REQUIRE_MESSAGE(draft, "refused: " << (draft ? "" : draft.error().message));
  return *draft;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(claim_input)

BOOST_AUTO_TEST_CASE(all_missing_fields_are_named_at_once) {
  const Faults expected{
      {"claim_identifier", "required"}, {"chart_identifier", "required"},         {"servicer_npi", "required"},
      {"billing_npi", "required"},      {"patient_primary_payor_id", "required"}, {"submitted_amount", "required"}};
  BOOST_TEST((faults_of({}) == expected));
}

BOOST_AUTO_TEST_CASE(blanks_alone_are_missing_too) {
  for (const char* path :
       {"claim_identifier", "chart_identifier", "servicer_npi", "billing_npi", "patient_primary_payor_id"})
    for (const char* blank : {"", "   "}) {
      auto input = good_input();
      *input.at(path) = blank;
      BOOST_TEST((faults_of(input) == Faults{{path, "required"}}), path);
    }
}

BOOST_AUTO_TEST_CASE(a_field_of_the_wrong_type_is_not_called_missing_as_well) {
  auto input = good_input();
  input.submitted_amount.reset();
  input.faults.push_back({"submitted_amount", "must be a number"});
  BOOST_TEST((faults_of(input) == Faults{{"submitted_amount", "must be a number"}}));
}

BOOST_AUTO_TEST_CASE(the_required_fields_alone_make_a_claim) {
  const auto draft = accepted(good_input());
  BOOST_TEST(draft.claim_identifier == "CLM-1");
  BOOST_TEST(draft.chart_identifier.reveal() == "CHART-1");
  BOOST_TEST(draft.submitted_amount == Money::cents(100'000));
  BOOST_TEST(!draft.date_of_service);
  BOOST_TEST(draft.service_lines.empty());
}

BOOST_AUTO_TEST_CASE(texts_are_bounded_in_characters_and_lose_the_blanks_around_them) {
  const std::map<std::string, std::size_t> bounds{
      {"claim_identifier", 64}, {"chart_identifier", 64}, {"facility", 50}, {"patient_primary_payor_id", 80}};
  for (const auto& [path, max] : bounds) {
    BOOST_TEST(fault_with(path, std::string(max, 'x')) == "", path);
    BOOST_TEST(fault_with(path, "  " + std::string(max, 'x') + " ") == "", path);
    BOOST_TEST(fault_with(path, std::string(max + 1, 'x')) == path);
    std::string wide;
    for (std::size_t i = 0; i < max; ++i) wide += "ü";
    BOOST_TEST(fault_with(path, wide) == "", path);
    for (const char* unprintable : {"a\nb", "a\tb", "a\x7f", "a\x1f"})
      BOOST_TEST(fault_with(path, unprintable) == path);
    BOOST_TEST(fault_with(path, std::string("a\0b", 3)) == path);
  }
  auto input = good_input();
  input.claim_identifier = "  CLM 1 ";
  BOOST_TEST(accepted(input).claim_identifier == "CLM 1");
}

BOOST_AUTO_TEST_CASE(a_claim_is_not_named_like_a_step_in_a_path) {
  for (const char* name : {".", "..", " .. "}) {
    BOOST_TEST(fault_with("claim_identifier", name) == "claim_identifier", name);
    BOOST_TEST(fault_with("chart_identifier", name) == "", name);
  }
  for (const char* name : {"...", ".a", "a.", "..a"}) BOOST_TEST(fault_with("claim_identifier", name) == "", name);
}

BOOST_AUTO_TEST_CASE(bytes_that_are_no_utf8_are_not_text) {
  for (const char* bytes :
       {"a\xff", "a\xc3", "\xc0\xaf", "\xed\xa0\x80", "\xf5\x80\x80\x80", "\x80", "\xe2\x82", "\xf0\x8f\xbf\xbf"}) {
    BOOST_TEST(fault_with("claim_identifier", bytes) == "claim_identifier");
    BOOST_TEST(fault_with("facility", bytes) == "facility");
    BOOST_TEST(fault_with("service_lines[0].cpt", bytes) == "service_lines[0].cpt");
    BOOST_TEST(fault_with("service_lines[0].modifier", bytes) == "service_lines[0].modifier");
  }
  for (const char* text : {"\xe2\x82\xac", "\xf0\x9f\x8c\x8a", "\xed\x9f\xbf", "\xf4\x8f\xbf\xbf"})
    BOOST_TEST(fault_with("claim_identifier", text) == "");
}

BOOST_AUTO_TEST_CASE(an_npi_is_ten_digits_and_its_check_digit_is_policy) {
  for (const char* path : {"servicer_npi", "billing_npi"}) {
    BOOST_TEST(fault_with(path, " 1234567893 ") == "");
    BOOST_TEST(fault_with(path, "1234567890") == "");
    for (const char* bad : {"123456789", "12345678901", "12345678 9", "ABCDEFGHIJ"})
      BOOST_TEST(fault_with(path, bad) == path);
  }
  auto input = good_input();
  input.servicer_npi = " 1234567893 ";
  BOOST_TEST(accepted(input).servicer_npi == "1234567893");
}

BOOST_AUTO_TEST_CASE(amounts_are_dollars_with_at_most_two_decimals) {
  for (const char* path : {"submitted_amount", "service_lines[0].amount"}) {
    for (const char* ok : {"0", "0.01", "1e2", "99999999.99", "5.500"}) BOOST_TEST(fault_with(path, ok) == "", ok);
    for (const char* bad : {"-0.01", "-1", "1.005", "100000000", "NaN", "1e99", "abc", "\"5\""})
      BOOST_TEST(fault_with(path, bad) == path, bad);
  }
}

BOOST_AUTO_TEST_CASE(units_are_above_0_and_at_most_9999_999) {
  const std::map<std::string, std::int64_t> good{{"1", 1000},   {"0.001", 1},       {"9999.999", 9'999'999},
                                                 {"2.5", 2500}, {"1.000000", 1000}, {"0001", 1000}};
  for (const auto& [text, milli] : good) {
    auto input = good_input();
    *input.at("service_lines[0].units") = text;
    BOOST_TEST(accepted(input).service_lines.front().units_milli == milli, text);
  }
  for (const char* bad :
       {"0", "0.000", "-1", "10000", "9999.9995", "1.0005", "1.", ".5", "", "x", "1e1", "1,5", "99999999999"})
    BOOST_TEST(fault_with("service_lines[0].units", bad) == "service_lines[0].units", bad);
}

BOOST_AUTO_TEST_CASE(units_are_one_when_not_given) {
  auto input = good_input();
  *input.at("service_lines[0].cpt") = "99213";
  const auto line = accepted(input).service_lines.front();
  BOOST_TEST(line.units_milli == 1000);
  BOOST_TEST(!line.amount);
  BOOST_TEST(line.modifier == "");
}

BOOST_AUTO_TEST_CASE(codes_and_modifiers_take_their_normal_form) {
  auto input = good_input();
  *input.at("service_lines[0].cpt") = " 99-213";
  *input.at("service_lines[0].modifier") = "25,gt";
  *input.at("service_lines[1].modifier") = "broken";
  const auto draft = accepted(input);
  BOOST_TEST(draft.service_lines[0].cpt == "99213");
  BOOST_TEST(draft.service_lines[0].modifier == "25:GT");
  BOOST_TEST(draft.service_lines[1].modifier == "broken");  // for a rule to find
}

BOOST_AUTO_TEST_CASE(a_procedure_code_has_one_to_ten_printable_characters) {
  const std::string path = "service_lines[0].cpt";
  BOOST_TEST(fault_with(path, "1234567890") == "");
  for (const char* bad : {"", "12345678901", "99\n13", "   ", "--"})
    BOOST_TEST(fault_with(path, bad) == path, "'" << bad << "'");
  BOOST_TEST(fault_with("service_lines[0].modifier", std::string(20, 'x')) == "");
  BOOST_TEST(fault_with("service_lines[0].modifier", std::string(21, 'x')) == "service_lines[0].modifier");
}

BOOST_AUTO_TEST_CASE(a_claim_has_at_most_fifty_lines) {
  auto input = good_input();
  input.service_lines.resize(50);
  BOOST_TEST(accepted(input).service_lines.size() == 50u);
  input.service_lines.resize(51);
  BOOST_TEST(faults_of(input).contains("service_lines"));
}

BOOST_AUTO_TEST_CASE(dates_are_real_and_in_order) {
  for (const char* path : {"date_of_service", "date_of_submission"}) {
    BOOST_TEST(fault_with(path, "2026-11-21") == "", path);  // tomorrow, for those ahead of UTC
    BOOST_TEST(fault_with(path, "2026-11-22") == path);
    BOOST_TEST(fault_with(path, "2026-02-30") == path);
    BOOST_TEST(fault_with(path, "11/20/2026") == path);
  }
  auto input = good_input();
  input.date_of_service = "2026-11-02";
  input.date_of_submission = "2026-11-01";
  BOOST_TEST(faults_of(input).contains("date_of_submission"));
  input.date_of_submission = "2026-11-02";
  BOOST_TEST(*accepted(input).date_of_submission == *parse_date("2026-11-02"));
}

BOOST_AUTO_TEST_CASE(every_fault_of_a_claim_is_reported) {
  auto input = good_input();
  input.claim_identifier.reset();
  input.servicer_npi = "12";
  input.date_of_service = "soon";
  *input.at("service_lines[0].units") = "0";
  *input.at("service_lines[2].amount") = "-1";
  BOOST_TEST(faults_of(input).size() == 5u);
  BOOST_TEST(accept_claim(input, kToday).error().message.find("5 fields") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(optional_fields_are_kept_in_normal_form) {
  auto input = good_input();
  BOOST_TEST((accepted(input).details == ClaimDetails{}));
  for (const auto& [path, text] : std::map<std::string, std::string>{{"diagnosis_codes[0]", " e11.9"},
                                                                     {"diagnosis_codes[1]", "Z00.00"},
                                                                     {"place_of_service", "2"},
                                                                     {"patient_age_band", "40-49"},
                                                                     {"patient_sex", "f"},
                                                                     {"prior_authorization", "true"},
                                                                     {"claim_frequency_code", "7"}})
    *input.at(path) = text;
  BOOST_TEST((accepted(input).details == ClaimDetails{{"E119", "Z0000"}, "02", AgeBand{40, 49}, "F", true, "7"}));

  auto row = good_input();
  *row.at("diagnosis_codes") = "E11.9; z00.00,J45:K21";
  *row.at("patient_age_band") = "90+";
  *row.at("prior_authorization") = "n";
  BOOST_TEST((accepted(row).details ==
              ClaimDetails{{"E119", "Z0000", "J45", "K21"}, "", AgeBand{90, AgeBand::kOldest}, "", false, ""}));
}

BOOST_AUTO_TEST_CASE(payments_of_others_and_the_payee_are_kept_in_normal_form) {
  auto input = good_input();
  for (const auto& [path, text] : std::map<std::string, std::string>{{"payer_sequence", "Secondary"},
                                                                     {"paid_by_others", "600.50"},
                                                                     {"patient_paid", "0"},
                                                                     {"benefits_assigned", "false"},
                                                                     {"accepts_assignment", "Y"},
                                                                     {"is_encounter", "N"},
                                                                     {"is_test", "true"},
                                                                     {"pay_to_plan", "n"}})
    *input.at(path) = text;
  const auto details = accepted(input).details;
  BOOST_TEST(details.payer_sequence == "secondary");
  BOOST_TEST((details.paid_by_others == Money::cents(60'050)));
  BOOST_TEST((details.patient_paid == Money{}));
  BOOST_TEST((details.benefits_assigned == false));
  BOOST_TEST((details.accepts_assignment == true));
  BOOST_TEST((details.is_encounter == false));
  BOOST_TEST((details.is_test == true));
  BOOST_TEST((details.pay_to_plan == false));
  for (const auto& [text, name] : std::map<std::string, std::string>{
           {"P", "primary"}, {"primary", "primary"}, {"s", "secondary"}, {"T", "tertiary"}, {"TERTIARY", "tertiary"}}) {
    *input.at("payer_sequence") = text;
    BOOST_TEST(accepted(input).details.payer_sequence == name);
  }
}

BOOST_AUTO_TEST_CASE(payments_of_other_payers_have_bounds_and_an_empty_text_is_none) {
  const std::vector<const char*> names{"payer_sequence",     "paid_by_others", "patient_paid", "benefits_assigned",
                                       "accepts_assignment", "is_encounter",   "is_test",      "pay_to_plan"};
  for (const char* name : names) {
    BOOST_TEST(fault_with(name, "") == "", name);
    BOOST_TEST(fault_with(name, "often") == name, name);
  }
  for (const char* amount : {"-0.01", "1.005", "100000000", "1,000.00"})
    for (const char* name : {"paid_by_others", "patient_paid"}) BOOST_TEST(fault_with(name, amount) == name, amount);
  BOOST_TEST(fault_with("paid_by_others", "99999999.99") == "");
}

BOOST_AUTO_TEST_CASE(optional_fields_have_bounds_and_an_empty_text_is_none) {
  for (const char* name : {"diagnosis_codes", "place_of_service", "patient_age_band", "patient_sex",
                           "prior_authorization", "claim_frequency_code"})
    BOOST_TEST(fault_with(name, "") == "", name);
  const std::map<std::string, std::vector<std::string>> bad = {
      {"place_of_service", {"111", "1a", "home"}},
      {"patient_age_band", {"91", "90", "50-40", "-5", "40-", "40-120", "adult"}},
      {"patient_sex", {"X", "FM", "female"}},
      {"prior_authorization", {"yes please", "1"}},
      {"claim_frequency_code", {"2", "17"}},
      {"diagnosis_codes", {"E11.90000X", "A1\x01"}}};
  for (const auto& [path, texts] : bad)
    for (const auto& text : texts) BOOST_TEST(fault_with(path, text) == path, path << " = " << text);
  for (const char* age : {"0", "89", "0-17", "89-89"}) BOOST_TEST(fault_with("patient_age_band", age) == "", age);

  auto input = good_input();
  for (int i = 0; i < 12; ++i) *input.at("diagnosis_codes[" + std::to_string(i) + "]") = "E119";
  BOOST_TEST(faults_of(input).empty());
  *input.at("diagnosis_codes[12]") = "E119";
  BOOST_TEST(faults_of(input).count("diagnosis_codes") == 1u);
  BOOST_TEST(fault_with("diagnosis_codes[3]", "much too long") == "diagnosis_codes[3]");
  for (const char* path : {"diagnosis_codes[26]", "diagnosis_codes[]", "diagnosis_codes[0", "diagnosis_codes[0].x"})
    BOOST_TEST(input.at(path) == nullptr, path);
}

BOOST_AUTO_TEST_CASE(amounts_are_in_us_dollars_or_refused) {
  for (const std::string path : {"currency", "service_lines[0].currency"}) {
    for (const char* code : {"USD", "usd", " USD ", ""})
      BOOST_TEST(fault_with(path, code) == "", path << " = " << code);
    for (const char* code : {"CAD", "EUR", "US", "$", "USDX"})
      BOOST_TEST(fault_with(path, code) == path, path << " = " << code);
  }
}

BOOST_AUTO_TEST_CASE(paths_lead_to_their_fields) {
  ClaimInput input;
  for (const char* name : {"facility",
                           "claim_identifier",
                           "chart_identifier",
                           "date_of_service",
                           "date_of_submission",
                           "servicer_npi",
                           "billing_npi",
                           "patient_primary_payor_id",
                           "submitted_amount",
                           "diagnosis_codes",
                           "place_of_service",
                           "patient_age_band",
                           "patient_sex",
                           "prior_authorization",
                           "claim_frequency_code",
                           "payer_sequence",
                           "paid_by_others",
                           "patient_paid",
                           "benefits_assigned",
                           "accepts_assignment",
                           "is_encounter",
                           "is_test",
                           "pay_to_plan",
                           "currency"})
    BOOST_TEST(input.at(name) != nullptr, name);
  for (const char* name : {"cpt", "modifier", "units", "amount", "currency"})
    BOOST_TEST(input.at("service_lines[3]." + std::string(name)) != nullptr, name);
  BOOST_TEST(input.service_lines.size() == 4u);
  for (const char* path : {"", "service_lines", "service_lines[0]", "service_lines[0].", "service_lines[0].code",
                           "service_lines[].cpt", "service_lines[-1].cpt", "service_lines[1000].cpt",
                           "service_lines[99999999999999999999].cpt", "service_lines[0]cpt", "cpt"})
    BOOST_TEST(input.at(path) == nullptr, path);
}

BOOST_AUTO_TEST_SUITE_END()
