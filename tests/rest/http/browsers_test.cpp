// What a browser meets: pages of other origins (CORS), and the documentation of the service as pages of its own.
#include "tests/support/gzip.hpp"
#include "tests/support/world/flow.hpp"

namespace tideover::test {
namespace {

const std::string kOrigin = "https://app.example.com";

Headers preflight(const std::string& origin) {
  return {{"Authorization", ""},
          {"Origin", origin},
          {"Access-Control-Request-Method", "POST"},
          {"Access-Control-Request-Headers", "authorization,content-type,idempotency-key"}};
}

bool has_header(const Answer& answer, const std::string& line) {
  return answer.head.find("\r\n" + line + "\r\n") != std::string::npos;
}

void expect_no_sharing(const Answer& answer) {
  BOOST_TEST(answer.head.find("Access-Control-") == std::string::npos, answer.head);
}

BOOST_AUTO_TEST_SUITE(browsers)

BOOST_AUTO_TEST_CASE(no_page_of_another_origin_may_call_unless_its_origin_is_configured) {
  const World world;
  expect_no_sharing(world.api->get("/v1/health", {{"Origin", kOrigin}}));
  expect_no_sharing(world.api->get("/v1/health", {{"Origin", kOrigin}, {"Authorization", ""}}));
  const Answer options = world.api->send("OPTIONS", "/v1/claims/reviews", preflight(kOrigin));
  BOOST_TEST(options.status == 204);
  expect_no_sharing(options);
  BOOST_TEST(options.header("Vary") == "");
}

BOOST_AUTO_TEST_CASE(a_page_of_a_configured_origin_may_ask_call_and_read) {
  const World world(Store::sqlite, [](ServiceFolder& folder) {
    folder.set("server.cors_origins", "[http://127.0.0.1:3000, https://app.example.com]");
  });
  const Answer options = world.api->send("OPTIONS", "/v1/claims/reviews", preflight(kOrigin));
  BOOST_TEST(options.status == 204);
  BOOST_TEST(options.header("Access-Control-Allow-Origin") == kOrigin);
  BOOST_TEST(options.header("Access-Control-Allow-Methods") == options.header("Allow"));
  for (const char* name : {"Authorization", "Content-Type", "Idempotency-Key"})
    BOOST_TEST(options.header("Access-Control-Allow-Headers").find(name) != std::string::npos);
  BOOST_TEST(options.header("Access-Control-Max-Age") == "600");

  const Answer created = world.api->post("/v1/claims/reviews", claim_body("CORS-1"), {{"Origin", kOrigin}});
  expect_ok(created);
  const Answer unauthorized = world.api->get("/v1/health", {{"Origin", kOrigin}, {"Authorization", ""}});
  expect_error(unauthorized, 401, "unauthorized");
  const Answer unknown = world.api->get("/v1/nothing", {{"Origin", kOrigin}});
  expect_error(unknown, 404, "route_not_found");
  const Answer refused = world.api->post("/v1/claims/reviews", std::string(2 << 20, ' '), {{"Origin", kOrigin}});
  expect_error(refused, 413, "payload_too_large");
  for (const auto& answer : {created, unauthorized, unknown, refused}) {
    BOOST_TEST(answer.header("Access-Control-Allow-Origin") == kOrigin);
    BOOST_TEST(answer.header("Access-Control-Expose-Headers").find("X-Request-Id") != std::string::npos);
    BOOST_TEST(has_header(answer, "Vary: Origin"));
    BOOST_TEST(answer.header("Access-Control-Allow-Credentials") == "");
  }

  for (const std::string other : {"https://evil.example", "null", "https://app.example.com:8443"}) {
    const Answer denied = world.api->send("OPTIONS", "/v1/claims/reviews", preflight(other));
    BOOST_TEST(denied.status == 204);
    expect_no_sharing(denied);
    BOOST_TEST(has_header(denied, "Vary: Origin"));
  }
  const Answer direct = world.api->get("/v1/health");
  expect_no_sharing(direct);
  BOOST_TEST(has_header(direct, "Vary: Origin"));
}

BOOST_AUTO_TEST_CASE(the_documentation_is_served_as_pages_without_a_token) {
  const World world;
  const ApiClient anyone(world.service->port());
  for (const std::string path : {"/docs", "/docs/guides", "/docs/guides/getting-started", "/docs/errors"}) {
    const Answer page = anyone.get(path, {{"Accept", "text/html"}});
    BOOST_TEST(page.status == 200, path);
    BOOST_TEST(page.header("Content-Type") == "text/html; charset=utf-8");
    BOOST_TEST(page.header("Content-Security-Policy").starts_with("default-src 'none'; "));
    BOOST_TEST(page.body.find("</html>") != std::string::npos);
    expect_error(anyone.get(path, {{"Accept", "application/json"}}), 406, "not_acceptable");
  }
  const std::string reference = anyone.get("/docs").body;
  for (const char* link : {"href=\"/docs/guides\"", "href=\"/docs/errors\"", "spec-url=\"/v1/openapi.json\""})
    BOOST_TEST(reference.find(link) != std::string::npos, link);
  BOOST_TEST(anyone.get("/docs/errors").body.find("href=\"/docs\"") != std::string::npos);
  expect_error(anyone.get("/docs/guides/none"), 404, "not_found");
  expect_error(anyone.get("/docs/nothing"), 404, "route_not_found");
}

BOOST_AUTO_TEST_CASE(the_script_of_the_reference_is_cached_by_its_tag_and_packed_once) {
  const World world;
  const ApiClient anyone(world.service->port());
  const Answer plain = anyone.get("/docs/redoc.js");
  BOOST_TEST(plain.status == 200);
  BOOST_TEST(plain.header("Content-Type") == "text/javascript; charset=utf-8");
  BOOST_TEST(plain.header("Content-Encoding") == "");
  const Answer packed = anyone.get("/docs/redoc.js", {{"Accept-Encoding", "gzip"}});
  BOOST_TEST(packed.header("Content-Encoding") == "gzip");
  BOOST_TEST((gunzip(packed.body) == plain.body));
  BOOST_TEST(packed.header("ETag") != plain.header("ETag"));
  for (const auto& answer : {plain, packed}) {
    BOOST_TEST(has_header(answer, "Vary: Accept-Encoding"));
    BOOST_TEST(answer.header("Cache-Control") == "no-cache");
  }

  const Answer known = anyone.get("/docs/redoc.js", {{"If-None-Match", "\"other\", W/" + plain.header("ETag")}});
  BOOST_TEST(known.status == 304);
  BOOST_TEST(known.body == "");
  BOOST_TEST(known.header("ETag") == plain.header("ETag"));
  BOOST_TEST(anyone.get("/docs/redoc.js", {{"If-None-Match", packed.header("ETag")}}).status == 200);

  const std::string page = anyone.get("/docs").body;
  const auto begin = page.find("/docs/redoc.js?v=");
  BOOST_REQUIRE(begin != std::string::npos);
  const std::string address = page.substr(begin, page.find('"', begin) - begin);
  BOOST_TEST(anyone.get(address).header("Cache-Control") == "public, max-age=31536000, immutable");
  BOOST_TEST(anyone.get(address + "0").header("Cache-Control") == "no-cache");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
