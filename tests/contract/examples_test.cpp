// api/rest/examples: valid by openapi.yaml as they stand, and replayed against a running service by the rule in
// api/rest/README.md.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>

#include "tests/contract/openapi.hpp"
#include "tests/contract/running.hpp"

namespace tideover::test {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> examples() {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(fs::path(TIDEOVER_SOURCE_DIR) / "api" / "rest" / "examples"))
    found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

/// Ids and tokens of the examples, and what the service gave instead of them.
class StandIns {
 public:
  void add(const std::string& example, const std::string& real) {
    if (example != real) real_.emplace(example, real);
  }
  /// Every id or token at the same place in both.
  void learn(const rapidjson::Value& example, const rapidjson::Value& real) {
    static const std::regex given("[a-z]+_[0-9A-HJKMNP-TV-Z]{26}|v1\\.[a-z]+|whsec_.+|[0-9a-f]{64}");
    if (example.IsObject() && real.IsObject()) {
      for (const auto& member : example.GetObject())
        if (real.HasMember(member.name)) learn(member.value, real[member.name]);
    } else if (example.IsArray() && real.IsArray()) {
      for (rapidjson::SizeType i = 0; i < std::min(example.Size(), real.Size()); ++i) learn(example[i], real[i]);
    } else if (example.IsString() && real.IsString() && std::regex_match(example.GetString(), given)) {
      add(example.GetString(), real.GetString());
    }
  }
  std::string apply(std::string text) const {
    for (const auto& [example, real] : real_)
      for (auto at = text.find(example); at != std::string::npos; at = text.find(example, at + real.size()))
        text.replace(at, example.size(), real);
    return text;
  }

 private:
  std::map<std::string, std::string> real_;
};

Headers headers_of(const Json& example) {
  Headers headers;
  if (example.has("/request/headers"))
    for (const auto& header : example.at("/request/headers").GetObject())
      headers.emplace_back(header.name.GetString(), header.value.GetString());
  return headers;
}

bool holds(const Json& example, const Answer& answer) {
  if (!example.has("/response/eventually")) return true;
  for (const auto& wanted : example.at("/response/eventually").GetObject())
    if (answer.json().at(wanted.name.GetString()) != wanted.value) return false;
  return true;
}

BOOST_AUTO_TEST_SUITE(rest_examples)

BOOST_AUTO_TEST_CASE(the_examples_are_valid_and_there_is_one_per_operation) {
  const OpenApi openapi;
  std::vector<std::string> shown;
  for (const auto& file : examples()) {
    const Json example(read_file(file));
    const Operation& operation = openapi.operation(example.text("/operation"));
    shown.push_back(operation.id);
    BOOST_TEST_CONTEXT(file.filename()) {
      const int status = static_cast<int>(example.integer("/response/status"));
      const auto faults = openapi.response_faults(operation, status, example.at("/response/body"));
      BOOST_TEST(faults.empty(), listed(faults));
      if (example.has("/request/body") && status == 200) {
        const auto request = openapi.request_faults(operation, example.at("/request/body"));
        BOOST_TEST(request.empty(), listed(request));
      }
    }
  }
  for (const auto& operation : openapi.operations())
    BOOST_TEST(std::count(shown.begin(), shown.end(), operation.id) >= 1, "no example of " << operation.id);
}

BOOST_AUTO_TEST_CASE(the_examples_can_be_replayed) {
  const OpenApi openapi;
  Running running;
  const ApiClient anyone(running.service.port());
  StandIns stand_ins;
  stand_ins.add("cli_01M7WNTFJ00000000000000001", running.client.id);
  stand_ins.add("cs_test_example", running.client.secret);
  for (const auto& file : examples()) {
    const Json example(read_file(file));
    const Operation& operation = openapi.operation(example.text("/operation"));
    const std::string method = example.text("/request/method"), target = stand_ins.apply(example.text("/request/path"));
    const std::string body = example.has("/request/body") ? stand_ins.apply(text_of(example.at("/request/body"))) : "";
    const ApiClient& caller = operation.scope == "none" ? anyone : running.api;
    Answer answer;
    BOOST_TEST(eventually([&] {
      answer = caller.send(method, target, headers_of(example), body);
      return holds(example, answer);
    }));
    BOOST_TEST_CONTEXT(file.filename() << ": " << answer.body) {
      BOOST_TEST(answer.status == example.integer("/response/status"));
      const auto faults = openapi.faults(operation, answer);
      BOOST_TEST(faults.empty(), listed(faults));
      const Json real = answer.json();
      stand_ins.learn(example.at("/response/body"), real.root());
      if (!example.has("/response/exact")) continue;
      for (const auto& pointer : example.at("/response/exact").GetArray()) {
        const std::string where = pointer.GetString();
        const Json wanted(stand_ins.apply(text_of(example.at("/response/body" + where))));
        BOOST_TEST((real.has(where) && real.at(where) == wanted.root()), where << " is not " << text_of(wanted.root()));
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
