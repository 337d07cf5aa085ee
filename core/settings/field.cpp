#include "core/settings/field.hpp"

#include <algorithm>
#include <charconv>

#include "core/settings/suggestion.hpp"

namespace tideover::settings {
namespace {

template <class... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};
template <class... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

std::string join(const std::vector<std::string_view>& names) {
  std::string text;
  for (const std::string_view name : names) text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

}  // namespace

std::variant<std::int64_t, std::string> parse_integer(std::string_view text, bool quoted, Range range) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (quoted || error == std::errc::invalid_argument || end != text.data() + text.size()) {
    return "expected a whole number, got " + shown(text);
  }
  if (error == std::errc::result_out_of_range || value < range.min || value > range.max) {
    return shown(text) + " is out of range; it must be from " + std::to_string(range.min) + " to " +
           std::to_string(range.max);
  }
  return value;
}

bool is_scalar(const Field& field) {
  return !std::holds_alternative<BoundSchedule>(field.target) && !std::holds_alternative<BoundOrigins>(field.target) &&
         !std::holds_alternative<std::map<std::string, std::string>*>(field.target) &&
         !std::holds_alternative<std::vector<PluginSettings>*>(field.target) &&
         !std::holds_alternative<std::vector<PickupFolderSettings>*>(field.target);
}

std::string environment_name(std::string_view key) {
  std::string name = "TIDEOVER_";
  for (const char c : key) name += c == '.' ? '_' : static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  return name;
}

std::string print(const Field& field) {
  const auto text = [](const std::string& value) { return value.empty() ? std::string("\"\"") : value; };
  return std::visit(Overloaded{[](const bool* value) { return std::string(*value ? "true" : "false"); },
                               [](const BoundInt& bound) { return std::to_string(*bound.value); },
                               [](const BoundInt64& bound) { return std::to_string(*bound.value); },
                               [&](const std::string* value) { return text(*value); },
                               [&](const std::filesystem::path* value) { return text(value->string()); },
                               [](const BoundChoice& bound) { return std::string(bound.names[bound.chosen()]); },
                               [](const BoundSchedule& bound) {
                                 std::string list;
                                 for (const int item : *bound.value)
                                   list += (list.empty() ? "" : ", ") + std::to_string(item);
                                 return "[" + list + "]";
                               },
                               [](const BoundOrigins& bound) {
                                 std::string list;
                                 for (const auto& item : *bound.value) list += (list.empty() ? "" : ", ") + item;
                                 return "[" + list + "]";
                               },
                               [](const std::map<std::string, std::string>*) { return std::string("{}"); },
                               [](const std::vector<PluginSettings>*) { return std::string("[]"); },
                               [](const std::vector<PickupFolderSettings>*) { return std::string("[]"); }},
                    field.target);
}

std::optional<std::string> assign(const Field& field, std::string_view text, bool quoted) {
  const auto assign_integer = [&](auto& value, Range range) -> std::optional<std::string> {
    const auto parsed = parse_integer(text, quoted, range);
    if (const auto* complaint = std::get_if<std::string>(&parsed)) return *complaint;
    value = static_cast<std::remove_reference_t<decltype(value)>>(std::get<std::int64_t>(parsed));
    return std::nullopt;
  };
  return std::visit(
      Overloaded{[&](bool* value) -> std::optional<std::string> {
                   if (quoted || (text != "true" && text != "false"))
                     return "expected true or false, got " + shown(text);
                   *value = text == "true";
                   return std::nullopt;
                 },
                 [&](const BoundInt& bound) { return assign_integer(*bound.value, bound.range); },
                 [&](const BoundInt64& bound) { return assign_integer(*bound.value, bound.range); },
                 [&](std::string* value) -> std::optional<std::string> {
                   value->assign(text);
                   return std::nullopt;
                 },
                 [&](std::filesystem::path* value) -> std::optional<std::string> {
                   value->assign(text);
                   return std::nullopt;
                 },
                 [&](const BoundChoice& bound) -> std::optional<std::string> {
                   const auto found = std::find(bound.names.begin(), bound.names.end(), text);
                   if (found == bound.names.end()) {
                     return "expected one of " + join(bound.names) + ", got " + shown(text) +
                            did_you_mean(text, bound.names);
                   }
                   bound.choose(static_cast<std::size_t>(found - bound.names.begin()));
                   return std::nullopt;
                 },
                 [](const auto&) -> std::optional<std::string> { return "expected a list or a mapping"; }},
      field.target);
}

}  // namespace tideover::settings
