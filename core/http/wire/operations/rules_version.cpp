#include "core/http/wire/operations/rules_version.hpp"

#include "core/http/wire/json/json.hpp"

namespace tideover::wire {

std::string rules_version_of(std::string_view stored_body) {
  json::Document document;
  if (!json::parse(stored_body, document)) return {};
  // A review names its rules in "model", an adjudication at its top.
  const auto root = document.root();
  const auto model = root.find("model");
  const auto version = (model ? *model : root).find("rules_version");
  return version && version->kind() == json::Kind::string ? std::string(version->as_text()) : std::string();
}

}  // namespace tideover::wire
