// What a client reads of a funding whose answer it has lost: the transfer, and why the rail refused.
#include "tests/support/world/flow.hpp"

namespace tideover::test {
namespace {

BOOST_FIXTURE_TEST_SUITE(funding_state, World)

BOOST_AUTO_TEST_CASE(unconfirmed_terms_have_no_transfer) {
  const auto settlement = expect_ok(api->get("/v1/settlements/" + advance(*api, "CLM-1")));
  BOOST_TEST(!settlement.has("/funding/transfer_id"));
  BOOST_TEST(!settlement.has("/funding/reject"));
  BOOST_TEST(!settlement.has("/funding/return"));
  BOOST_TEST(!settlement.has("/funding/attempts/0"));
}

BOOST_AUTO_TEST_CASE(a_funded_settlement_names_its_transfer_wherever_it_is_read) {
  const std::string id = advance(*api, "CLM-1");
  const auto confirmed = expect_ok(api->post_nothing("/v1/settlements/" + id + "/confirm"));
  const auto settlement = expect_ok(api->get("/v1/settlements/" + id));
  BOOST_TEST(settlement.text("/funding/transfer_id") == confirmed.text("/funding/transfer_id"));
  BOOST_TEST(!settlement.has("/funding/reject"));
  const auto claim = expect_ok(api->get("/v1/claims/CLM-1"));
  BOOST_TEST(claim.text("/adjudication/funding/transfer_id") == confirmed.text("/funding/transfer_id"));
}

BOOST_AUTO_TEST_CASE(a_rejected_settlement_says_why_wherever_it_is_read) {
  const std::string id = advance(*api, "CLM-1", "SAME_DAY", "tok_ach_R03"), target = "/v1/settlements/" + id;
  const auto refused = expect_error(api->post_nothing(target + "/confirm"), 409, "rail_rejected");
  const auto says_why = [&](const Json& read, const std::string& funding) {
    BOOST_TEST(read.text(funding + "/funding_status") == "rejected");
    BOOST_TEST(read.text(funding + "/transfer_id").starts_with("trf_"));
    BOOST_TEST(read.text(funding + "/reject/code") == "R03");
    BOOST_TEST(read.text(funding + "/reject/reason") == refused.text("/details/reason"));
    BOOST_TEST(!read.has(funding + "/return"));
    BOOST_TEST(read.text(funding + "/attempts/0/transfer_id") == read.text(funding + "/transfer_id"));
    BOOST_TEST(read.text(funding + "/attempts/0/status") == "rejected");
    BOOST_TEST(read.text(funding + "/attempts/0/rail") == "SAME_DAY");
    BOOST_TEST(read.text(funding + "/attempts/0/reject/code") == "R03");
    BOOST_TEST(read.text(funding + "/attempts/0/reject/at") == read.text(funding + "/attempts/0/updated_at"));
    BOOST_TEST(!read.has(funding + "/attempts/1"));
  };
  says_why(expect_ok(api->get(target)), "/funding");
  says_why(expect_ok(api->get("/v1/claims/CLM-1")), "/adjudication/funding");
  says_why(expect_ok(api->post_nothing(target + "/cancel")), "/funding");
}

BOOST_AUTO_TEST_CASE(a_rejected_settlement_is_funded_over_another_rail) {
  const std::string id = advance(*api, "CLM-1", "SAME_DAY", "tok_ach_R03"), target = "/v1/settlements/" + id;
  const auto refused =
      expect_error(api->post_nothing(target + "/confirm", {{"Idempotency-Key", "k1"}}), 409, "rail_rejected");
  BOOST_TEST(refused.text("/details/change_funding") == "PATCH " + target + "/funding");
  const Headers key{{"Idempotency-Key", "change-1"}};
  const auto changed = expect_ok(api->patch(target + "/funding", R"({"rail":"RTP"})", key));
  BOOST_TEST(changed.text("/funding/rail") == "RTP");
  BOOST_TEST(changed.text("/funding/attempts/0/rail") == "SAME_DAY");
  BOOST_TEST(api->patch(target + "/funding", R"({"rail":"RTP"})", key).header("Idempotent-Replayed") == "true");
  const auto repeated = api->post_nothing(target + "/confirm", {{"Idempotency-Key", "k1"}});
  BOOST_TEST(repeated.status == 409);
  BOOST_TEST(repeated.header("Idempotent-Replayed") == "true");
  expect_ok(api->post_nothing(target + "/confirm", {{"Idempotency-Key", "k2"}}));
  const auto funded = expect_ok(api->get(target));
  BOOST_TEST(funded.text("/status") == "funded");
  BOOST_TEST(funded.text("/funding/attempts/0/status") == "rejected");
  BOOST_TEST(funded.text("/funding/attempts/1/rail") == "RTP");
  BOOST_TEST(!funded.has("/funding/attempts/2"));
  expect_error(api->patch(target + "/funding", R"({"rail":"SAME_DAY"})"), 409, "invalid_state");
}

BOOST_AUTO_TEST_CASE(a_fallback_pays_within_the_same_confirm) {
  const auto reviewed = expect_ok(api->post("/v1/claims/reviews", claim_body("CLM-1")));
  const auto terms =
      expect_ok(api->post("/v1/claims/adjudications", R"({"authorization_id":")" + reviewed.text("/authorization_id") +
                                                          R"(","funding":{"rail":"SAME_DAY","fallback":["RTP"]},)" +
                                                          R"("payout_account_token":"tok_ach_R03"})"));
  BOOST_TEST(terms.text("/funding/fallback/0") == "RTP");
  const std::string target = "/v1/settlements/" + terms.text("/settlement_id");
  const auto confirmed = expect_ok(api->post_nothing(target + "/confirm"));
  const auto funded = expect_ok(api->get(target));
  BOOST_TEST(funded.text("/funding/rail") == "RTP");
  BOOST_TEST(!funded.has("/funding/fallback"));
  BOOST_TEST(funded.text("/funding/attempts/0/reject/code") == "R03");
  BOOST_TEST(funded.text("/funding/attempts/1/transfer_id") == confirmed.text("/funding/transfer_id"));
}

BOOST_AUTO_TEST_CASE(a_quote_lists_every_rail_and_stores_nothing) {
  const auto reviewed = expect_ok(api->post("/v1/claims/reviews", claim_body("CLM-1")));
  const std::string body = R"({"authorization_id":")" + reviewed.text("/authorization_id") + R"("})";
  const auto quote = expect_ok(api->post("/v1/funding/quote", body));
  BOOST_TEST(quote.text("/rails/0/rail") == "RTP");
  BOOST_TEST(quote.has("/rails/0/terms/fees_estimate"));
  BOOST_TEST(quote.has("/rails/0/effective_date"));
  BOOST_TEST(!quote.has("/rails/0/next_cutoff_at"));
  BOOST_TEST(quote.text("/rails/1/rail") == "SAME_DAY");
  BOOST_TEST(quote.integer("/rails/1/seconds_to_cutoff") >= 0);
  const auto large = expect_ok(api->post("/v1/funding/quote", R"({"amount":2500000})"));
  BOOST_TEST(large.text("/rails/0/unavailable/error") == "rail_limit_exceeded");
  expect_error(api->post("/v1/funding/quote", "{}"), 400, "validation_error");
  expect_error(api->post("/v1/funding/quote", R"({"amount":0})"), 400, "validation_error");
  expect_error(api->post("/v1/funding/quote", R"({"amount":1,"authorization_id":"auth_1"})"), 400, "validation_error");
  expect_error(api->post("/v1/funding/quote", R"({"authorization_id":"auth_1"})"), 400, "validation_error");
  // The authorization is as free as before.
  const auto body_of_terms = adjudication_body(reviewed.text("/authorization_id"));
  expect_ok(api->post("/v1/claims/adjudications", body_of_terms));
  expect_error(api->post("/v1/funding/quote", body), 409, "authorization_already_used");
}

BOOST_AUTO_TEST_CASE(a_quote_of_terms_that_need_a_reviewer_says_so) {
  const auto reviewed = expect_ok(api->post("/v1/claims/reviews", claim_body("CLM-1", "TEST-REVIEW")));
  const auto quote = expect_ok(
      api->post("/v1/funding/quote", R"({"authorization_id":")" + reviewed.text("/authorization_id") + R"("})"));
  BOOST_TEST(quote.text("/rails/0/terms/decision") == "manual_review");
  BOOST_TEST(!quote.flag("/rails/0/available"));
  BOOST_TEST(quote.text("/rails/0/unavailable/error") == "manual_review_pending");
  BOOST_TEST(!quote.has("/rails/0/effective_date"));
}

BOOST_AUTO_TEST_CASE(a_quote_ignores_the_idempotency_key) {
  const Headers key{{"Idempotency-Key", "quote-1"}};
  expect_ok(api->post("/v1/funding/quote", R"({"amount":100})", key));
  const auto other = api->post("/v1/funding/quote", R"({"amount":200})", key);
  BOOST_TEST(expect_ok(other).cents("/rails/0/amount") == 20'000);
  BOOST_TEST(other.header("Idempotent-Replayed").empty());
}

BOOST_AUTO_TEST_CASE(a_change_of_funding_names_its_faults) {
  const std::string target = "/v1/settlements/" + advance(*api, "CLM-1") + "/funding";
  expect_error(api->patch(target, "{}"), 400, "validation_error");
  expect_error(api->patch(target, R"({"rail":"NO_SUCH_RAIL"})"), 400, "validation_error");
  expect_error(api->patch(target, R"({"fallback":["RTP"]})"), 400, "validation_error");
  expect_error(api->patch(target, R"({"payout_account_token":""})"), 400, "validation_error");
  expect_error(api->patch(target, R"({"rail":"RTP","desired_date":"2020-01-02"})"), 400, "invalid_desired_date");
  expect_error(api->patch("/v1/settlements/stl_unknown/funding", R"({"rail":"RTP"})"), 404, "settlement_not_found");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(funding_by_two_persons)

BOOST_DATA_TEST_CASE(the_client_that_chose_the_account_does_not_approve_and_the_other_way_round,
                     boost::unit_test::data::make(stores()), store) {
  World world(store, [](ServiceFolder& folder) { folder.set("funding.two_person_decisions", "always"); });
  const auto another_client = [&] {
    return ApiClient(world.service->port(), world.folder.create_client({"--role", "admin"}));
  };
  const ApiClient second = another_client(), third = another_client();
  const auto reviewed = expect_ok(world.api->post("/v1/claims/reviews", claim_body("CLM-1", "TEST-REVIEW")));
  const auto terms =
      expect_ok(world.api->post("/v1/claims/adjudications", adjudication_body(reviewed.text("/authorization_id"))));
  const std::string target = "/v1/settlements/" + terms.text("/settlement_id");
  const std::string decide = "/v1/tasks/" + terms.text("/task_id") + "/decide";
  const std::string account = R"({"payout_account_token":"tok_other"})";
  const std::string approve = R"({"decision":"approve","reason":"records checked"})";

  expect_ok(second.patch(target + "/funding", account));
  expect_error(world.api->post(decide, approve), 409, "invalid_state");
  expect_error(second.post(decide, approve), 409, "invalid_state");
  expect_error(world.api->post_nothing(target + "/confirm"), 409, "manual_review_pending");
  expect_ok(third.post(decide, approve));
  expect_error(third.patch(target + "/funding", account), 409, "invalid_state");
  expect_ok(second.patch(target + "/funding", R"({"rail":"SAME_DAY","fallback":["RTP"]})"));
  expect_ok(world.api->post_nothing(target + "/confirm"));

  const auto trail = world.api->get("/v1/audit?limit=100&object_id=" + terms.text("/settlement_id")).body;
  for (const char* members : {"/funding (payout_account_token)", "/funding (rail, fallback)"})
    BOOST_TEST(trail.find("PATCH /v1/settlements/{settlement_id}" + std::string(members)) != std::string::npos, trail);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
