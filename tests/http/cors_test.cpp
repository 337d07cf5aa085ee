// The headers of CORS: which page may read a response, and what a preflight may do.
#include <yaml-cpp/yaml.h>

#include <boost/test/unit_test.hpp>

#include <set>

#include "core/http/cors.hpp"
#include "core/http/document/openapi_document.hpp"

using namespace tideover::http;

namespace {

const Cors kCors({"https://app.example.com", "http://127.0.0.1:3000"});

Request request_of(const std::string& origin, const std::string& wanted_method = "") {
  Request request;
  request.method = wanted_method.empty() ? "GET" : "OPTIONS";
  if (!origin.empty()) request.headers.add("Origin", origin);
  if (!wanted_method.empty()) request.headers.add("Access-Control-Request-Method", wanted_method);
  return request;
}

std::string value_of(const Headers& headers, std::string_view name) {
  const auto* value = headers.find(name);
  return value ? *value : "";
}

Headers shared(const Cors& cors, const std::string& origin) {
  Headers headers;
  cors.share(request_of(origin), headers);
  return headers;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(http_cors)

BOOST_AUTO_TEST_CASE(without_origins_no_response_has_a_header) {
  BOOST_TEST(shared(Cors({}), "https://app.example.com").size() == 0u);
  Headers headers;
  Cors({}).permit(request_of("https://app.example.com", "POST"), "POST", headers);
  BOOST_TEST(headers.size() == 0u);
}

BOOST_AUTO_TEST_CASE(an_allowed_origin_is_returned_as_it_was_sent) {
  for (const char* origin : {"https://app.example.com", "http://127.0.0.1:3000"}) {
    const auto headers = shared(kCors, origin);
    BOOST_TEST(value_of(headers, "Access-Control-Allow-Origin") == origin);
    BOOST_TEST(value_of(headers, "Vary") == "Origin");
    for (const char* name : {"X-Request-Id", "RateLimit", "RateLimit-Policy", "Retry-After", "Idempotent-Replayed"})
      BOOST_TEST(value_of(headers, "Access-Control-Expose-Headers").find(name) != std::string::npos, name);
    BOOST_TEST(!headers.find("Access-Control-Allow-Credentials"));
  }
}

BOOST_AUTO_TEST_CASE(another_origin_gets_vary_only_so_that_caches_keep_the_responses_apart) {
  for (const char* origin : {"", "null", "https://evil.example", "https://app.example.com.evil.example",
                             "https://app.example.com:444", "http://app.example.com", "HTTPS://app.example.com"}) {
    const auto headers = shared(kCors, origin);
    BOOST_TEST(headers.size() == 1u, origin);
    BOOST_TEST(value_of(headers, "Vary") == "Origin");
  }
}

BOOST_AUTO_TEST_CASE(a_preflight_names_methods_headers_and_a_duration) {
  Headers headers;
  kCors.permit(request_of("https://app.example.com", "POST"), "GET, POST", headers);
  BOOST_TEST(value_of(headers, "Access-Control-Allow-Methods") == "GET, POST");
  BOOST_TEST(
      value_of(headers, "Access-Control-Allow-Headers") ==
      "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Prefer, X-Request-Id, traceparent");
  BOOST_TEST(value_of(headers, "Access-Control-Max-Age") == "600");
  Headers of_another;
  kCors.permit(request_of("https://evil.example", "POST"), "POST", of_another);
  BOOST_TEST(of_another.size() == 0u);
}

/// The names of the header parameters that operations of the contract have.
std::vector<std::string> header_parameters() {
  std::vector<std::string> names;
  const auto document = YAML::Load(std::string(openapi_yaml()));
  for (const auto& parameter : document["components"]["parameters"])
    if (parameter.second["in"].as<std::string>() == "header")
      names.push_back(parameter.second["name"].as<std::string>());
  return names;
}

BOOST_AUTO_TEST_CASE(a_page_may_send_each_header_of_the_contract) {
  Headers headers;
  kCors.permit(request_of("https://app.example.com", "POST"), "POST", headers);
  const auto permitted = ", " + value_of(headers, "Access-Control-Allow-Headers") + ",";
  const auto names = header_parameters();
  BOOST_TEST(names.size() >= 4u);
  for (const auto& name : names) BOOST_TEST(permitted.find(", " + name + ",") != std::string::npos, name);
}

/// The names of the headers that responses of the contract have, apart from those that every page may read.
std::set<std::string> response_headers() {
  std::set<std::string> names;
  const auto add = [&](const YAML::Node& response) {
    for (const auto& header : response["headers"]) names.insert(header.first.as<std::string>());
  };
  const auto document = YAML::Load(std::string(openapi_yaml()));
  for (const auto& response : document["components"]["responses"]) add(response.second);
  for (const auto& path : document["paths"])
    for (const auto& operation : path.second)
      if (operation.second.IsMap())
        for (const auto& response : operation.second["responses"]) add(response.second);
  for (const char* readable : {"Cache-Control", "Pragma"}) names.erase(readable);
  return names;
}

BOOST_AUTO_TEST_CASE(a_page_may_read_each_header_of_the_contract) {
  const auto exposed = ", " + value_of(shared(kCors, "https://app.example.com"), "Access-Control-Expose-Headers") + ",";
  const auto names = response_headers();
  BOOST_TEST(names.size() >= 10u);
  for (const auto& name : names) BOOST_TEST(exposed.find(", " + name + ",") != std::string::npos, name);
}

BOOST_AUTO_TEST_CASE(options_without_a_wanted_method_is_no_preflight) {
  Headers headers;
  kCors.permit(request_of("https://app.example.com"), "GET", headers);
  BOOST_TEST(headers.size() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
