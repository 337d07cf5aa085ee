#include <boost/test/unit_test.hpp>
#include <set>

#include "core/settings/reason_codes.hpp"
#include "tests/crypto/temp_folder.hpp"

using namespace tideover::settings;
using tideover::domain::ReasonCode;
using tideover::testing::TempFolder;

namespace {

const std::string kGood =
    "code: \"29\", system: CARC, description: d, group_codes: [CO], category: timely_filing, severity: denial, "
    "recommended_action: a";

std::string complaints(const std::string& records) {
  const TempFolder folder;
  const auto file = folder.write("codes.yaml", records);
  const auto result = load_reason_codes(file);
  const auto* errors = std::get_if<std::vector<SettingsError>>(&result);
  std::string text;
  if (errors != nullptr) {
    for (const SettingsError& error : *errors) text += error.text().substr(file.string().size()) + "\n";
  }
  return text;
}

std::string complaints_of_record(const std::string& record) {
  return complaints("reason_codes:\n- { " + record + " }\n");
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(settings_reason_codes)

BOOST_AUTO_TEST_CASE(the_shipped_catalogue_holds_the_starter_set) {
  const auto result = load_reason_codes(TIDEOVER_SOURCE_DIR "/config/reason_codes.yaml");
  BOOST_REQUIRE(std::holds_alternative<std::vector<ReasonCode>>(result));
  std::set<std::string> carcs, services;
  for (const ReasonCode& code : std::get<std::vector<ReasonCode>>(result)) {
    (code.system == "CARC" ? carcs : services).insert(code.code);
    BOOST_TEST(code.active);
  }
  BOOST_TEST((carcs == std::set<std::string>{"4",   "5",   "6",   "7",   "11",  "16",  "18",  "22",  "27",  "29",
                                             "31",  "45",  "50",  "58",  "96",  "97",  "107", "109", "110", "119",
                                             "129", "146", "151", "181", "182", "185", "197", "204", "206", "207",
                                             "208", "226", "236", "242", "252", "B7",  "B16"}));
  BOOST_TEST((services == std::set<std::string>{"NPI_CHECK_DIGIT", "PAYER_UNKNOWN", "NOT_PAID_TO_PROVIDER",
                                                "PROCEDURE_CODE_FORMAT", "MODIFIER_INVALID", "ZERO_CHARGE",
                                                "LINES_DO_NOT_BALANCE", "TIMELY_FILING", "DUPLICATE_CLAIM",
                                                "CLAIM_IDENTIFIER_LONG", "CLAIM_IDENTIFIER_CUT",
                                                "CLAIM_IDENTIFIER_SPREADSHEET", "OFTEN_DENIED", "RULE_ERROR",
                                                "TYPE_OF_BILL_MISSING", "REVENUE_CODE_MISSING"}));
}

BOOST_AUTO_TEST_CASE(every_value_of_a_record_is_read) {
  const TempFolder folder;
  const auto file =
      folder.write("codes.yaml", "reason_codes:\n- { " + kGood +
                                     ", active: false, effective_from: 2020-01-31 }\n"
                                     "- { code: LATE, system: SERVICE, description: x, group_codes: [CO, PR], "
                                     "category: coding, severity: info, recommended_action: y, maps_to: \"29\", "
                                     "effective_to: 2030-12-31 }\n");
  const auto codes = std::get<std::vector<ReasonCode>>(load_reason_codes(file));
  BOOST_REQUIRE(codes.size() == 2u);
  BOOST_TEST(codes[0].code == "29");
  BOOST_TEST(codes[0].active == false);
  BOOST_TEST(codes[0].effective_from == "2020-01-31");
  BOOST_TEST((codes[1].group_codes == std::vector<std::string>{"CO", "PR"}));
  BOOST_TEST(codes[1].description == "x");
  BOOST_TEST(codes[1].category == "coding");
  BOOST_TEST(codes[1].severity == "info");
  BOOST_TEST(codes[1].recommended_action == "y");
  BOOST_TEST(codes[1].maps_to == "29");
  BOOST_TEST(codes[1].active);
  BOOST_TEST(codes[1].effective_to == "2030-12-31");
}

BOOST_AUTO_TEST_CASE(each_fault_of_a_record_is_named_where_it_stands) {
  BOOST_TEST(complaints_of_record(kGood) == "");
  BOOST_TEST(complaints_of_record(kGood + ", sevrity: info") ==
             ":2:132: unknown key 'sevrity'; did you mean 'severity'?\n");
  BOOST_TEST(complaints_of_record(kGood + ", code: 1") == ":2:132: duplicate key 'code'\n");
  BOOST_TEST(complaints_of_record(replaced(kGood, "system: CARC, ", "")) == ":2:3: the key 'system' is missing\n");
  BOOST_TEST(complaints_of_record(replaced(kGood, "CARC", "CRAC")) ==
             ":2:25: expected one of CARC, RARC, SERVICE, got 'CRAC'; did you mean 'CARC'?\n");
  BOOST_TEST(complaints_of_record(replaced(kGood, "[CO]", "[XX]")) ==
             ":2:61: expected one of CO, PR, OA, PI, got 'XX'\n");
  BOOST_TEST(complaints_of_record(replaced(kGood, "[CO]", "CO")) ==
             ":2:60: 'group_codes' must be a list, such as [CO, PR]\n");
  BOOST_TEST(complaints_of_record(replaced(kGood, "group_codes: [CO], ", "")) ==
             ":2:3: 'group_codes' must be a list, such as [CO, PR]\n");
  BOOST_TEST(complaints_of_record(replaced(kGood, "description: d", "description: []")) ==
             ":2:44: 'description' must be text\n");
  BOOST_TEST(complaints_of_record(kGood + ", active: maybe") == ":2:140: expected true or false, got 'maybe'\n");
  BOOST_TEST(complaints_of_record(kGood + ", effective_to: 2026-02-30") ==
             ":2:146: expected a date such as 2026-01-31, got '2026-02-30'\n");
  BOOST_TEST(complaints_of_record(kGood + ", maps_to: \"29\"") == ":2:141: only a SERVICE code maps to a CARC\n");
  BOOST_TEST(complaints_of_record(replaced(kGood, "CARC", "SERVICE") + ", maps_to: \"16\"") ==
             ":2:144: maps to '16', which is not a CARC of this file\n");
}

BOOST_AUTO_TEST_CASE(a_code_listed_twice_is_refused) {
  const std::string text = complaints("reason_codes:\n- { " + kGood + " }\n- { " + kGood + " }\n");
  BOOST_TEST(text.starts_with(":3:11: the code '29' was listed before at "));
  BOOST_TEST(text.ends_with("codes.yaml:2:11\n"));
}

BOOST_AUTO_TEST_CASE(a_file_of_another_shape_is_refused) {
  BOOST_TEST(complaints("") == ":1:1: expected a list under 'reason_codes'\n");
  BOOST_TEST(complaints("reason_codes: 1\n") == ":1:15: expected a list under 'reason_codes'\n");
  BOOST_TEST(complaints("reason_codes: [1]\n") == ":1:16: expected the keys and values of one reason code\n");
  BOOST_TEST(complaints("codes: []\nreason_codes: []\n") ==
             ":1:1: unknown or duplicate key 'codes'; the file has one list, 'reason_codes'\n");
}

BOOST_AUTO_TEST_SUITE_END()
