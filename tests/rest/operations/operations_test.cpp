// The operators' own listener.
#include "tests/support/world/flow.hpp"

namespace tideover::test {
namespace {

BOOST_AUTO_TEST_SUITE(operations)

BOOST_AUTO_TEST_CASE(the_operators_pages_need_no_token_and_show_the_state) {
  World world;
  const ApiClient ops(world.service->ops_port());
  BOOST_TEST(ops.get("/livez").status == 200);

  const Json ready = expect_ok(ops.get("/readyz"));
  BOOST_TEST(ready.text("/status") == "ok");
  for (const char* check : {"store", "rules", "rails", "webhooks", "plugins"})
    BOOST_TEST(ready.flag(std::string("/checks/") + check + "/ok"));

  const Json version = expect_ok(ops.get("/version"));
  BOOST_TEST(version.text("/name") == "tideover");
  BOOST_TEST(version.text("/api_version") == "2026-11-20");
  BOOST_TEST(expect_ok(world.api->get("/v1/health")).text("/version") == version.text("/version"));

  expect_ok(world.api->post("/v1/claims/reviews", claim_body("CLM-1")));
  const Answer metrics = ops.get("/metrics");
  BOOST_TEST(metrics.status == 200);
  BOOST_TEST(metrics.header("Content-Type").starts_with("text/plain; version=0.0.4"));
  BOOST_TEST(metrics.body.find("/v1/claims/reviews") != std::string::npos, metrics.body);
  BOOST_TEST(metrics.body.find("\ntideover_learning_memory_bytes ") != std::string::npos, metrics.body);
  BOOST_TEST(ops.get("/v1/health").status == 404);
}

BOOST_AUTO_TEST_CASE(the_operators_pages_are_not_on_the_public_port) {
  World world;
  for (const char* page : {"/livez", "/readyz", "/metrics", "/version"})
    expect_error(world.api->get(page), 404, "route_not_found");
}

BOOST_AUTO_TEST_CASE(the_log_has_one_line_per_request_and_no_secrets) {
  World world;
  const Answer answer =
      world.api->post("/v1/claims/reviews", claim_body("CLM-LOGGED"), {{"X-Request-Id", "my-request.1"}});
  BOOST_TEST(answer.header("X-Request-Id") == "my-request.1");
  BOOST_TEST(eventually([&] { return read_file(world.folder.log_file()).find("my-request.1") != std::string::npos; }));
  const std::string log = read_file(world.folder.log_file());
  for (const auto& secret :
       {world.client.secret, world.api->token(), std::string("1234567893"), std::string("CLM-LOGGED")})
    BOOST_TEST(log.find(secret) == std::string::npos, secret);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
