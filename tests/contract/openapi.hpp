// openapi.yaml as a list of operations, and the check of an answer against what it documents.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tests/contract/schema.hpp"
#include "tests/support/service/http_client.hpp"

namespace tideover::test {

struct Operation {
  std::string id;
  std::string method;  // upper case
  std::string path;    // with {parameters}
  std::string scope;   // "none", "any" or a scope
  YAML::Node node;
};

class OpenApi {
 public:
  OpenApi();

  const std::vector<Operation>& operations() const { return operations_; }
  const Operation& operation(const std::string& id) const;
  /// Path to its methods, upper case.
  std::map<std::string, std::vector<std::string>> paths() const;

  std::vector<std::string> query_parameters(const Operation& operation) const;
  /// The query parameter of that name; undefined where the operation has none.
  YAML::Node query_parameter(const Operation& operation, const std::string& name) const;
  /// Whether its response 200 is the envelope of a collection.
  bool returns_list(const Operation& operation) const;
  /// What in the answer is not as documented for its status: body, required headers.
  std::vector<std::string> faults(const Operation& operation, const Answer& answer) const;
  /// What in a JSON body is not as documented for that status ("default" where it is not listed).
  std::vector<std::string> response_faults(const Operation& operation, int status, const rapidjson::Value& body) const;
  std::vector<std::string> request_faults(const Operation& operation, const rapidjson::Value& body) const;

 private:
  YAML::Node response(const Operation& operation, int status) const;

  YAML::Node root_;
  Schema schema_;
  std::vector<Operation> operations_;
};

/// The path with an id that stands for nothing in each of its parameters.
std::string made_up(const std::string& path);
/// One line per fault.
std::string listed(const std::vector<std::string>& faults);

}  // namespace tideover::test
