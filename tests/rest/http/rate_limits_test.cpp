// Rate limits of a configured service, and what it answers to wrong secrets.
#include "tests/support/world/flow.hpp"

namespace tideover::test {
namespace {

std::string token_request(const std::string& id, const std::string& secret) {
  return R"({"grant_type":"client_credentials","client_id":)" + quoted(id) + R"(,"client_secret":)" + quoted(secret) +
         "}";
}

BOOST_AUTO_TEST_SUITE(rate_limits)

BOOST_AUTO_TEST_CASE(reads_beyond_the_rate_get_429_and_writes_do_not) {
  World world(Store::sqlite, [](ServiceFolder& folder) {
    folder.set("rate_limits.client.read.per_second", "1");
    folder.set("rate_limits.client.read.burst", "3");
  });
  Answer answer = world.api->get("/v1/health");
  BOOST_TEST(answer.header("RateLimit-Policy") == R"("read";q=1;w=1)");
  BOOST_TEST(answer.header("RateLimit").starts_with(R"("read";r=2;t=)"));
  BOOST_TEST(eventually([&] {
    answer = world.api->get("/v1/health");
    return answer.status == 429;
  }));
  const Json refusal = expect_error(answer, 429, "rate_limited");
  BOOST_TEST(refusal.text("/details/reason") == "rate");
  BOOST_TEST(refusal.flag("/retryable"));
  BOOST_TEST(answer.header("Retry-After") == "1");
  BOOST_TEST(answer.header("RateLimit").starts_with(R"("read";r=0;t=)"));
  const Answer written = world.api->post("/v1/claims/reviews", claim_body("CLM-1"));
  expect_ok(written);
  BOOST_TEST(written.header("RateLimit-Policy") == "");
}

BOOST_AUTO_TEST_CASE(token_requests_are_limited_per_client_id) {
  World world(Store::sqlite, [](ServiceFolder& folder) {
    folder.set("rate_limits.client.token.per_second", "1");
    folder.set("rate_limits.client.token.burst", "2");
  });
  const ApiClient anyone(world.service->port());
  Answer answer;
  BOOST_TEST(eventually([&] {
    answer = anyone.post("/v1/oauth/token", token_request(world.client.id, world.client.secret));
    return answer.status == 429;
  }));
  BOOST_TEST(answer.json().text("/details/reason") == "rate");
  BOOST_TEST(answer.header("RateLimit-Policy") == R"("token";q=1;w=1)");
  BOOST_TEST(answer.header("Cache-Control") == "no-store");
  expect_error(anyone.post("/v1/oauth/token", token_request("cli_01M7WNTFJ00000000000000009", "x")), 401,
               "invalid_client");
}

BOOST_AUTO_TEST_CASE(a_stranger_who_knows_a_client_id_uses_up_nothing_of_its_limit) {
  World world(Store::sqlite, [](ServiceFolder& folder) {
    folder.set("rate_limits.client.token.per_second", "1");
    folder.set("rate_limits.client.token.burst", "2");
    folder.set("security.token_failures", "3");
  });
  const ApiClient anyone(world.service->port());
  const auto ask = [&](const std::string& id, const std::string& secret) {
    return anyone.post("/v1/oauth/token", token_request(id, secret));
  };
  const auto fresh = world.folder.create_client();
  for (int i = 0; i < 20; ++i) BOOST_TEST(ask(fresh.id, "cs_test_wrong").status >= 400);
  expect_ok(ask(fresh.id, fresh.secret));
  // Of an id that does not exist the service says the same as of one that does.
  const std::string unknown = "cli_01M7WNTFJ00000000000000009";
  for (int i = 0; i < 3; ++i) expect_error(ask(unknown, "cs_test_wrong"), 401, "invalid_client");
  BOOST_TEST(expect_error(ask(unknown, "cs_test_wrong"), 429, "rate_limited").text("/details/reason") == "failures");
  expect_error(ask("cli_01M7WNTFJ00000000000000008", "cs_test_wrong"), 401, "invalid_client");
}

BOOST_AUTO_TEST_CASE(wrong_secrets_must_wait_and_the_right_one_need_not) {
  World world(Store::sqlite, [](ServiceFolder& folder) { folder.set("security.token_failures", "3"); });
  const ApiClient anyone(world.service->port());
  const auto ask = [&](const std::string& id, const std::string& secret) {
    return anyone.post("/v1/oauth/token", token_request(id, secret));
  };
  for (int i = 0; i < 3; ++i) expect_error(ask(world.client.id, "cs_test_wrong"), 401, "invalid_client");
  const Answer refused = ask(world.client.id, "cs_test_wrong");
  const Json refusal = expect_error(refused, 429, "rate_limited");
  BOOST_TEST(refusal.text("/details/reason") == "failures");
  BOOST_TEST(refused.header("Retry-After") == "1");
  expect_ok(ask(world.client.id, world.client.secret));
  expect_error(ask(world.client.id, "cs_test_wrong"), 429, "rate_limited");
  const auto other = world.folder.create_client();
  expect_error(ask(other.id, "cs_test_wrong"), 401, "invalid_client");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
