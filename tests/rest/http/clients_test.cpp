// Clients over the API and by commands: secrets, rotation without an outage, revocation, roles.
#include "tests/support/world/flow.hpp"

namespace tideover::test {
namespace {

struct ClientWorld {
  World world;
  ApiClient anyone{world.service->port()};

  Json create(const std::string& more = R"("scopes":["claims:read"])") const {
    return expect_ok(world.api->post("/v1/clients", R"({"name":"Nightly",)" + more + "}"));
  }
  Answer token(const std::string& id, const std::string& secret) const {
    return anyone.post("/v1/oauth/token", R"({"grant_type":"client_credentials","client_id":)" + quoted(id) +
                                              R"(,"client_secret":)" + quoted(secret) + "}");
  }
  Answer health(const std::string& access_token) const {
    return anyone.get("/v1/health", {{"Authorization", "Bearer " + access_token}});
  }
  bool ends_soon(const std::string& access_token) const {
    return eventually([&] { return health(access_token).status == 401; }, std::chrono::milliseconds(5500));
  }
  CommandResult command(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "client");
    arguments.insert(arguments.end(), {"--config", world.folder.config_file().string()});
    return run_tideover(arguments);
  }
};

std::string after(const std::string& text, const std::string& name) {
  const auto at = text.find(name + "=");
  BOOST_REQUIRE(at != std::string::npos);
  const auto from = at + name.size() + 1;
  return text.substr(from, text.find('\n', from) - from);
}

BOOST_AUTO_TEST_SUITE(clients)

BOOST_FIXTURE_TEST_CASE(a_client_is_created_with_a_secret_that_is_shown_once, ClientWorld) {
  const std::string body = R"({"name":"Nightly","role":"auditor"})";
  const Answer made = world.api->post("/v1/clients", body, {{"Idempotency-Key", "c-1"}});
  const Json client = expect_ok(made);
  BOOST_TEST(client.text("/client_secret").starts_with("cs_test_"));
  BOOST_TEST(client.text("/status") == "enabled");
  BOOST_TEST(client.text("/secrets/0/status") == "live");
  expect_ok(token(client.text("/client_id"), client.text("/client_secret")));
  const Json replay = expect_ok(world.api->post("/v1/clients", body, {{"Idempotency-Key", "c-1"}}));
  BOOST_TEST(replay.text("/client_id") == client.text("/client_id"));
  BOOST_TEST(!replay.has("/client_secret"));
  const Answer read = world.api->get("/v1/clients/" + client.text("/client_id"));
  BOOST_TEST(!expect_ok(read).has("/client_secret"));
  BOOST_TEST(!read.json().text("/last_used_at").empty());
  const Json list = expect_ok(world.api->get("/v1/clients"));
  BOOST_TEST(list.at("/data").Size() == 2u);
}

BOOST_FIXTURE_TEST_CASE(the_tokens_of_a_revoked_secret_end_and_those_of_the_other_one_do_not, ClientWorld) {
  const Json client = create();
  const std::string id = client.text("/client_id"), first = client.text("/client_secret");
  const std::string old_token = expect_ok(token(id, first)).text("/access_token");
  const Json rotated = expect_ok(world.api->post("/v1/clients/" + id + "/rotate-secret", "{}"));
  const std::string second = rotated.text("/client_secret");
  const std::string new_token = expect_ok(token(id, second)).text("/access_token");
  expect_ok(token(id, first));
  expect_error(world.api->post("/v1/clients/" + id + "/rotate-secret", "{}"), 409, "invalid_state");

  expect_ok(world.api->post_nothing("/v1/clients/" + id + "/secrets/" + client.text("/secrets/0/id") + "/revoke"));
  BOOST_TEST(ends_soon(old_token));
  expect_error(token(id, first), 401, "invalid_client");
  BOOST_TEST(health(new_token).status == 200);
}

BOOST_FIXTURE_TEST_CASE(a_disabled_client_loses_its_tokens_and_may_be_enabled_again, ClientWorld) {
  const Json client = create();
  const std::string id = client.text("/client_id"), secret = client.text("/client_secret");
  const std::string access = expect_ok(token(id, secret)).text("/access_token");
  BOOST_TEST(health(access).status == 200);
  const Json disabled = expect_ok(world.api->patch("/v1/clients/" + id, R"({"status":"disabled"})"));
  BOOST_TEST(disabled.text("/status") == "disabled");
  BOOST_TEST(ends_soon(access));
  expect_error(token(id, secret), 401, "invalid_client");
  expect_ok(world.api->patch("/v1/clients/" + id, R"({"status":"enabled"})"));
  expect_ok(token(id, secret));
  BOOST_TEST(health(access).status == 401);
  expect_error(world.api->patch("/v1/clients/" + world.client.id, R"({"status":"disabled"})"), 409, "invalid_state");
}

BOOST_FIXTURE_TEST_CASE(no_token_gives_or_takes_over_a_scope_that_it_lacks, ClientWorld) {
  const Json wide = create(R"("role":"integrator")");
  const ApiClient narrow(world.service->port(), world.client, "admin claims:read");
  const Answer refused = narrow.post("/v1/clients", R"({"name":"x","scopes":["claims:read","settlements:confirm"]})");
  BOOST_TEST(expect_error(refused, 403, "insufficient_scope").text("/details/scope") == "settlements:confirm");
  expect_ok(narrow.post("/v1/clients", R"({"name":"x","scopes":["claims:read"]})"));
  const std::string path = "/v1/clients/" + wide.text("/client_id");
  expect_error(narrow.post(path + "/rotate-secret", "{}"), 403, "insufficient_scope");
  expect_error(narrow.patch(path, R"({"name":"y"})"), 403, "insufficient_scope");
}

BOOST_FIXTURE_TEST_CASE(a_request_at_fault_names_every_field, ClientWorld) {
  const Json bare = expect_error(world.api->post("/v1/clients", "{}"), 400, "validation_error");
  BOOST_TEST(bare.text("/details/fields/name/0") == "required");
  BOOST_TEST(bare.text("/details/fields/scopes/0") == "required");
  const Json bad = expect_error(
      world.api->post("/v1/clients", R"({"name":"","role":"king","scopes":["claims:fly"],"expires_at":"soon"})"), 400,
      "validation_error");
  for (const char* field : {"name", "role", "scopes", "expires_at"})
    BOOST_TEST(bad.has(std::string("/details/fields/") + field), field);
  const Json past = expect_error(
      world.api->post("/v1/clients", R"({"name":"x","role":"funder","expires_at":"2020-01-01T00:00:00Z"})"), 400,
      "validation_error");
  BOOST_TEST(past.has("/details/fields/expires_at"));
  const std::string id = create().text("/client_id");
  expect_error(world.api->post("/v1/clients/" + id + "/rotate-secret", R"({"overlap_seconds":-1})"), 400,
               "validation_error");
  expect_error(world.api->post_nothing("/v1/clients/" + id + "/secrets/nonsense/revoke"), 404, "not_found");
}

BOOST_FIXTURE_TEST_CASE(an_empty_list_of_scopes_is_a_fault, ClientWorld) {
  const std::string path = "/v1/clients/" + create().text("/client_id");
  for (const auto& refused :
       {world.api->patch(path, R"({"scopes":[]})"), world.api->post("/v1/clients", R"({"name":"x","scopes":[]})")})
    BOOST_TEST(expect_error(refused, 400, "validation_error").text("/details/fields/scopes/0") == "must not be empty");
  BOOST_TEST(text_of(expect_ok(world.api->get(path)).at("/scopes")) == R"(["claims:read"])");
  expect_ok(world.api->patch(path, R"({"scopes":null,"name":"y"})"));
}

BOOST_AUTO_TEST_CASE(a_configured_role_is_one_of_the_roles_of_api_and_commands) {
  const World world(Store::sqlite, [](ServiceFolder& folder) {
    folder.set("roles.biller", "\"claims:read claims:write\"");
    folder.set("roles.funder", "settlements:read");
  });
  const Json roles = expect_ok(world.api->get("/v1/roles"));
  BOOST_TEST(roles.size("/data") == 8u);
  BOOST_TEST(roles.text("/data/7/role") == "biller");
  BOOST_TEST(text_of(roles.at("/data/2/scopes")) == R"(["settlements:read"])");
  const Json biller = expect_ok(world.api->post("/v1/clients", R"({"name":"b","role":"biller"})"));
  BOOST_TEST(text_of(biller.at("/scopes")) == R"(["claims:read","claims:write"])");
  const auto made = world.folder.create_client({"--role", "biller"});
  BOOST_TEST(text_of(expect_ok(world.api->get("/v1/clients/" + made.id)).at("/scopes")) ==
             R"(["claims:read","claims:write"])");
}

BOOST_FIXTURE_TEST_CASE(what_a_command_ended_the_api_does_not_bring_back, ClientWorld) {
  const std::string end = "2099-01-01T00:00:00.000Z";
  const auto ending = world.folder.create_client({"--role", "admin", "--expires-at", end});
  const ApiClient api(world.service->port(), ending);
  const auto refused_field = [&](const Answer& refused) {
    const Json refusal = expect_error(refused, 400, "validation_error");
    BOOST_TEST(refusal.text("/details/expires_at") == end);
    BOOST_TEST(refusal.has("/details/fields/expires_at"));
  };
  refused_field(api.patch("/v1/clients/" + ending.id, R"({"expires_at":"never"})"));
  refused_field(api.post("/v1/clients", R"({"name":"successor","role":"admin"})"));
  expect_error(api.post("/v1/clients/" + world.client.id + "/rotate-secret", "{}"), 409, "invalid_state");

  const Json client = create();
  const std::string id = client.text("/client_id"), secret = client.text("/client_secret");
  BOOST_TEST(command({"disable", id}).exit_code == 0);
  expect_error(world.api->patch("/v1/clients/" + id, R"({"status":"enabled"})"), 409, "invalid_state");
  expect_error(token(id, secret), 401, "invalid_client");
  BOOST_TEST(command({"enable", id}).exit_code == 0);
  expect_ok(token(id, secret));
}

BOOST_FIXTURE_TEST_CASE(the_roles_are_listed_with_their_scopes, ClientWorld) {
  const Json roles = expect_ok(world.api->get("/v1/roles"));
  BOOST_TEST(roles.at("/data").Size() == 7u);
  BOOST_TEST(roles.text("/data/0/role") == "integrator");
  BOOST_TEST(text_of(roles.at("/data/2/scopes")) ==
             R"(["settlements:read","settlements:confirm","settlements:cancel","metadata:read"])");
}

BOOST_FIXTURE_TEST_CASE(commands_rotate_list_and_revoke_secrets_of_a_running_service, ClientWorld) {
  const Credentials made = world.folder.create_client({"--role", "auditor", "--expires-at", "2099-01-01T00:00:00Z"});
  const std::string access = expect_ok(token(made.id, made.secret)).text("/access_token");
  const auto rotated = command({"rotate-secret", made.id, "--overlap", "2h"});
  BOOST_REQUIRE_MESSAGE(rotated.exit_code == 0, rotated.err);
  const std::string second = after(rotated.out, "client_secret");
  expect_ok(token(made.id, made.secret));
  expect_ok(token(made.id, second));
  BOOST_TEST(command({"rotate-secret", made.id}).exit_code == 1);
  BOOST_TEST(command({"rotate-secret", made.id, "--overlap", "soon"}).exit_code == 1);

  const auto secrets = command({"secrets", made.id});
  BOOST_TEST(secrets.out.find(second) == std::string::npos);
  const std::string first_id = secrets.out.substr(0, secrets.out.find(' '));
  BOOST_REQUIRE(first_id.starts_with("sec_"));
  BOOST_TEST(command({"revoke-secret", made.id, first_id}).exit_code == 0);
  BOOST_TEST(command({"secrets", made.id}).out.find("  revoked  ") != std::string::npos);
  BOOST_TEST(ends_soon(access));
  expect_error(token(made.id, made.secret), 401, "invalid_client");
  expect_ok(token(made.id, second));

  const auto list = command({"list"});
  BOOST_TEST(list.out.find("expires=2099-01-01T00:00:00.000Z") != std::string::npos, list.out);
  BOOST_TEST(list.out.find("last_used=20") != std::string::npos, list.out);
  BOOST_TEST(command({"set-expiry", made.id, "never"}).exit_code == 0);
  BOOST_TEST(command({"list"}).out.find("expires=2099") == std::string::npos);
  BOOST_TEST(command({"set-expiry", made.id, "2020-01-01T00:00:00Z"}).exit_code == 1);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
