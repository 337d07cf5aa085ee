#include "tests/contract/openapi.hpp"

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace tideover::test {
namespace {

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
  return text;
}

}  // namespace

OpenApi::OpenApi()
    : root_(YAML::LoadFile(std::string(TIDEOVER_SOURCE_DIR) + "/api/rest/openapi.yaml")), schema_(root_) {
  for (const auto& path : root_["paths"])
    for (const auto& member : path.second)
      if (member.first.as<std::string>() != "parameters")
        operations_.push_back({member.second["operationId"].as<std::string>(), upper(member.first.as<std::string>()),
                               path.first.as<std::string>(), member.second["x-scope"].as<std::string>(),
                               member.second});
}

const Operation& OpenApi::operation(const std::string& id) const {
  for (const auto& operation : operations_)
    if (operation.id == id) return operation;
  throw std::runtime_error("openapi.yaml has no operation " + id);
}

std::map<std::string, std::vector<std::string>> OpenApi::paths() const {
  std::map<std::string, std::vector<std::string>> paths;
  for (const auto& operation : operations_) paths[operation.path].push_back(operation.method);
  return paths;
}

std::vector<std::string> OpenApi::query_parameters(const Operation& operation) const {
  std::vector<std::string> names;
  for (const auto& listed : operation.node["parameters"]) {
    const auto parameter = schema_.resolve(listed);
    if (parameter["in"].as<std::string>() == "query") names.push_back(parameter["name"].as<std::string>());
  }
  return names;
}

YAML::Node OpenApi::query_parameter(const Operation& operation, const std::string& name) const {
  for (const auto& listed : operation.node["parameters"]) {
    const auto parameter = schema_.resolve(listed);
    if (parameter["in"].as<std::string>() == "query" && parameter["name"].as<std::string>() == name) return parameter;
  }
  return YAML::Node(YAML::NodeType::Undefined);
}

bool OpenApi::returns_list(const Operation& operation) const {
  auto schema = schema_.resolve(response(operation, 200)["content"]["application/json"]["schema"]);
  if (!schema) return false;
  if (schema["properties"]["has_more"]) return true;
  for (const auto& part : schema["allOf"])
    if (schema_.resolve(part)["properties"]["has_more"]) return true;
  return false;
}

YAML::Node OpenApi::response(const Operation& operation, int status) const {
  const YAML::Node responses = operation.node["responses"];
  const YAML::Node listed = responses[std::to_string(status)];
  return schema_.resolve(listed ? listed : responses["default"]);
}

std::vector<std::string> OpenApi::response_faults(const Operation& operation, int status,
                                                  const rapidjson::Value& body) const {
  const auto content = response(operation, status)["content"];
  const auto whole = content["application/json"];  // else the schema of one line
  return schema_.faults((whole ? whole : content["application/x-ndjson"])["schema"], body);
}

std::vector<std::string> OpenApi::request_faults(const Operation& operation, const rapidjson::Value& body) const {
  return schema_.faults(operation.node["requestBody"]["content"]["application/json"]["schema"], body);
}

std::vector<std::string> OpenApi::faults(const Operation& operation, const Answer& answer) const {
  const bool has_lines = answer.header("Content-Type") == "application/x-ndjson";
  const std::string type = answer.header("Content-Type").substr(0, answer.header("Content-Type").find(';'));
  const bool is_text = type == "application/yaml" || type.starts_with("text/");
  if (is_text && !response(operation, answer.status)["content"][type])
    return {"the type is not documented: " + answer.header("Content-Type")};
  const bool has_content = static_cast<bool>(response(operation, answer.status)["content"]);
  if (!has_content && !answer.body.empty()) return {"a body is not documented: " + answer.body};
  if (has_content && !has_lines && !is_text && answer.header("Content-Type") != "application/json")
    return {"the answer is no JSON: " + answer.body};
  std::vector<std::string> found;
  const auto check = [&](const std::string& json) {
    const auto faults = response_faults(operation, answer.status, Json(json).root());
    found.insert(found.end(), faults.begin(), faults.end());
  };
  std::istringstream lines(has_lines ? answer.body : "");
  for (std::string line; std::getline(lines, line);) check(line);
  if (has_content && !has_lines && !is_text) check(answer.body);
  // These depend on the request or the record; the others are on every answer that lists them.
  for (const auto& header : response(operation, answer.status)["headers"]) {
    const std::string name = header.first.as<std::string>();
    const bool conditional = name == "Idempotent-Replayed" || name == "X-Ignored-Fields" || name == "Link" ||
                             (name == "Retry-After" && answer.status != 503);
    if (!conditional && answer.header(name).empty()) found.push_back("the header " + name + " is missing");
  }
  return found;
}

std::string made_up(const std::string& path) {
  std::string target;
  for (std::size_t at = 0; at < path.size(); ++at) {
    if (path[at] != '{') {
      target += path[at];
      continue;
    }
    const auto end = path.find('}', at);
    const std::string name = path.substr(at + 1, end - at - 1);
    const std::string prefix = name == "settlement_id" ? "stl"
                               : name == "job_id"      ? "imp"
                               : name == "endpoint_id" ? "whe"
                                                       : "clm";
    target += prefix + "_01M7WPEP1G00000000000000ZZ";
    at = end;
  }
  return target;
}

std::string listed(const std::vector<std::string>& faults) {
  std::string text;
  for (const auto& fault : faults) text += "\n  " + fault;
  return text;
}

}  // namespace tideover::test
