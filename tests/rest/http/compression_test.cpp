// Compressed responses: their content, their headers, and which responses are never compressed.
#include "tests/support/gzip.hpp"
#include "tests/support/world/flow.hpp"

namespace tideover::test {
namespace {

const Headers kGzip{{"Accept-Encoding", "gzip, deflate, br"}};

struct Compression {
  World world;
  const ApiClient& api = *world.api;
};

bool varies(const Answer& answer) {
  return answer.head.find("\r\nVary: Accept-Encoding\r\n") != std::string::npos;
}

BOOST_AUTO_TEST_SUITE(compression)

BOOST_FIXTURE_TEST_CASE(a_long_response_is_compressed_for_a_client_that_accepts_it, Compression) {
  for (const char* path : {"/v1/metadata/reason-codes", "/v1/openapi.json", "/v1/openapi.yaml", "/docs/errors"}) {
    const Answer plain = api.get(path), packed = api.get(path, kGzip);
    BOOST_TEST(plain.header("Content-Encoding") == "", path);
    BOOST_TEST(packed.header("Content-Encoding") == "gzip", path);
    BOOST_TEST((gunzip(packed.body) == plain.body), path);
    BOOST_TEST(packed.body.size() * 2 < plain.body.size(), path);
    BOOST_TEST(packed.header("Content-Type") == plain.header("Content-Type"));
    BOOST_TEST((varies(plain) && varies(packed)), path);
  }
}

BOOST_FIXTURE_TEST_CASE(head_has_the_headers_of_get_in_each_coding, Compression) {
  for (const auto& headers : {Headers{}, kGzip}) {
    const Answer get = api.get("/v1/metadata/reason-codes", headers);
    const Answer head = api.send("HEAD", "/v1/metadata/reason-codes", headers);
    BOOST_TEST(head.status == 200);
    BOOST_TEST(head.body == "");
    for (const char* name : {"Content-Length", "Content-Encoding", "Content-Type"})
      BOOST_TEST(head.header(name) == get.header(name), name);
  }
}

BOOST_FIXTURE_TEST_CASE(short_responses_tags_and_tokens_stay_as_they_are, Compression) {
  expect_ok(api.post("/v1/claims/reviews", claim_body("GZIP-1")));
  const Answer health = api.get("/v1/health", kGzip);
  BOOST_TEST(health.header("Content-Encoding") == "");
  BOOST_TEST(!varies(health));
  const Answer status = api.get("/v1/claims/GZIP-1/status", kGzip);
  BOOST_TEST(status.header("Content-Encoding") == "");
  BOOST_TEST(status.header("ETag") == "\"v1\"");
  const Answer token = ApiClient(world.service->port())
                           .post("/v1/oauth/token",
                                 R"({"grant_type":"client_credentials","client_id":)" + test::quoted(world.client.id) +
                                     R"(,"client_secret":)" + test::quoted(world.client.secret) + "}",
                                 kGzip);
  BOOST_TEST(token.status == 200);
  BOOST_TEST(token.header("Content-Encoding") == "");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
