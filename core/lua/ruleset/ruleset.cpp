#include "core/lua/ruleset/ruleset.hpp"

#include <sstream>

namespace tideover::lua {

std::string shown(const Param::Value& value) {
  if (const auto* yes = std::get_if<bool>(&value)) return *yes ? "true" : "false";
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
  if (const auto* text = std::get_if<std::string>(&value)) return '\'' + *text + '\'';
  std::ostringstream number;
  number.precision(15);
  number << std::get<double>(value);
  return number.str();
}

}  // namespace tideover::lua
