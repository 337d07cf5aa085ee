// JSON Schema 2020-12 as far as openapi.yaml uses it: checks an answer against a schema of that file. A keyword that is
// not known here is an error, so that no promise goes unchecked silently.
#pragma once

#include <rapidjson/document.h>
#include <yaml-cpp/yaml.h>

#include <regex>
#include <string>
#include <unordered_map>
#include <vector>

namespace tideover::test {

class Schema {
 public:
  /// `root` resolves references such as #/components/schemas/Money.
  explicit Schema(YAML::Node root) : root_(std::move(root)) {}

  /// What is wrong, each with its JSON pointer; empty when the value fits.
  std::vector<std::string> faults(const YAML::Node& schema, const rapidjson::Value& value) const;
  /// The node that a reference stands for; the node itself when it is none.
  YAML::Node resolve(const YAML::Node& node) const;

 private:
  void check(const YAML::Node& schema, const rapidjson::Value& value, const std::string& at,
             std::vector<std::string>& faults) const;
  bool fits(const YAML::Node& schema, const rapidjson::Value& value) const { return faults(schema, value).empty(); }
  const std::regex& compiled(const std::string& pattern) const;

  YAML::Node root_;
  // openapi.yaml has some 2 000 references to some 200 schemas; each response is checked against many of them.
  mutable std::unordered_map<std::string, YAML::Node> resolved_;
  mutable std::unordered_map<std::string, std::regex> patterns_;
};

}  // namespace tideover::test
