// Why an answer says what it says (?explain=true), by which rules it was made (Rules-Version), and reviews read again.
#include "tests/support/world/flow.hpp"

namespace tideover::test {
namespace {

Headers keyed(const std::string& key) {
  return {{"Idempotency-Key", key}};
}

/// Where the rule stands in `rules` of an explained answer.
std::string place_of(const Json& answer, const std::string& rule) {
  for (std::size_t i = 0; i < answer.size("/rules"); ++i)
    if (const auto place = "/rules/" + std::to_string(i); answer.text(place + "/rule") == rule) return place;
  BOOST_FAIL("no rule " + rule);
  return {};
}

struct ExplainWorld {
  ApiClient client_with(const std::string& scopes) const {
    return ApiClient(world.service->port(), world.folder.create_client({"--scopes", scopes}));
  }

  World world;
  const ApiClient& api = *world.api;
};

BOOST_FIXTURE_TEST_SUITE(explain, ExplainWorld)

BOOST_AUTO_TEST_CASE(an_explained_review_lists_every_rule_and_its_inputs_and_is_stored_like_any_other) {
  const Answer answer = api.post("/v1/claims/reviews?explain=true", claim_body("CLM-WHY"));
  const Json review = expect_ok(answer);
  const Json catalogue = expect_ok(api.get("/v1/rules"));
  BOOST_REQUIRE(review.size("/rules") == catalogue.size("/rules"));
  for (std::size_t i = 0; i < review.size("/rules"); ++i) {
    const auto place = "/rules/" + std::to_string(i);
    BOOST_TEST(review.text(place + "/rule") == catalogue.text(place + "/rule_id"));
  }
  const auto timely = place_of(review, "denial.timely_filing");
  BOOST_TEST(review.text(timely + "/outcome") == "pass");
  BOOST_TEST(review.text(timely + "/read/0/name") == "claim.days_to_submission");
  BOOST_TEST(review.text(place_of(review, "denial.sex_mismatch") + "/outcome") == "not_applicable");
  BOOST_TEST(review.text("/inputs/snapshot") == "");
  BOOST_TEST(review.flag("/inputs/payer/known"));
  BOOST_TEST(review.number("/inputs/by_rates/denial_probability") == review.number("/denial_probability"));
  BOOST_TEST(review.cents("/inputs/by_rates/expected") == review.cents("/expected_reimbursement/expected"));
  BOOST_TEST(answer.body.find("chart") == std::string::npos);  // rules do not read it, so it is not shown

  // The same again in another way: as it was stored, and as it is made again.
  const Json stored = expect_ok(api.get("/v1/reviews/" + review.text("/id")));
  BOOST_TEST(!stored.has("/rules"));
  BOOST_TEST(!stored.has("/inputs"));
  BOOST_TEST(stored.text("/authorization_id") == review.text("/authorization_id"));
  BOOST_TEST(expect_ok(api.post("/v1/reviews/" + review.text("/id") + "/replay", "{}")).flag("/equal"));
  BOOST_TEST(!expect_ok(api.post("/v1/claims/reviews?explain=false", claim_body("CLM-NOT"))).has("/rules"));
}

BOOST_AUTO_TEST_CASE(a_rule_that_finds_something_is_a_fail_with_its_finding) {
  expect_ok(api.post("/v1/claims/reviews", claim_body("CLM-LONGER-THAN-PAYERS-KEEP")));
  const Json review = expect_ok(api.post("/v1/claims/reviews?explain=true", claim_body("CLM-LONGER-THAN-PAYERS-KEEP")));
  const auto place = place_of(review, "denial.claim_identifier_long");
  BOOST_TEST(review.text(place + "/outcome") == "fail");
  BOOST_TEST(review.text(place + "/findings/0/rule") == "denial.claim_identifier_long");
  BOOST_TEST(review.text(place + "/findings/0/code") == review.text("/warnings/0/code"));
}

BOOST_AUTO_TEST_CASE(an_explained_answer_is_repeated_byte_for_byte_and_its_key_is_of_that_request_alone) {
  const Answer first = api.post("/v1/claims/reviews?explain=true", claim_body("CLM-KEY"), keyed("why-1"));
  expect_ok(first);
  const Answer again = api.post("/v1/claims/reviews?explain=true", claim_body("CLM-KEY"), keyed("why-1"));
  BOOST_TEST(again.body == first.body);
  BOOST_TEST(again.header("Idempotent-Replayed") == "true");
  BOOST_TEST(again.header("Rules-Version") == first.header("Rules-Version"));
  expect_error(api.post("/v1/claims/reviews", claim_body("CLM-KEY"), keyed("why-1")), 422, "idempotency_key_reused");
  BOOST_TEST(expect_ok(api.get("/v1/reviews?claim_identifier=CLM-KEY")).size("/data") == 1u);
}

BOOST_AUTO_TEST_CASE(values_are_shown_only_to_clients_that_may_read_claims) {
  const auto writer = client_with("reviews:write adjudications:write");
  const Json review = expect_ok(writer.post("/v1/claims/reviews", claim_body("CLM-WRITER")));
  const Answer refused = writer.post("/v1/claims/reviews?explain=true", claim_body("CLM-CURIOUS"));
  BOOST_TEST(expect_error(refused, 403, "insufficient_scope").text("/details/scope") == "claims:read");
  BOOST_TEST(refused.header("WWW-Authenticate").find("scope=\"claims:read\"") != std::string::npos);
  expect_error(api.get("/v1/claims/CLM-CURIOUS"), 404, "claim_not_found");
  const auto authorization = review.text("/authorization_id");
  expect_error(writer.post("/v1/claims/adjudications?explain=true", adjudication_body(authorization)), 403,
               "insufficient_scope");
  const Json terms = expect_ok(writer.post("/v1/claims/adjudications", adjudication_body(authorization)));
  BOOST_TEST(!terms.has("/rules"));
  const auto reader = client_with("reviews:write claims:read");
  BOOST_TEST(expect_ok(reader.post("/v1/claims/reviews?explain=true", claim_body("CLM-CURIOUS"))).has("/rules/0"));
}

BOOST_AUTO_TEST_CASE(explained_terms_show_inputs_proposal_and_bounds_of_the_rule) {
  const Json review = expect_ok(api.post("/v1/claims/reviews", claim_body("CLM-TERMS")));
  const Json terms =
      expect_ok(api.post("/v1/claims/adjudications?explain=true", adjudication_body(review.text("/authorization_id"))));
  BOOST_TEST(terms.size("/rules") == 1u);
  BOOST_TEST(terms.text("/rules/0/rule") == "terms.standard");
  BOOST_TEST(terms.text("/rules/0/outcome") == "pass");
  BOOST_TEST(terms.text("/rules/0/read/0/name") == "review.amount_source");
  BOOST_TEST(terms.text("/rules/0/read/0/value") == "\"published\"");
  BOOST_TEST(terms.text("/inputs/proposed/decision") == terms.text("/decision"));
  BOOST_TEST(terms.number("/inputs/proposed/advance_percentage") == 0.8);
  BOOST_TEST(terms.number("/inputs/limits/advance_percentage") == 0.9);
  const Json stored = expect_ok(api.get("/v1/settlements/" + terms.text("/settlement_id")));
  BOOST_TEST(!stored.has("/rules"));
}

BOOST_AUTO_TEST_CASE(answers_name_the_rules_that_they_were_made_by) {
  const Answer review = api.post("/v1/claims/reviews", claim_body("CLM-RULES"));
  const auto version = review.json().text("/model/rules_version");
  BOOST_TEST(review.header("Rules-Version") == version);
  BOOST_TEST(api.get("/v1/reviews/" + review.json().text("/id")).header("Rules-Version") == version);
  const Answer terms = api.post("/v1/claims/adjudications", adjudication_body(review.json().text("/authorization_id")),
                                keyed("terms-1"));
  BOOST_TEST(terms.header("Rules-Version") == version);
  BOOST_TEST(
      api.post("/v1/claims/adjudications", adjudication_body(review.json().text("/authorization_id")), keyed("terms-1"))
          .header("Rules-Version") == version);
  BOOST_TEST(api.post("/v1/claims/reviews", "{}").header("Rules-Version") == "");
  BOOST_TEST(api.get("/v1/rules").header("Rules-Version") == "");
  // Nothing that a client sends is taken for it.
  const std::string text = "\"rules_version\":\"x\"";
  for (int round = 0; round < 2; ++round) {
    const Answer sly = api.post("/v1/claims/reviews", claim_body(text), keyed("sly-1"));
    BOOST_TEST(sly.header("Rules-Version") == version);
    const Answer terms_of_sly = api.post("/v1/claims/adjudications",
                                         adjudication_body(sly.json().text("/authorization_id")), keyed("sly-terms"));
    BOOST_TEST(expect_ok(terms_of_sly).text("/claim_identifier") == text);
    BOOST_TEST(terms_of_sly.header("Rules-Version") == version);
    BOOST_TEST(terms_of_sly.header("Idempotent-Replayed") == (round == 0 ? "" : "true"));
  }
}

BOOST_AUTO_TEST_CASE(reviews_are_listed_page_by_page_in_the_order_in_which_they_were_made) {
  std::vector<std::string> made, listed;
  for (const char* claim : {"CLM-A", "CLM-B", "CLM-A", "CLM-C"})
    made.push_back(expect_ok(api.post("/v1/claims/reviews", claim_body(claim))).text("/id"));
  std::string cursor;
  int pages = 0;
  for (bool more = true; more; ++pages) {
    const Json page = expect_ok(api.get("/v1/reviews?limit=3&order=asc" + (cursor.empty() ? "" : "&cursor=" + cursor)));
    for (std::size_t i = 0; i < page.size("/data"); ++i)
      listed.push_back(page.text("/data/" + std::to_string(i) + "/id"));
    more = page.flag("/has_more");
    if (more) cursor = page.text("/next_cursor");
  }
  BOOST_TEST(pages == 2);
  BOOST_TEST(listed == made, boost::test_tools::per_element());
  BOOST_TEST(expect_ok(api.get("/v1/reviews?limit=1")).text("/data/0/id") == made.back());
  const auto count = [&](const std::string& query) { return expect_ok(api.get("/v1/reviews?" + query)).size("/data"); };
  BOOST_TEST(count("claim_identifier=CLM-A") == 2u);
  BOOST_TEST(count("claim_identifier=CLM-NONE") == 0u);
  BOOST_TEST(count("payer_id=SAMPLE-80") == 4u);
  BOOST_TEST(count("payer_id=SAMPLE-81") == 0u);
  BOOST_TEST(count("denial_predicted=false") == 4u);
  BOOST_TEST(count("denial_predicted=true&claim_identifier=CLM-A") == 0u);
  expect_error(api.get("/v1/reviews?denial_predicted=maybe"), 400, "invalid_parameter");
  expect_error(api.get("/v1/reviews/rev_01M7WPD88K0000000000000001"), 404, "not_found");
  const ApiClient neighbour(world.service->port(),
                            world.folder.create_client({"--role", "admin", "--tenant", "neighbour"}));
  BOOST_TEST(expect_ok(neighbour.get("/v1/reviews")).size("/data") == 0u);
  expect_error(neighbour.get("/v1/reviews/" + made.front()), 404, "not_found");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
