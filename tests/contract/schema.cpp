#include "tests/contract/schema.hpp"

#include <cmath>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "tests/support/service/json.hpp"

namespace tideover::test {
namespace {

/// Keywords that describe and promise nothing.
const std::set<std::string> kAnnotations{"description", "examples", "default", "title", "contentEncoding", "x-lenient"};

bool is_plain(const YAML::Node& scalar) {
  return scalar.Tag() != "!";
}

/// A scalar of the YAML file as the JSON value that it stands for.
bool equals(const YAML::Node& scalar, const rapidjson::Value& value) {
  if (scalar.IsNull()) return value.IsNull();
  const std::string text = scalar.Scalar();
  if (is_plain(scalar) && (text == "true" || text == "false"))
    return value.IsBool() && value.GetBool() == (text == "true");
  return value.IsString() && value.GetString() == text;
}

bool has_type(const std::string& type, const rapidjson::Value& value) {
  if (type == "object") return value.IsObject();
  if (type == "array") return value.IsArray();
  if (type == "string") return value.IsString();
  if (type == "boolean") return value.IsBool();
  if (type == "null") return value.IsNull();
  if (type == "number") return value.IsNumber();
  if (type == "integer") return value.IsNumber() && std::floor(value.GetDouble()) == value.GetDouble();
  throw std::runtime_error("unknown type in the schema: " + type);
}

bool has_format(const std::string& format, const std::string& text) {
  static const std::regex date("[0-9]{4}-[0-9]{2}-[0-9]{2}");
  static const std::regex time("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z");
  static const std::regex uri("[a-z]+://.+");
  if (format == "date") return std::regex_match(text, date);
  if (format == "date-time") return std::regex_match(text, time);
  if (format == "uri") return std::regex_match(text, uri);
  if (format == "password") return true;
  throw std::runtime_error("unknown format in the schema: " + format);
}

std::size_t characters(const std::string& utf8) {
  std::size_t count = 0;
  for (const char c : utf8) count += (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  return count;
}

/// The fault of a value beyond a bound; empty when it is within, or when the bound is for another type.
const char* beyond_bound(const std::string& keyword, const YAML::Node& wanted, const rapidjson::Value& value) {
  if (keyword == "minLength" || keyword == "maxLength") {
    if (!value.IsString()) return "";
    const std::size_t length = characters(value.GetString()), bound = wanted.as<std::size_t>();
    return (keyword == "minLength" ? length < bound : length > bound) ? "has another length" : "";
  }
  if (keyword == "minItems" || keyword == "maxItems") {
    if (!value.IsArray()) return "";
    const std::size_t items = value.Size(), bound = wanted.as<std::size_t>();
    return (keyword == "minItems" ? items < bound : items > bound) ? "has another number of items" : "";
  }
  if (keyword == "minimum") return value.IsNumber() && value.GetDouble() < wanted.as<double>() ? "is too small" : "";
  if (keyword == "maximum") return value.IsNumber() && value.GetDouble() > wanted.as<double>() ? "is too large" : "";
  if (keyword == "exclusiveMinimum")
    return value.IsNumber() && value.GetDouble() <= wanted.as<double>() ? "is too small" : "";
  throw std::runtime_error("this checker does not know the keyword " + keyword);
}

}  // namespace

YAML::Node Schema::resolve(const YAML::Node& node) const {
  const YAML::Node listed = node.IsMap() ? node["$ref"] : YAML::Node();
  if (!listed || listed.IsNull()) return node;
  const std::string reference = listed.Scalar();
  if (const auto known = resolved_.find(reference); known != resolved_.end()) return known->second;
  YAML::Node found;
  found.reset(root_);
  std::istringstream parts(reference.substr(2));
  for (std::string part; std::getline(parts, part, '/');) {
    // Asked as a constant, so that a missing part is not added.
    const YAML::Node next = std::as_const(found)[part];
    if (!next || next.IsNull()) throw std::runtime_error("a reference to nothing: " + reference);
    found.reset(next);
  }
  return resolved_.emplace(reference, resolve(found)).first->second;
}

const std::regex& Schema::compiled(const std::string& pattern) const {
  const auto known = patterns_.find(pattern);
  return known != patterns_.end() ? known->second : patterns_.emplace(pattern, std::regex(pattern)).first->second;
}

std::vector<std::string> Schema::faults(const YAML::Node& schema, const rapidjson::Value& value) const {
  std::vector<std::string> found;
  check(schema, value, "", found);
  return found;
}

void Schema::check(const YAML::Node& schema, const rapidjson::Value& value, const std::string& at,
                   std::vector<std::string>& faults) const {
  const auto fault = [&](const std::string& what) {
    faults.push_back((at.empty() ? "/" : at) + ": " + what + ": " + text_of(value).substr(0, 200));
  };
  for (const auto& entry : schema) {
    const std::string keyword = entry.first.as<std::string>();
    const YAML::Node& wanted = entry.second;
    if (kAnnotations.contains(keyword)) continue;
    if (keyword == "$ref") {
      check(resolve(schema), value, at, faults);
    } else if (keyword == "type") {
      bool fits = false;
      if (wanted.IsScalar())
        fits = has_type(wanted.as<std::string>(), value);
      else
        for (const auto& type : wanted) fits = fits || has_type(type.Scalar(), value);
      if (!fits) fault("has another type");
    } else if (keyword == "enum") {
      bool fits = false;
      for (const auto& one : wanted) fits = fits || equals(one, value);
      if (!fits) fault("is none of the listed values");
    } else if (keyword == "const") {
      if (!equals(wanted, value)) fault("is not " + wanted.Scalar());
    } else if (keyword == "required") {
      for (const auto& name : wanted)
        if (value.IsObject() && !value.HasMember(name.Scalar().c_str())) fault("lacks " + name.Scalar());
    } else if (keyword == "properties") {
      if (!value.IsObject()) continue;
      for (const auto& property : wanted) {
        const std::string name = property.first.as<std::string>();
        if (value.HasMember(name.c_str())) check(property.second, value[name.c_str()], at + "/" + name, faults);
      }
    } else if (keyword == "additionalProperties") {
      if (!value.IsObject()) continue;
      for (const auto& member : value.GetObject())
        if (!schema["properties"] || !schema["properties"][member.name.GetString()])
          check(wanted, member.value, at + "/" + member.name.GetString(), faults);
    } else if (keyword == "items") {
      if (!value.IsArray()) continue;
      for (rapidjson::SizeType i = 0; i < value.Size(); ++i)
        check(wanted, value[i], at + "/" + std::to_string(i), faults);
    } else if (keyword == "allOf") {
      for (const auto& part : wanted) check(part, value, at, faults);
    } else if (keyword == "anyOf" || keyword == "oneOf") {
      int fitting = 0;
      for (const auto& choice : wanted) fitting += fits(choice, value);
      if (fitting == 0 || (keyword == "oneOf" && fitting > 1))
        fault("fits " + std::to_string(fitting) + " of " + keyword);
    } else if (keyword == "not") {
      if (fits(wanted, value)) fault("fits what it must not");
    } else if (keyword == "pattern") {
      if (value.IsString() && !std::regex_search(value.GetString(), compiled(wanted.Scalar())))
        fault("does not match the pattern");
    } else if (keyword == "format") {
      if (value.IsString() && !has_format(wanted.as<std::string>(), value.GetString()))
        fault("is no " + wanted.as<std::string>());
    } else if (const char* what = beyond_bound(keyword, wanted, value); what[0] != '\0') {
      fault(what);
    }
  }
}

}  // namespace tideover::test
