// POST /v1/claims/reviews?what_if=true: what changes of a claim would make of its review and terms, and nothing is
// kept.
#include "tests/support/world/flow.hpp"

namespace tideover::test {
namespace {

const std::string kTarget = "/v1/claims/reviews?what_if=true";

/// The claim with these further members.
std::string with(const std::string& claim, const std::string& members) {
  return claim.substr(0, claim.rfind('}')) + "," + members + "}";
}

const std::string kPatches = R"("patches":[{"label":"less","submitted_amount":500.00},)"
                             R"({"label":"another payer","patient_primary_payor_id":"SAMPLE-80"}])";

BOOST_AUTO_TEST_SUITE(what_if)

BOOST_DATA_TEST_CASE(patches_are_ranked_and_nothing_is_stored, boost::unit_test::data::make(stores()), store) {
  World world(store);
  const ApiClient& api = *world.api;
  const std::string claim = claim_body("WIF-1", "TEST-CARC-16");
  const Headers key{{"Idempotency-Key", "k1"}};
  const Answer answer = api.post(kTarget, with(claim, kPatches + R"(,"funding":{"rail":"RTP"})"), key);
  const Json tried = expect_ok(answer);
  BOOST_TEST(answer.header("Rules-Version") == tried.text("/base/model/rules_version"));
  BOOST_TEST(tried.text("/rail") == "RTP");
  BOOST_TEST(tried.flag("/base/denial_predicted"));
  BOOST_TEST(tried.text("/base/denial_reasons/0/code") == "16");
  BOOST_TEST(tried.text("/base/decision") == "declined");
  BOOST_TEST(!tried.has("/base/terms"));
  BOOST_REQUIRE(tried.size("/patches") == 2u);
  BOOST_TEST(tried.integer("/patches/0/index") == 1);
  BOOST_TEST(tried.text("/patches/0/label") == "another payer");
  BOOST_TEST(tried.text("/patches/0/decision") == "approved");
  BOOST_TEST(!tried.flag("/patches/0/denial_predicted"));
  BOOST_TEST(tried.cents("/patches/0/terms/advance_amount") == 64'000);
  BOOST_TEST(tried.cents("/patches/0/difference/advance_amount") == 64'000);
  BOOST_TEST(tried.cents("/patches/0/difference/fees_estimate") == tried.cents("/patches/0/terms/fees_estimate"));
  BOOST_TEST(tried.cents("/patches/0/difference/expected") ==
             tried.cents("/patches/0/expected_reimbursement/expected") -
                 tried.cents("/base/expected_reimbursement/expected"));
  BOOST_TEST(tried.number("/patches/0/difference/denial_probability") < 0);
  BOOST_TEST(tried.cents("/patches/1/difference/expected") < 0);
  for (const char* id : {"rev_", "auth_", "clm_"}) BOOST_TEST(answer.body.find(id) == std::string::npos, id);

  for (const char* list :
       {"/v1/claims", "/v1/reviews", "/v1/settlements", "/v1/tasks", "/v1/events?type=review.completed"})
    BOOST_TEST(expect_ok(api.get(list)).size("/data") == 0u, list);
  BOOST_TEST(api.get("/v1/audit?limit=100").body.find("/v1/claims/reviews") == std::string::npos);
  // The key is not used up.
  const Answer again = api.post(kTarget, claim, key);
  BOOST_TEST(expect_ok(again).size("/patches") == 0u);
  BOOST_TEST(again.header("Idempotent-Replayed") == "");
  const Answer reviewed = api.post("/v1/claims/reviews", claim, key);
  const Json review = expect_ok(reviewed);
  BOOST_TEST(reviewed.header("Idempotent-Replayed") == "");

  // It is what the review says.
  for (const char* member : {"/denial_predicted", "/denial_probability", "/denial_reasons", "/warnings",
                             "/expected_reimbursement", "/expected_payment_date", "/confidence", "/model"})
    BOOST_TEST(text_of(tried.at(std::string("/base") + member)) == text_of(review.at(member)), member);
  BOOST_TEST(expect_ok(api.post(kTarget, with(claim, kPatches))).size("/patches") == 2u);
  BOOST_TEST(expect_ok(api.get("/v1/reviews")).size("/data") == 1u);
}

struct Trial {
  World world;
  const ApiClient& api = *world.api;

  Json refused(const std::string& target, const std::string& body, const std::string& error = "validation_error",
               const Headers& headers = {}) const {
    return expect_error(api.post(target, body, headers), 400, error);
  }
};

BOOST_FIXTURE_TEST_CASE(a_settlement_that_waits_is_not_superseded, Trial) {
  const auto settlement = advance(api, "WIF-2");
  expect_ok(api.post(kTarget, with(claim_body("WIF-2"), kPatches)));
  BOOST_TEST(expect_ok(api.get("/v1/settlements/" + settlement)).text("/status") == "pending_confirmation");
  BOOST_TEST(expect_ok(api.get("/v1/claims/WIF-2/status")).integer("/version") == 1);
}

BOOST_FIXTURE_TEST_CASE(a_fault_names_the_patch_and_the_field, Trial) {
  const std::string claim = claim_body("WIF-3");
  const Json several = refused(
      kTarget, with(claim, R"("patches":[{},{"servicer_npi":"12"},{"service_lines":[{"units":0}]},{"facility":7}])"));
  for (const char* field : {"patches[1].servicer_npi", "patches[2].service_lines[0].units", "patches[3].facility"})
    BOOST_TEST(several.has(std::string("/details/fields/") + field), field);
  BOOST_TEST(!several.has("/details/fields/servicer_npi"));
  std::string many = "{}";
  for (int i = 0; i < 20; ++i) many += ",{}";
  BOOST_TEST(refused(kTarget, with(claim, R"("patches":[)" + many + "]")).has("/details/fields/patches"));
  BOOST_TEST(refused(kTarget, with(claim, R"("funding":{"rail":"WIRE"})")).has("/details/fields/funding.rail"));
  const std::string unknown = with(claim, R"("patches":[{"nickname":"x"}])");
  BOOST_TEST(api.post(kTarget, unknown).header("X-Ignored-Fields") == "patches[0].nickname");
  BOOST_TEST(refused(kTarget, unknown, "validation_error", {{"Prefer", "handling=strict"}})
                 .has("/details/fields/patches[0].nickname"));
}

BOOST_FIXTURE_TEST_CASE(patches_without_what_if_do_not_replace_the_claim, Trial) {
  const std::string body = with(claim_body("WIF-4"), kPatches);
  for (const char* target : {"/v1/claims/reviews", "/v1/claims/reviews?what_if=false"})
    BOOST_TEST(refused(target, body).has("/details/fields/patches"), target);
  BOOST_TEST(refused("/v1/claims/reviews", with(claim_body("WIF-4"), R"("funding":{"rail":"RTP"})"))
                 .has("/details/fields/funding"));
  BOOST_TEST(refused("/v1/claims/reviews?what_if=yes", body, "invalid_parameter").has("/details/fields/what_if"));
  BOOST_TEST(refused(kTarget + "&explain=true", body, "invalid_parameter").has("/details/fields/explain"));
  BOOST_TEST(expect_ok(api.get("/v1/claims")).size("/data") == 0u);
  const ApiClient reader(world.service->port(), world.folder.create_client({"--scopes", "claims:read"}));
  expect_error(reader.post(kTarget, body), 403, "insufficient_scope");
}

BOOST_AUTO_TEST_CASE(a_what_if_review_counts_as_a_read) {
  World world(Store::sqlite, [](ServiceFolder& folder) {
    folder.set("rate_limits.client.read.per_second", "1");
    folder.set("rate_limits.client.read.burst", "3");
    folder.set("rate_limits.client.write.per_second", "1");
    folder.set("rate_limits.client.write.burst", "5");
  });
  const Answer tried = world.api->post(kTarget, claim_body("WIF-5"));
  expect_ok(tried);
  BOOST_TEST(tried.header("RateLimit-Policy") == R"("read";q=1;w=1)");
  BOOST_TEST(tried.header("RateLimit").starts_with(R"("read";r=2;t=)"));
  const Answer reviewed = world.api->post("/v1/claims/reviews", claim_body("WIF-5"));
  expect_ok(reviewed);
  BOOST_TEST(reviewed.header("RateLimit").starts_with(R"("write";r=4;t=)"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
