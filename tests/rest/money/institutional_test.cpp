// The claim of a facility (UB-04, 837I) from the request, or the file, to the remittance; and names of claims in URLs.
#include <chrono>

#include "tests/support/world/flow.hpp"

namespace tideover::test {
namespace {

namespace data = boost::unit_test::data;

/// Any of these may be left out or replaced by `more`, which begins with a comma.
std::string facility_claim(const std::string& identifier, const std::string& lines, const std::string& amount,
                           const std::string& more = "") {
  return R"({"claim_type":"institutional","claim_identifier":)" + quoted(identifier) + R"(,"chart_identifier":)" +
         quoted("CH-" + identifier) + R"(,"servicer_npi":"1234567893","billing_npi":"1999999984",)" +
         R"("patient_primary_payor_id":"SAMPLE-80","submitted_amount":)" + amount + more + R"(,"service_lines":[)" +
         lines + "]}";
}

std::string stay() {
  return R"(,"type_of_bill":"131","statement_from":")" + day(-7) + R"(","statement_through":")" + day(-4) + "\"";
}

const std::string kTwoLines = R"({"revenue_code":"450","cpt":"99284","units":1,"amount":400.00},)"
                              R"({"revenue_code":"0250","units":3,"amount":600.00})";

/// That many equal lines of a dollar.
std::string lines_of(int count) {
  std::string lines;
  for (int i = 0; i < count; ++i)
    lines += (i == 0 ? "" : ",") + std::string(R"({"revenue_code":"0300","cpt":"80048","units":1,"amount":1.00})");
  return lines;
}

/// The place of the warning with this code; "" when there is none.
std::string warning_of(const Json& review, const std::string& code) {
  for (std::size_t i = 0; i < review.size("/warnings"); ++i)
    if (review.text("/warnings/" + std::to_string(i) + "/code") == code) return "/warnings/" + std::to_string(i);
  return "";
}

struct Facility {
  explicit Facility(Store store = Store::sqlite) : world(store) {}

  Json review(const std::string& body) const { return expect_ok(api.post("/v1/claims/reviews", body)); }
  /// What is wrong with that field.
  std::string fault(const std::string& body, const std::string& field) const {
    const Json refusal = expect_error(api.post("/v1/claims/reviews", body), 400, "validation_error");
    return refusal.text("/details/fields/" + field + "/0");
  }

  World world;
  const ApiClient& api = *world.api;
};

BOOST_AUTO_TEST_SUITE(institutional_claims)

BOOST_DATA_TEST_CASE(a_claim_keeps_its_bill_stay_and_codes_in_normal_form, data::make(stores()), store) {
  const Facility facility(store);
  const std::string more =
      stay() + R"(,"admission_date":")" + day(-8) + R"(","discharge_date":")" + day(-4) +
      R"(","admission_type":"1","admission_source":"d","patient_status":"1","attending_npi":"1234567893",)" +
      R"("operating_npi":"1999999984","drg":"470","diagnosis_codes":["E11.9","I10"],)" +
      R"("present_on_admission":["y",null],"condition_codes":["09"],"occurrence_codes":[{"code":"11","date":")" +
      day(-9) + R"("}],"occurrence_spans":[{"code":"74","from":")" + day(-6) + R"(","through":")" + day(-5) +
      R"("}],"value_codes":[{"code":"80","amount":3}])";
  const Answer reviewed = facility.api.post("/v1/claims/reviews", facility_claim("UB-1", kTwoLines, "1000.00", more));
  const Json review = expect_ok(reviewed);
  BOOST_TEST(reviewed.header("X-Ignored-Fields") == "");
  for (const char* code : {"TYPE_OF_BILL_MISSING", "REVENUE_CODE_MISSING", "NPI_CHECK_DIGIT"})
    BOOST_TEST(warning_of(review, code) == "", code);

  const Json claim = expect_ok(facility.api.get("/v1/claims/UB-1"));
  for (const auto& [place, text] : std::map<std::string, std::string>{{"/claim_type", "institutional"},
                                                                      {"/type_of_bill", "0131"},
                                                                      {"/statement_from", day(-7)},
                                                                      {"/statement_through", day(-4)},
                                                                      {"/admission_date", day(-8)},
                                                                      {"/discharge_date", day(-4)},
                                                                      {"/admission_type", "1"},
                                                                      {"/admission_source", "D"},
                                                                      {"/patient_status", "01"},
                                                                      {"/attending_npi", "1234567893"},
                                                                      {"/operating_npi", "1999999984"},
                                                                      {"/drg", "470"},
                                                                      {"/present_on_admission/0", "Y"},
                                                                      {"/present_on_admission/1", ""},
                                                                      {"/condition_codes/0", "09"},
                                                                      {"/occurrence_codes/0/code", "11"},
                                                                      {"/occurrence_codes/0/date", day(-9)},
                                                                      {"/occurrence_spans/0/from", day(-6)},
                                                                      {"/occurrence_spans/0/through", day(-5)},
                                                                      {"/value_codes/0/code", "80"}})
    BOOST_TEST(claim.text(place) == text, place);
  BOOST_TEST(claim.cents("/value_codes/0/amount") == 300);

  facility.review(claim_body("CLM-OFFICE"));
  const Json office = expect_ok(facility.api.get("/v1/claims/CLM-OFFICE"));
  BOOST_TEST(office.text("/claim_type") == "professional");
  BOOST_TEST(!office.has("/type_of_bill"));
}

BOOST_AUTO_TEST_CASE(a_missing_bill_or_revenue_code_is_a_finding_of_institutional_claims_only) {
  const Facility facility;
  const std::string line = R"({"cpt":"99284","units":1,"amount":10.00})";
  const Json found =
      facility.review(facility_claim("UB-1", R"({"revenue_code":"0450","units":1,"amount":5.00},)" + line, "15.00"));
  BOOST_TEST(warning_of(found, "TYPE_OF_BILL_MISSING") != "");
  BOOST_TEST(found.integer(warning_of(found, "REVENUE_CODE_MISSING") + "/line") == 1);
  const Json office = facility.review(claim_body("CLM-OFFICE"));
  for (const char* code : {"TYPE_OF_BILL_MISSING", "REVENUE_CODE_MISSING"})
    BOOST_TEST(warning_of(office, code) == "", code);
}

BOOST_AUTO_TEST_CASE(a_wrong_check_digit_of_any_provider_is_a_warning_and_trims_the_confidence) {
  const Facility facility;
  const Json found =
      facility.review(facility_claim("UB-1", kTwoLines, "1000.00", stay() + R"(,"attending_npi":"1234567890")"));
  BOOST_TEST(warning_of(found, "NPI_CHECK_DIGIT") != "");
  BOOST_TEST(found.number("/confidence") <= 0.75);
}

BOOST_AUTO_TEST_CASE(it_has_up_to_999_lines_which_are_reviewed_at_once) {
  const Facility facility;
  for (const int count : {450, 999}) {
    const auto started = std::chrono::steady_clock::now();
    const Json review = expect_ok(facility.api.post(
        "/v1/claims/reviews?explain=true",
        facility_claim("UB-" + std::to_string(count), lines_of(count), std::to_string(count) + ".00", stay())));
    BOOST_TEST((std::chrono::steady_clock::now() - started < std::chrono::seconds(10)), count << " lines");
    // No rule ran out of instructions or memory.
    for (std::size_t i = 0; i < review.size("/rules"); ++i)
      BOOST_TEST(review.text("/rules/" + std::to_string(i) + "/outcome") != "error",
                 review.text("/rules/" + std::to_string(i) + "/rule"));
    BOOST_TEST(expect_ok(facility.api.get("/v1/claims/UB-" + std::to_string(count))).has("/review"));
  }
  BOOST_TEST(facility.fault(facility_claim("UB-1000", lines_of(1000), "1000.00", stay()), "service_lines") ==
             "must have at most 999 entries");
  std::string office = claim_body("CLM-51");
  const auto lines = office.find(R"("service_lines":[)") + std::string(R"("service_lines":[)").size();
  std::string many;
  for (int i = 0; i < 49; ++i) many += R"({"cpt":"99213","units":1,"amount":1.00},)";
  BOOST_TEST(facility.fault(office.insert(lines, many), "service_lines") == "must have at most 50 entries");
}

BOOST_AUTO_TEST_CASE(faults_name_their_field_and_a_professional_claim_has_none_of_these) {
  const Facility facility;
  for (const auto& [more, field] :
       std::map<std::string, std::string>{{R"("type_of_bill":"1131")", "type_of_bill"},
                                          {R"("statement_through":")" + day(-3) + "\"", "statement_from"},
                                          {R"("condition_codes":["123"])", "condition_codes[0]"},
                                          {R"("condition_codes":[9])", "condition_codes[0]"},
                                          {R"("occurrence_codes":[{"code":"11"}])", "occurrence_codes[0].date"},
                                          {R"("value_codes":[{"code":"80","amount":"3"}])", "value_codes[0].amount"},
                                          {R"("drg":470)", "drg"}})
    BOOST_TEST(facility.fault(facility_claim("UB-1", kTwoLines, "1000.00", "," + more), field) != "", field);

  std::string office = claim_body("CLM-OFFICE");
  office.insert(1, R"("type_of_bill":"0131",)");
  BOOST_TEST(facility.fault(office, "type_of_bill") == "is only for a claim with claim_type institutional");
  BOOST_TEST(facility.fault(R"({"claim_type":"dental",)" + claim_body("CLM-OFFICE").substr(1), "claim_type") ==
             "must be professional or institutional");
  expect_error(facility.api.get("/v1/claims/UB-1"), 404, "claim_not_found");
}

BOOST_AUTO_TEST_CASE(a_remittance_finds_the_claim_by_a_day_of_its_statement) {
  const Facility facility;
  const ApiClient& api = facility.api;
  const Json review = facility.review(facility_claim("UB-1", kTwoLines, "1000.00", stay()));
  const Json terms =
      expect_ok(api.post("/v1/claims/adjudications", adjudication_body(review.text("/authorization_id"))));
  BOOST_REQUIRE_EQUAL(terms.text("/decision"), "approved");
  const std::string settlement = terms.text("/settlement_id");
  expect_ok(api.post_nothing("/v1/settlements/" + settlement + "/confirm"));
  expect_ok(api.post("/v1/deposits", deposit_body("T-1", "790.00")));
  // Its day of service is within the statement, not its first day.
  expect_ok(api.post("/v1/remittances", remittance_body("T-1", "UB-1", "790.00")));
  BOOST_TEST(expect_ok(api.get("/v1/tasks?status=open")).size("/data") == 0u);
  BOOST_TEST(expect_ok(api.get("/v1/settlements/" + settlement + "/reconciliation")).text("/final_status") ==
             "settled");
}

BOOST_AUTO_TEST_CASE(an_837i_file_is_reviewed_with_all_its_fields) {
  const Facility facility;
  const std::string from = compact(day(-7)), through = compact(day(-4));
  const std::string file =
      "ISA*00*          *00*          *ZZ*SENDER         *ZZ*RECEIVER       *261120*0800*^*00501*000000001*0*P*:~"
      "GS*HC*SENDER*RECEIVER*20261120*0800*1*X*005010X223A2~ST*837*0001*005010X223A2~BHT*0019*00*1*" +
      through +
      "*0800*CH~HL*1**20*1~NM1*85*2*SAMPLE HOSPITAL*****XX*1999999984~HL*2*1*22*0~SBR*P*18*******CI~"
      "NM1*IL*1*SAMPLE*SAMPLE****MI*M1~NM1*PR*2*SAMPLE PAYER*****PI*SAMPLE-80~CLM*UB-837*1000***11:A:1~DTP*434*RD8*" +
      from + "-" + through +
      "~CL1*1*7*01~REF*EA*CH-837~HI*ABK:E119:::::::Y~HI*BE:80:::3~NM1*71*1*SAMPLE*SAMPLE****XX*1234567893~"
      "LX*1~SV2*0120**400*DA*3~LX*2~SV2*0305*HC:85025*600*UN*1~SE*20*0001~GE*1*1~IEA*1*000000001~";
  const Json started = expect_ok(facility.api.post("/v1/imports/claims", file_body("x12_837", file)));
  const std::string job = "/v1/imports/claims/" + started.text("/job_id");
  BOOST_REQUIRE(eventually([&] { return expect_ok(facility.api.get(job)).text("/status") == "succeeded"; }));
  const Json finished = expect_ok(facility.api.get(job));
  BOOST_TEST(finished.integer("/accepted_rows") == 1);
  const Json claim = expect_ok(facility.api.get("/v1/claims/UB-837"));
  BOOST_TEST(claim.text("/claim_type") == "institutional");
  BOOST_TEST(claim.text("/type_of_bill") == "0111");
  BOOST_TEST(claim.text("/statement_through") == day(-4));
  BOOST_TEST(claim.text("/patient_status") == "01");
  BOOST_TEST(claim.text("/present_on_admission/0") == "Y");
  BOOST_TEST(claim.cents("/value_codes/0/amount") == 300);
}

BOOST_AUTO_TEST_CASE(a_claim_is_named_as_a_url_can_name_it) {
  const Facility facility;
  for (const char* name : {".", "..", " .. "})
    BOOST_TEST(facility.fault(claim_body(name), "claim_identifier").starts_with("must not be . or .."), name);
  for (const char* name : {"reviews", "adjudications", "...", ".a"}) {
    facility.review(claim_body(name));
    BOOST_TEST(expect_ok(facility.api.get("/v1/claims/" + std::string(name))).text("/claim_identifier") == name);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
