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
  BOOST_TEST((match.allowed == std::vector<std::string>{"GET", "PATCH"}));
}

BOOST_AUTO_TEST_CASE(an_invalid_path_matches_nothing) {
  const auto routes = table();
  for (const char* path : {"/v1/claims/", "/v1/claims/%FF", "/v1/claims/%00", "/v1/claims/%4", "/v1/claims/%zz",
                           "/v1/claims/x/", "/v1//claims/x", "v1/claims/x", "", "*", "/v1/claims/x/y"}) {
    const auto match = routes.match("GET", path);
    BOOST_TEST((match.route == nullptr && match.allowed.empty()), path);
  }
}

BOOST_AUTO_TEST_SUITE_END()
