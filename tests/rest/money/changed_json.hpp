// Requests that differ in one member, and what their refusals say about it.
#pragma once
#include <string>

#include "tests/support/world/flow.hpp"

namespace tideover::test {

inline std::string without(std::string body, const std::string& member) {
  Json json(body);
  json.document().RemoveMember(member.c_str());
  return text_of(json.root());
}

inline std::string with(const std::string& body, const std::string& pointer, const std::string& value) {
  Json json(body);
  rapidjson::Document given;
  given.Parse(value.c_str());
  rapidjson::Pointer(pointer.c_str()).Set(json.document(), given);
  return text_of(json.root());
}

inline std::string first_fault(const Json& refusal, const std::string& field) {
  return refusal.text("/details/fields/" + field + "/0");
}

}  // namespace tideover::test
