// What the service answers on the paths of openapi.yaml, and that these are the paths that it has.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include "tests/contract/openapi.hpp"
#include "tests/contract/running.hpp"

namespace tideover::test {
namespace {

struct Contract : Running {
  OpenApi openapi;

  Answer call(const ApiClient& caller, const Operation& operation) const {
    const bool has_body = static_cast<bool>(operation.node["requestBody"]);
    return caller.send(operation.method, made_up(operation.path), {}, has_body ? "{}" : "");
  }
};

std::vector<std::string> split(const std::string& text, const std::string& separators) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : text + separators[0]) {
    if (separators.find(c) == std::string::npos) {
      word += c;
    } else if (!word.empty()) {
      words.push_back(std::exchange(word, ""));
    }
  }
  std::sort(words.begin(), words.end());
  return words;
}

/// The routes of the service, as "GET /v1/health": each has a counter in /metrics from the start on, called or not.
std::set<std::string> served_routes(std::uint16_t ops_port) {
  const std::string label = "tideover_http_requests_total{route=\"";
  std::set<std::string> routes;
  std::istringstream metrics(ApiClient(ops_port).get("/metrics").body);
  for (std::string line; std::getline(metrics, line);)
    if (line.starts_with(label)) routes.insert(line.substr(label.size(), line.find('"', label.size()) - label.size()));
  return routes;
}

std::vector<std::string> missing_in(const std::set<std::string>& other, const std::set<std::string>& names) {
  std::vector<std::string> missing;
  std::set_difference(names.begin(), names.end(), other.begin(), other.end(), std::back_inserter(missing));
  return missing;
}

BOOST_AUTO_TEST_SUITE(operations)

BOOST_FIXTURE_TEST_CASE(every_route_of_the_service_is_documented_and_every_operation_has_a_route, Contract) {
  std::set<std::string> documented;
  for (const auto& operation : openapi.operations()) documented.insert(operation.method + ' ' + operation.path);
  const auto served = served_routes(service.ops_port());
  BOOST_TEST(served.size() >= 20u);
  const auto undocumented = missing_in(documented, served);
  BOOST_TEST(undocumented.empty(), "routes that openapi.yaml lacks:" << listed(undocumented));
  const auto unserved = missing_in(served, documented);
  BOOST_TEST(unserved.empty(), "operations of openapi.yaml without a route:" << listed(unserved));
}

BOOST_FIXTURE_TEST_CASE(every_documented_operation_is_served_as_documented, Contract) {
  BOOST_TEST(openapi.operations().size() >= 20u);
  for (const auto& operation : openapi.operations()) {
    const Answer answer = call(api, operation);
    BOOST_TEST_CONTEXT(operation.id << ": " << answer.status << ' ' << answer.body) {
      BOOST_TEST((answer.status != 405 && answer.status != 500 && answer.status != 0));
      if (answer.status >= 400) BOOST_TEST(answer.json().text("/error") != "route_not_found");
      const auto faults = openapi.faults(operation, answer);
      BOOST_TEST(faults.empty(), listed(faults));
    }
  }
}

/// Maps, lists and scalars of both, in order. A JSON text is YAML.
void check_equal(const YAML::Node& one, const YAML::Node& other, const std::string& where) {
  BOOST_REQUIRE_MESSAGE(one.Type() == other.Type(), where);
  if (one.IsScalar()) BOOST_TEST(one.Scalar() == other.Scalar(), where);
  BOOST_REQUIRE_MESSAGE(one.size() == other.size(), where);
  if (one.IsSequence())
    for (std::size_t i = 0; i < one.size(); ++i) check_equal(one[i], other[i], where + '/' + std::to_string(i));
  if (!one.IsMap()) return;
  for (auto a = one.begin(), b = other.begin(); a != one.end(); ++a, ++b) {
    BOOST_REQUIRE_MESSAGE(a->first.Scalar() == b->first.Scalar(), where);
    check_equal(a->second, b->second, where + '/' + a->first.Scalar());
  }
}

BOOST_FIXTURE_TEST_CASE(the_service_returns_its_contract_without_a_token, Contract) {
  const ApiClient anonymous(service.port());
  std::ifstream file(std::string(TIDEOVER_SOURCE_DIR) + "/api/rest/openapi.yaml", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  for (const std::string accept : {"", "application/yaml", "*/*"}) {
    Headers headers;
    if (!accept.empty()) headers.emplace_back("Accept", accept);
    const Answer yaml = anonymous.send("GET", "/v1/openapi.yaml", headers);
    BOOST_TEST(yaml.status == 200);
    BOOST_TEST(yaml.header("Content-Type") == "application/yaml");
    BOOST_TEST((yaml.body == text));
  }
  const Answer page = anonymous.send("GET", "/docs/errors", {{"Accept", "text/html"}});
  BOOST_TEST(page.status == 200);
  for (const auto& name : YAML::Load(text)["components"]["schemas"]["ErrorName"]["enum"]) {
    const auto code = name.as<std::string>();
    BOOST_TEST(page.body.find("<tr id=\"" + code + "\">") != std::string::npos, code);
  }
  BOOST_TEST(anonymous.send("GET", "/v1/openapi.yaml", {{"Accept", "text/html"}}).status == 406);
  // The only type of these two is another one.
  for (const char* path : {"/v1/openapi.yaml", "/docs/errors"}) {
    const Answer refused = anonymous.send("GET", path, {{"Accept", "application/json"}});
    BOOST_TEST(refused.status == 406, path);
    BOOST_TEST(refused.json().text("/error") == "not_acceptable");
    BOOST_TEST(anonymous.send("GET", path, {{"Accept", "*/*"}}).status == 200, path);
    BOOST_TEST(anonymous.send("GET", path, {}).status == 200, path);
  }
  const Answer json = anonymous.get("/v1/openapi.json");
  BOOST_TEST(json.status == 200);
  BOOST_TEST(json.header("Content-Type") == "application/json");
  check_equal(YAML::Load(json.body), YAML::Load(text), "");
  BOOST_TEST(json.json().text("/openapi").starts_with("3.1."));
}

/// Whether the path is one of those that the template stands for.
bool is_of_template(const std::string& path, const std::string& path_template) {
  std::istringstream given(path), wanted(path_template);
  for (std::string one, other;;) {
    const bool has_one = bool(std::getline(given, one, '/')), has_other = bool(std::getline(wanted, other, '/'));
    if (!has_one || !has_other) return has_one == has_other;
    if (!other.starts_with('{') && one != other) return false;
  }
}

/// Methods of the path. A claim may be named like a path, so those of a template that it fits are among them.
std::vector<std::string> methods_of(const OpenApi& openapi, const std::string& path) {
  std::set<std::string> methods;
  for (const auto& operation : openapi.operations())
    if (is_of_template(path, operation.path)) methods.insert(operation.method);
  return {methods.begin(), methods.end()};
}

BOOST_FIXTURE_TEST_CASE(every_other_method_is_a_405_that_names_the_documented_ones, Contract) {
  for (const auto& [path, own_methods] : openapi.paths()) {
    const auto methods = methods_of(openapi, path);
    for (const std::string method : {"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"}) {
      const bool documented =
          std::find(methods.begin(), methods.end(), method == "HEAD" ? "GET" : method) != methods.end();
      if (documented) continue;
      const Answer answer = api.send(method, made_up(path), {});
      BOOST_TEST_CONTEXT(method << ' ' << path << ": " << answer.status << ' ' << answer.body) {
        BOOST_TEST(answer.status == 405);
        auto allowed = split(answer.header("Allow"), ", ");
        std::erase(allowed, "HEAD");
        std::erase(allowed, "OPTIONS");
        std::sort(allowed.begin(), allowed.end());
        BOOST_TEST(allowed == methods, boost::test_tools::per_element());
      }
    }
  }
}

BOOST_FIXTURE_TEST_CASE(head_is_answered_like_get_without_a_body, Contract) {
  const Answer get = api.get("/v1/metadata/reason-codes");
  const Answer head = api.send("HEAD", "/v1/metadata/reason-codes", {});
  BOOST_TEST(head.status == 200);
  BOOST_TEST(head.body == "");
  BOOST_TEST(head.header("Content-Length") == get.header("Content-Length"));
}

BOOST_FIXTURE_TEST_CASE(each_operation_takes_its_documented_query_parameters_and_no_other, Contract) {
  for (const auto& operation : openapi.operations()) {
    if (operation.scope == "none") continue;  // RFC 6749: the token endpoint ignores what it does not know
    const bool has_body = static_cast<bool>(operation.node["requestBody"]);
    const Answer answer =
        api.send(operation.method, made_up(operation.path) + "?no_such_parameter=1", {}, has_body ? "{}" : "");
    BOOST_TEST_CONTEXT(operation.id << ": " << answer.status << ' ' << answer.body) {
      BOOST_TEST(answer.status == 400);
      const Json refusal = answer.json();
      BOOST_TEST(refusal.text("/error") == "invalid_parameter");
      BOOST_TEST(refusal.has("/details/fields/no_such_parameter"));
      std::vector<std::string> allowed, documented = openapi.query_parameters(operation);
      for (const auto& name : refusal.at("/details/allowed").GetArray()) allowed.emplace_back(name.GetString());
      std::sort(allowed.begin(), allowed.end());
      std::sort(documented.begin(), documented.end());
      BOOST_TEST(allowed == documented, boost::test_tools::per_element());
    }
  }
}

BOOST_FIXTURE_TEST_CASE(each_operation_needs_its_documented_scope, Contract) {
  std::vector<std::string> scopes =
      split(ApiClient(service.port())
                .post("/v1/oauth/token", R"({"grant_type":"client_credentials","client_id":")" + client.id +
                                             R"(","client_secret":")" + client.secret + "\"}")
                .json()
                .text("/scope"),
            " ");
  const ApiClient anonymous(service.port());
  for (const auto& operation : openapi.operations()) {
    BOOST_TEST_CONTEXT(operation.id) {
      if (operation.scope == "none") {
        const Answer answer = call(anonymous, operation);
        BOOST_TEST((answer.status == 200 || answer.json().text("/error") != "unauthorized"));
        continue;
      }
      const Answer missing = call(anonymous, operation);
      BOOST_TEST(missing.status == 401);
      BOOST_TEST(openapi.faults(operation, missing).empty(), listed(openapi.faults(operation, missing)));
      if (operation.scope == "any") continue;
      std::string others;
      for (const auto& scope : scopes)
        if (scope != operation.scope) others += (others.empty() ? "" : " ") + scope;
      const Answer refused = call(ApiClient(service.port(), client, others), operation);
      BOOST_TEST(refused.status == 403);
      BOOST_TEST(refused.json().text("/details/scope") == operation.scope);
      BOOST_TEST(call(ApiClient(service.port(), client, operation.scope), operation).status != 403);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
