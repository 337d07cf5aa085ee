#include "core/http/document/openapi_document.hpp"

#include <yaml-cpp/yaml.h>

#include <stdexcept>

#include "core/http/wire/json/json.hpp"
#include "core/http/wire/json/writer.hpp"

namespace tideover::http {
namespace {

bool is_number(const std::string& text) {
  json::Document document;
  return json::parse(text, document) && document.root().kind() == json::Kind::number;
}

void write_scalar(json::Writer& out, const YAML::Node& node) {
  const auto& text = node.Scalar();
  const bool is_quoted = node.Tag() == "!";
  if (is_quoted) {
    out.string(text);
  } else if (text == "true" || text == "false") {
    out.boolean(text == "true");
  } else if (is_number(text)) {
    out.raw_number(text);
  } else {
    out.string(text);
  }
}

void write(json::Writer& out, const YAML::Node& node) {
  switch (node.Type()) {
    case YAML::NodeType::Map:
      out.begin_object();
      for (const auto& member : node) {
        out.key(member.first.Scalar());
        write(out, member.second);
      }
      out.end_object();
      return;
    case YAML::NodeType::Sequence:
      out.begin_array();
      for (const auto& item : node) write(out, item);
      out.end_array();
      return;
    case YAML::NodeType::Scalar:
      return write_scalar(out, node);
    case YAML::NodeType::Null:
      out.null();
      return;
    case YAML::NodeType::Undefined:
      throw std::runtime_error("the YAML document has an undefined node");
  }
}

}  // namespace

std::string json_of_yaml(std::string_view yaml) {
  std::string text;
  json::Writer out(text);
  write(out, YAML::Load(std::string(yaml)));
  return text;
}

std::string openapi_description() {
  return YAML::Load(std::string(openapi_yaml()))["info"]["description"].as<std::string>();
}

const std::string& openapi_json() {
  static const std::string text = json_of_yaml(openapi_yaml());
  return text;
}

}  // namespace tideover::http
