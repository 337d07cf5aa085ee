// The token endpoint and what a token opens.
#include "tests/support/world/flow.hpp"

namespace tideover::test {
namespace {

struct TokenWorld {
  World world;
  ApiClient anyone{world.service->port()};

  std::string json(const std::string& secret, const std::string& more = "",
                   const std::string& grant = "client_credentials") const {
    return R"({"client_id":)" + quoted(world.client.id) + R"(,"client_secret":)" + quoted(secret) +
           R"(,"grant_type":)" + quoted(grant) + more + "}";
  }
  std::string form() const {
    return "grant_type=client_credentials&client_id=" + world.client.id + "&client_secret=" + world.client.secret;
  }
  Answer ask(const std::string& body, const Headers& headers = {}) const {
    return anyone.post("/v1/oauth/token", body, headers);
  }
  Headers basic() const { return {{"Authorization", "Basic " + base64(world.client.id + ":" + world.client.secret)}}; }
};

void expect_token(const Answer& answer) {
  const Json token = expect_ok(answer);
  BOOST_TEST(token.text("/token_type") == "Bearer");
  BOOST_TEST(token.integer("/expires_in") == 3600);
  BOOST_TEST(token.text("/access_token").size() > 20u);
  BOOST_TEST(answer.header("Cache-Control") == "no-store");
  BOOST_TEST(answer.header("Pragma") == "no-cache");
}

/// A refusal in both shapes: RFC 6749's and the service's own.
void expect_token_error(const Answer& answer, int status, const std::string& error) {
  const Json refusal = expect_error(answer, status, error);
  BOOST_TEST(refusal.text("/error_description") == refusal.text("/message"));
  BOOST_TEST(answer.header("Cache-Control") == "no-store");
}

const Headers kForm{{"Content-Type", "application/x-www-form-urlencoded"}};

BOOST_AUTO_TEST_SUITE(tokens)

BOOST_FIXTURE_TEST_CASE(json_form_and_basic_get_a_token, TokenWorld) {
  expect_token(ask(json(world.client.secret)));
  expect_token(ask(form(), kForm));
  Headers basic_form = basic();
  basic_form.insert(basic_form.end(), kForm.begin(), kForm.end());
  expect_token(ask("grant_type=client_credentials", basic_form));
  expect_token(ask(R"({"grant_type":"client_credentials"})", basic()));
}

BOOST_FIXTURE_TEST_CASE(bad_credentials_are_all_refused_alike, TokenWorld) {
  const Answer wrong = ask(json("cs_test_wrong"));
  expect_token_error(wrong, 401, "invalid_client");
  BOOST_TEST(wrong.header("WWW-Authenticate").starts_with("Basic"));
  const Answer unknown =
      ask(R"({"client_id":"cli_01M7WNTFJ00000000000000001","client_secret":"x","grant_type":"client_credentials"})");
  expect_token_error(unknown, 401, "invalid_client");
  BOOST_TEST(unknown.json().text("/message") == wrong.json().text("/message"));
  expect_token_error(ask("grant_type=client_credentials", {{"Authorization", "Basic ###"}, kForm.front()}), 401,
                     "invalid_client");
}

BOOST_FIXTURE_TEST_CASE(a_token_request_at_fault_says_how, TokenWorld) {
  expect_token_error(ask(json(world.client.secret, "", "password")), 400, "unsupported_grant_type");
  expect_token_error(ask(R"({"client_id":"x","client_secret":"y"})"), 400, "invalid_request");
  expect_token_error(ask(R"({"grant_type":"client_credentials"})"), 400, "invalid_request");
  const Json bare = expect_error(ask("{}"), 400, "invalid_request");
  BOOST_TEST(text_of(bare.at("/details/missing")) == R"(["grant_type","client_id","client_secret"])");
  BOOST_TEST(bare.text("/details/fields/client_id/0") == "required");
  expect_token_error(ask("{"), 400, "invalid_request");
  expect_token_error(ask(json(world.client.secret), basic()), 400, "invalid_request");
  expect_token_error(ask(json(world.client.secret, R"(,"scope":"claims:read nonsense")")), 400, "invalid_scope");
  expect_error(ask(json(world.client.secret), {{"Content-Type", "text/xml"}}), 415, "unsupported_media_type");
}

BOOST_FIXTURE_TEST_CASE(a_token_request_at_fault_has_the_code_of_rfc_6749_and_its_fields, TokenWorld) {
  const auto expect_field = [](const Answer& answer, const std::string& field) {
    expect_token_error(answer, 400, "invalid_request");
    BOOST_TEST(answer.json().has("/details/fields/" + field), answer.body);
  };
  Headers twice = basic();
  twice.push_back(twice.front());
  twice.push_back(kForm.front());
  expect_field(ask("grant_type=client_credentials", twice), "Authorization");
  expect_field(ask(form(), {kForm.front(), kForm.front()}), "Content-Type");
  expect_field(anyone.post("/v1/oauth/token?x=%ff", json(world.client.secret)), "x");
  expect_field(ask("grant_type=%zz", kForm), "grant_type");
  expect_field(ask(form() + "&scope=claims:read&scope=claims:read", kForm), "scope");
  expect_field(ask(json(world.client.secret), basic()), "Authorization");
  expect_field(ask(json(world.client.secret), basic()), "client_secret");
  // Another operation keeps its own code.
  expect_error(anyone.get("/v1/openapi.json?x=%ff"), 400, "invalid_parameter");
}

BOOST_FIXTURE_TEST_CASE(a_token_carries_the_scopes_that_were_asked_for, TokenWorld) {
  BOOST_TEST(expect_ok(ask(json(world.client.secret, R"(,"scope":"claims:read")"))).text("/scope") == "claims:read");
  const ApiClient reader(world.service->port(), world.client, "claims:read");
  expect_error(reader.get("/v1/claims/CLM-NONE"), 404, "claim_not_found");
  const Answer refused = reader.post("/v1/claims/reviews", claim_body("CLM-1"));
  const Json refusal = expect_error(refused, 403, "insufficient_scope");
  BOOST_TEST(refusal.text("/details/scope") == "reviews:write");
  BOOST_TEST(refused.header("WWW-Authenticate").find("insufficient_scope") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(only_a_whole_and_unchanged_token_is_accepted, TokenWorld) {
  expect_ok(world.api->get("/v1/health"));
  const Answer missing = anyone.get("/v1/health");
  expect_error(missing, 401, "unauthorized");
  BOOST_TEST(missing.header("WWW-Authenticate").starts_with("Bearer"));
  expect_error(anyone.get("/v1/health", {{"Authorization", "Token " + world.api->token()}}), 401, "unauthorized");

  const std::string good = world.api->token();
  std::vector<std::string> forged{"", "x", good + "A", good.substr(0, good.size() - 1), std::string(4000, 'A')};
  for (const std::size_t at : {std::size_t{3}, good.size() / 4, good.size() / 2, good.size() - 2}) {
    std::string altered = good;
    altered[at] = altered[at] == 'B' ? 'C' : 'B';
    forged.push_back(altered);
  }
  for (const auto& token : forged) {
    const Answer refused = anyone.get("/v1/health", {{"Authorization", "Bearer " + token}});
    expect_error(refused, 401, token.empty() ? "unauthorized" : "token_invalid");
  }
  BOOST_TEST(
      anyone.get("/v1/health", {{"Authorization", "Bearer x"}}).header("WWW-Authenticate").find("invalid_token") !=
      std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(a_token_of_another_service_is_refused, TokenWorld) {
  World other;
  expect_error(anyone.get("/v1/health", {{"Authorization", "Bearer " + other.api->token()}}), 401, "token_invalid");
}

BOOST_AUTO_TEST_CASE(the_tokens_of_a_disabled_client_end_within_five_seconds) {
  if (stores().size() < 2) {
    BOOST_TEST_MESSAGE("skipped: the embedded store cannot be changed from outside while the service runs");
    return;
  }
  World world(Store::mariadb);
  expect_ok(world.api->get("/v1/health"));
  const auto disabled =
      run_tideover({"client", "disable", world.client.id, "--config", world.folder.config_file().string()});
  BOOST_REQUIRE_MESSAGE(disabled.exit_code == 0, disabled.err);
  BOOST_TEST(eventually([&] { return world.api->get("/v1/health").status == 401; }, std::chrono::milliseconds(5500)));
  expect_error(world.api->get("/v1/health"), 401, "token_invalid");
  BOOST_CHECK_THROW(ApiClient(world.service->port(), world.client), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(a_missing_scope_is_named_in_the_challenge) {
  World world;
  const ApiClient narrow(world.service->port(), world.client, "claims:read");
  const Answer refused = narrow.get("/v1/ledger/balances");
  expect_error(refused, 403, "insufficient_scope");
  BOOST_TEST(refused.header("WWW-Authenticate") ==
             "Bearer realm=\"tideover\", error=\"insufficient_scope\", scope=\"reconciliation:read\"");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
