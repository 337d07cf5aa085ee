// Names of enumerators: an array of names in the order of the enumerators.
#pragma once
#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace tideover::domain {

/// The enumerator with this name; nullopt: none.
template <class Enum, std::size_t N>
std::optional<Enum> enum_named(const std::array<std::string_view, N>& names, std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? std::nullopt : std::optional(static_cast<Enum>(found - names.begin()));
}

}  // namespace tideover::domain
