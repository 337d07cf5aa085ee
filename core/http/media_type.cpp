#include "core/http/media_type.hpp"

#include <string_view>

#include "core/http/server/request.hpp"

namespace tideover::http {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::string_view without_parameters(std::string_view type) { return trimmed(type.substr(0, type.find(';'))); }

template <class Test>
bool any_of_list(std::string_view list, Test test) {
  while (true) {
    const auto end = list.find(',');
    if (test(without_parameters(list.substr(0, end)))) return true;
    if (end == std::string_view::npos) return false;
    list.remove_prefix(end + 1);
  }
}

bool is(std::string_view type, std::string_view name) { return equal_ignoring_case(type, name); }

}  // namespace

bool is_json(const std::string* content_type) { return content_type && is(without_parameters(*content_type), "application/json"); }

bool is_form(const std::string* content_type) {
  return content_type && is(without_parameters(*content_type), "application/x-www-form-urlencoded");
}

bool accepts_json(const std::string* accept) {
  if (!accept || trimmed(*accept).empty()) return true;
  return any_of_list(*accept, [](std::string_view type) {
    return is(type, "*/*") || is(type, "application/*") || is(type, "application/json") || is(type, "application/problem+json");
  });
}

bool wants_problem_json(const std::string* accept) {
  return accept && any_of_list(*accept, [](std::string_view type) { return is(type, "application/problem+json"); });
}

}  // namespace tideover::http
