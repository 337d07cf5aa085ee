#include "core/http/server/request.hpp"

#include <algorithm>

namespace tideover::http {

namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

}  // namespace

bool equal_ignoring_case(std::string_view left, std::string_view right) {
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [](char a, char b) { return lower(a) == lower(b); });
}

const std::string* Headers::find(std::string_view name) const {
  for (const Field& field : fields_) {
    if (equal_ignoring_case(field.name, name)) return &field.value;
  }
  return nullptr;
}

std::size_t Headers::count(std::string_view name) const {
  return static_cast<std::size_t>(std::count_if(
      fields_.begin(), fields_.end(), [&](const Field& field) { return equal_ignoring_case(field.name, name); }));
}

}  // namespace tideover::http
