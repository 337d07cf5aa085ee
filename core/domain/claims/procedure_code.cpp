#include "core/domain/claims/procedure_code.hpp"

#include <algorithm>

namespace tideover::domain {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
char upper(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

}  // namespace

std::string repair_procedure_code(std::string_view text) {
  std::string code;
  for (const char c : text)
    if (c != ' ' && c != '-') code += upper(c);
  return code;
}

bool has_procedure_code_syntax(std::string_view code) {
  if (code.size() != 5) return false;
  if (std::all_of(code.begin(), code.begin() + 4, is_digit))
    return is_digit(code[4]) || std::string_view("AFMTU").find(code[4]) != std::string_view::npos;
  return code[0] >= 'A' && code[0] <= 'V' && std::all_of(code.begin() + 1, code.end(), is_digit);
}

std::optional<std::string> normalise_modifiers(std::string_view text) {
  std::string normal;
  int count = 0;
  std::size_t at = 0;
  while (at < text.size()) {
    if (text[at] == ',' || text[at] == ':' || text[at] == ' ') {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && text[end] != ',' && text[end] != ':' && text[end] != ' ') ++end;
    if (end - at != 2 || ++count > 4) return std::nullopt;
    const char first = upper(text[at]), second = upper(text[at + 1]);
    if ((!is_digit(first) && !is_upper(first)) || (!is_digit(second) && !is_upper(second))) return std::nullopt;
    if (!normal.empty()) normal += ':';
    normal += first;
    normal += second;
    at = end;
  }
  return normal;
}

bool changes_price(std::string_view modifier) {
  constexpr std::string_view kPricing =
      "26:TC:50:51:52:53:54:55:56:62:66:73:74:78:80:81:82:AS:AA:AD:QK:QX:QY:QZ:NU:RR:UE:GC:SA:SB:HM:HN:HO:HP";
  return modifier.size() == 2 && kPricing.find(modifier) != std::string_view::npos;
}

}  // namespace tideover::domain
