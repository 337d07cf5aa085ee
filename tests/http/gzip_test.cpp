// Which responses are compressed, and that their content stays the same.
#include <boost/test/unit_test.hpp>

#include "core/http/gzip.hpp"
#include "tests/support/gzip.hpp"

using namespace tideover::http;

namespace {

const std::string kLong = "{\"data\":\"" + std::string(5000, 'x') + "\"}";

Response response_of(const std::string& body, const std::string& type = "application/json") {
  Response response;
  response.headers.add("Content-Type", type);
  response.body = body;
  return response;
}

Response sent(Response response, const std::string& accepted) {
  Request request;
  request.method = "GET";
  if (!accepted.empty()) request.headers.add("Accept-Encoding", accepted);
  compress(request, response);
  return response;
}

bool is_packed(const Response& response) {
  const auto* coding = response.headers.find("Content-Encoding");
  return coding && *coding == "gzip";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(http_gzip)

BOOST_AUTO_TEST_CASE(a_long_text_is_compressed_for_a_client_that_accepts_gzip) {
  for (const char* type : {"application/json", "application/problem+json", "application/x-ndjson", "application/yaml",
                           "text/csv", "text/html; charset=utf-8"}) {
    const auto response = sent(response_of(kLong, type), "br, gzip");
    BOOST_TEST(is_packed(response), type);
    BOOST_TEST(response.body.size() < 200u);
    BOOST_TEST(tideover::test::gunzip(response.body) == kLong);
    BOOST_TEST(*response.headers.find("Vary") == "Accept-Encoding");
  }
}

BOOST_AUTO_TEST_CASE(another_client_gets_the_text_and_caches_know_of_the_difference) {
  for (const char* accepted : {"", "identity", "br", "gzip;q=0", "*;q=0"}) {
    const auto response = sent(response_of(kLong), accepted);
    BOOST_TEST(!is_packed(response), accepted);
    BOOST_TEST(response.body == kLong);
    BOOST_TEST(*response.headers.find("Vary") == "Accept-Encoding");
  }
}

BOOST_AUTO_TEST_CASE(a_short_text_and_a_format_with_a_compression_of_its_own_stay) {
  for (const auto& response : {response_of(std::string(1023, 'x')), response_of(kLong, "application/pdf"),
                               response_of(kLong, "application/edi-x12"), Response{200, {}, kLong}}) {
    const auto same = sent(response, "gzip");
    BOOST_TEST(!is_packed(same));
    BOOST_TEST(same.body == response.body);
    BOOST_TEST(!same.headers.find("Vary"));
  }
  BOOST_TEST(is_packed(sent(response_of(std::string(1024, 'x')), "gzip")));
}

BOOST_AUTO_TEST_CASE(a_body_with_a_tag_or_a_coding_stays) {
  auto tagged = response_of(kLong), packed = response_of(kLong);
  tagged.headers.add("ETag", "\"v2\"");
  packed.headers.add("Content-Encoding", "gzip");
  BOOST_TEST(sent(tagged, "gzip").body == kLong);
  BOOST_TEST(sent(packed, "gzip").body == kLong);
  BOOST_TEST(sent(packed, "gzip").headers.count("Content-Encoding") == 1u);
}

BOOST_AUTO_TEST_CASE(what_is_compressed_is_uncompressed_to_the_same) {
  std::string every_byte;
  for (int i = 0; i < 70'000; ++i) every_byte += static_cast<char>(i * i);
  for (const auto& content : {std::string(), kLong, every_byte}) {
    BOOST_TEST((gunzip(gzip(content)) == content));
    BOOST_TEST((gunzip(tideover::test::gzip(content)) == content));
  }
}

BOOST_AUTO_TEST_SUITE_END()
