// Values of the host as facts.
#pragma once
#include <optional>
#include <string>

#include "core/lua/facts/facts.hpp"

namespace tideover::lua {

inline FactValue value(const std::string& text) {
  return std::string_view(text);
}
inline FactValue value(bool yes) {
  return yes;
}
inline FactValue value(std::int64_t number) {
  return number;
}
inline FactValue value(int number) {
  return std::int64_t{number};
}
inline FactValue value(domain::Money amount) {
  return amount.cents();
}
inline FactValue value(domain::Date date) {
  return std::int64_t{date.days()};
}
template <class T>
FactValue value(const std::optional<T>& maybe) {
  return maybe ? value(*maybe) : FactValue{};
}
inline FactValue value_unless_empty(const std::string& text) {
  return text.empty() ? FactValue{} : value(text);
}

/// Of the current claim, or of the current review's claim.
inline const domain::ClaimDetails& details(const FactHandle& h) {
  return h.window->claim != nullptr ? h.window->claim->claim.details : h.window->terms->claim;
}

/// The facts of a list. `List` gives it, `Member` the member of an element that is the fact; without one the element.
template <auto List, auto... Member>
struct ListFacts {
  static FactValue at(const FactHandle& h) {
    const auto& list = List(h);
    return h.line < list.size() ? value((list[h.line].*....*Member)) : FactValue{};
  }
  static FactValue count(const FactHandle& h) { return value(static_cast<std::int64_t>(List(h).size())); }
  static FactValue present(const FactHandle& h) { return List(h).empty() ? FactValue{} : value(true); }
};

/// `element` and `count`: "codes[]" and "#codes" for the list "codes".
template <auto List, auto... Member>
constexpr FactList list_facts(const char* name, const char* element, const char* count, const char* element_type) {
  using Facts = ListFacts<List, Member...>;
  return {
      name, {element, element_type, Facts::at}, {count, "integer", Facts::count}, {name, "boolean?", Facts::present}};
}

}  // namespace tideover::lua
