// Which route a method and a raw path mean, and how path parameters are decoded.
#include <boost/test/unit_test.hpp>

#include "core/http/route_table.hpp"

using namespace tideover::http;

namespace {

RouteTable table() {
  RouteTable routes;
  routes.add({"GET", "/v1/claims/{claim_id}", std::nullopt, BodyKind::none, {}});
  routes.add({"GET", "/v1/claims/{claim_id}/status", std::nullopt, BodyKind::none, {}});
  routes.add({"PATCH", "/v1/claims/{claim_id}/status", std::nullopt, BodyKind::json, {}});
  return routes;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(route_table)

BOOST_AUTO_TEST_CASE(a_parameter_is_decoded_by_segment) {
  const auto routes = table();
  const auto match = routes.match("GET", "/v1/claims/a%2Fb%20c/status");
  BOOST_REQUIRE(match.route != nullptr);
  BOOST_TEST(match.route->pattern == "/v1/claims/{claim_id}/status");
  BOOST_TEST(match.path.at(0) == "a/b c");
}

BOOST_AUTO_TEST_CASE(head_is_answered_by_get) {
  const auto routes = table();
  BOOST_TEST((routes.match("HEAD", "/v1/claims/x").route != nullptr));
}

BOOST_AUTO_TEST_CASE(a_wrong_method_names_the_right_ones) {
  const auto routes = table();
  const auto match = routes.match("DELETE", "/v1/claims/x/status");
  BOOST_TEST((match.route == nullptr));
  BOOST_TEST((match.allowed == std::vector<std::string>{"GET", "HEAD", "PATCH"}));
}

BOOST_AUTO_TEST_CASE(an_escape_that_is_not_needed_changes_no_route) {
  const auto routes = table();
  const auto match = routes.match("GET", "/v1/cl%61ims/x/stat%75s");
  BOOST_REQUIRE(match.route != nullptr);
  BOOST_TEST(match.route->pattern == "/v1/claims/{claim_id}/status");
}

BOOST_AUTO_TEST_CASE(each_spelling_of_a_path_has_one_path) {
  const auto routes = table();
  const auto one_path = [&](std::string_view sent) {
    const auto match = routes.match("GET", sent);
    return path_of(match.route->pattern, match.path);
  };
  for (const char* sent : {"/v1/claims/A:1/status", "/v1/claims/A%3A1/status", "/v1/cl%61ims/A%3a1/stat%75s"})
    BOOST_TEST(one_path(sent) == "/v1/claims/A:1/status", sent);
  BOOST_TEST(one_path("/v1/claims/a%2fb%20%25%c3%a4") == "/v1/claims/a%2Fb%20%25%C3%A4");
  BOOST_TEST(path_of("/v1/claims/{claim_id}/lines/{line}", {"a/b", "c"}) == "/v1/claims/a%2Fb/lines/c");
  BOOST_TEST(path_of("/v1/claims", {}) == "/v1/claims");
}

BOOST_AUTO_TEST_CASE(a_name_that_is_also_a_path_is_found_by_its_method) {
  auto routes = table();
  routes.add({"POST", "/v1/claims/reviews", std::nullopt, BodyKind::json, {}});
  const auto read = routes.match("GET", "/v1/claims/reviews");
  BOOST_REQUIRE(read.route != nullptr);
  BOOST_TEST(read.route->pattern == "/v1/claims/{claim_id}");
  BOOST_TEST(read.path.at(0) == "reviews");
  BOOST_TEST(routes.match("POST", "/v1/claims/reviews").route->pattern == "/v1/claims/reviews");
  routes.add({"GET", "/v1/claims/open", std::nullopt, BodyKind::none, {}});
  BOOST_TEST(routes.match("GET", "/v1/claims/open").route->pattern == "/v1/claims/open");
}

BOOST_AUTO_TEST_CASE(the_star_has_the_methods_of_all_paths) {
  const auto routes = table();
  const auto match = routes.match("OPTIONS", "*");
  BOOST_TEST((match.route == nullptr));
  BOOST_TEST((match.allowed == std::vector<std::string>{"GET", "HEAD", "PATCH"}));
}

BOOST_AUTO_TEST_CASE(an_invalid_path_matches_nothing) {
  const auto routes = table();
  for (const char* path : {"/v1/claims/", "/v1/claims/%FF", "/v1/claims/%00", "/v1/claims/%4", "/v1/claims/%zz",
                           "/v1/claims/x/", "/v1//claims/x", "v1/claims/x", "", "/v1/claims/x/y"}) {
    const auto match = routes.match("GET", path);
    BOOST_TEST((match.route == nullptr && match.allowed.empty()), path);
  }
}

BOOST_AUTO_TEST_SUITE_END()
