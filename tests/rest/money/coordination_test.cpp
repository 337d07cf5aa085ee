// Claims on which this payer pays the rest, or does not pay the provider: by JSON and by an 837, from the review to the
// terms.
#include "tests/support/world/flow.hpp"

namespace tideover::test {
namespace {

/// A body of claim_body with fields before its closing brace.
std::string with_fields(std::string body, const std::string& fields) {
  return body.insert(body.rfind('}'), "," + fields);
}

bool warns(const Json& review, const std::string& code, const std::string& part) {
  for (std::size_t i = 0; i < review.size("/warnings"); ++i) {
    const auto at = "/warnings/" + std::to_string(i);
    if (review.text(at + "/code") == code && review.text(at + "/description").find(part) != std::string::npos)
      return true;
  }
  return false;
}

/// One claim of 1000.00; `sbr` is SBR01, `assigned` CLM08, `others` the parts of other payers.
std::string x12_837_of(const std::string& identifier, const std::string& sbr, const std::string& assigned,
                       const std::string& others) {
  const std::string transaction =
      "ST*837*0001*005010X222A1~BHT*0019*00*9*" + compact(day(0)) +
      "*0900*CH~HL*1**20*1~NM1*85*2*RIVER PRACTICE*****XX*1999999984~HL*2*1*22*0~SBR*" + sbr +
      "*18*******CI~NM1*IL*1*ROE*ALEX****MI*M9~NM1*PR*2*SAMPLE*****PI*SAMPLE-80~CLM*" + identifier +
      "*1000***11:B:1*Y*A*" + assigned + "*Y~NM1*82*1*REND*DR****XX*1234567893~" + others +
      "LX*1~SV1*HC:99213*1000*UN*1***1~DTP*472*D8*" + compact(day(-5)) + "~";
  return "ISA*00*          *00*          *ZZ*RIVER          *ZZ*CLEAR          "
         "*260101*0900*^*00501*000000009*0*P*:~GS*HC*RIVER*CLEAR*" +
         compact(day(0)) + "*0900*9*X*005010X222A1~" + transaction + "SE*" +
         std::to_string(std::count(transaction.begin(), transaction.end(), '~') + 1) + "*0001~GE*1*9~IEA*1*000000009~";
}

Json imported(const ApiClient& api, const std::string& file) {
  const auto job = expect_ok(api.post("/v1/imports/claims", file_body("x12_837", file))).text("/job_id");
  const auto seen = [&] { return expect_ok(api.get("/v1/imports/claims/" + job)); };
  BOOST_REQUIRE(
      eventually([&] { return seen().text("/status") == "succeeded" || seen().text("/status") == "failed"; }));
  return seen();
}

BOOST_AUTO_TEST_SUITE(coordination)

BOOST_AUTO_TEST_CASE(the_advance_covers_the_rest_behind_another_payer) {
  World world;
  const ApiClient& api = *world.api;
  const Json review = expect_ok(
      api.post("/v1/claims/reviews",
               with_fields(claim_body("REST"),
                           R"("payer_sequence":"secondary","paid_by_others":600.00,"benefits_assigned":true)")));
  BOOST_TEST(review.cents("/expected_reimbursement/allowed") == 20000);
  BOOST_TEST(review.cents("/expected_reimbursement/expected") == 20000);
  const Json terms =
      expect_ok(api.post("/v1/claims/adjudications", adjudication_body(review.text("/authorization_id"))));
  BOOST_TEST(terms.text("/decision") == "approved");
  BOOST_TEST(terms.cents("/terms/advance_amount") == 16000);
  const Json rollup = expect_ok(api.get("/v1/claims/REST"));
  BOOST_TEST(rollup.text("/payer_sequence") == "secondary");
  BOOST_TEST(rollup.cents("/paid_by_others") == 60000);
  BOOST_TEST(rollup.flag("/benefits_assigned"));
  BOOST_TEST(!rollup.has("/is_test"));
}

BOOST_AUTO_TEST_CASE(terms_say_why_a_payment_that_goes_elsewhere_is_not_advanced) {
  World world;
  const ApiClient& api = *world.api;
  const auto decided = [&](const std::string& identifier, const std::string& fields, const std::string& warning) {
    const Json review = expect_ok(api.post("/v1/claims/reviews", with_fields(claim_body(identifier), fields)));
    BOOST_TEST(warns(review, warning, ""), fields);
    const Json terms =
        expect_ok(api.post("/v1/claims/adjudications", adjudication_body(review.text("/authorization_id"))));
    return terms.text("/decision") + ' ' + terms.text("/decision_reasons/0");
  };
  BOOST_TEST(decided("A", R"("benefits_assigned":false)", "NOT_PAID_TO_PROVIDER") == "declined benefits_not_assigned");
  BOOST_TEST(decided("B", R"("is_encounter":true)", "NOT_PAID_TO_PROVIDER") == "declined encounter");
  BOOST_TEST(decided("C", R"("pay_to_plan":true)", "NOT_PAID_TO_PROVIDER") == "declined pay_to_other_plan");
  BOOST_TEST(decided("D", R"("payer_sequence":"tertiary")", "22") == "manual_review other_payer_amount_needs_review");
  BOOST_TEST(decided("E", R"("accepts_assignment":false)", "NOT_PAID_TO_PROVIDER") ==
             "manual_review assignment_needs_review");
  const Json replacement =
      expect_ok(api.post("/v1/claims/reviews", with_fields(claim_body("F"), R"("claim_frequency_code":"7")")));
  BOOST_TEST(expect_ok(api.post("/v1/claims/adjudications", adjudication_body(replacement.text("/authorization_id"))))
                 .text("/decision_reasons/0") == "replacement_needs_review");
}

BOOST_AUTO_TEST_CASE(an_837_names_other_payers_and_the_payee) {
  World world;
  const ApiClient& api = *world.api;
  const std::string first =
      "SBR*P*18*******CI~AMT*D*600~OI***Y***Y~NM1*IL*1*ROE*ALEX****MI*M8~NM1*PR*2*FIRST PLAN*****PI*FIRST-1~";
  BOOST_TEST(imported(api, x12_837_of("SECOND", "S", "Y", first)).text("/status") == "succeeded");
  BOOST_TEST(imported(api, x12_837_of("PATIENT", "P", "N", "")).text("/status") == "succeeded");
  const auto terms_of = [&](const std::string& identifier) {
    return expect_ok(
        api.post("/v1/claims/adjudications",
                 adjudication_body(expect_ok(api.get("/v1/claims/" + identifier)).text("/review/authorization_id"))));
  };
  const Json second = terms_of("SECOND");
  BOOST_TEST(second.cents("/expected_reimbursement") == 20000);
  BOOST_TEST(second.cents("/terms/advance_amount") == 16000);
  const Json patient = terms_of("PATIENT");
  BOOST_TEST(patient.text("/decision") == "declined");
  BOOST_TEST(patient.text("/decision_reasons/0") == "benefits_not_assigned");
}

BOOST_AUTO_TEST_CASE(a_review_names_the_payer_that_lost_or_added_zeros_may_mean) {
  World world;
  BOOST_TEST(warns(expect_ok(world.api->post("/v1/claims/reviews", claim_body("ZERO", "062308"))), "PAYER_UNKNOWN",
                   "did you mean 62308?"));
  BOOST_TEST(!warns(expect_ok(world.api->post("/v1/claims/reviews", claim_body("NONE", "99999"))), "PAYER_UNKNOWN",
                    "did you mean"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
