#include "core/lua/vm/source.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>

namespace tideover::lua {
namespace {

constexpr std::array<std::string_view, 22> kKeywords = {
    "and", "break", "do",  "else", "elseif", "end",    "false",  "for",  "function", "goto",  "if",
    "in",  "local", "nil", "not",  "or",     "repeat", "return", "then", "true",     "until", "while"};
constexpr std::array<std::string_view, 10> kLongSymbols = {"...", "..", "==", "~=", "<=", ">=", "//", "::", "<<", ">>"};

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// The end of a long bracket that opens at `from`; `from` when there is none.
std::size_t end_of_long_bracket(std::string_view source, std::size_t from) {
  std::size_t level = 0;
  while (from + 1 + level < source.size() && source[from + 1 + level] == '=') ++level;
  if (source[from] != '[' || from + 1 + level >= source.size() || source[from + 1 + level] != '[') return from;
  const auto close = "]" + std::string(level, '=') + "]";
  const auto found = source.find(close, from + 2 + level);
  return found == std::string_view::npos ? source.size() : found + close.size();
}

std::size_t end_of_quoted(std::string_view source, std::size_t from) {
  auto at = from + 1;
  while (at < source.size() && source[at] != source[from]) at += source[at] == '\\' ? 2 : 1;
  return std::min(at + 1, source.size());
}

std::size_t end_of_number(std::string_view source, std::size_t from) {
  auto at = from;
  while (at < source.size() && (is_word(source[at]) || source[at] == '.' ||
                                ((source[at] == '+' || source[at] == '-') &&
                                 std::string_view("eEpP").find(source[at - 1]) != std::string_view::npos && at > from)))
    ++at;
  return at;
}

}  // namespace

std::vector<Token> tokens_of(std::string_view source) {
  using Kind = Token::Kind;
  std::vector<Token> tokens;
  for (std::size_t at = source.size() - without_mark(source).size(); at < source.size();) {
    const char c = source[at];
    if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      ++at;
      continue;
    }
    if (source.substr(at, 2) == "--") {
      const auto after = at + 2 < source.size() ? end_of_long_bracket(source, at + 2) : at + 2;
      at = after > at + 2 ? after : std::min(source.find('\n', at), source.size());
      continue;
    }
    auto end = at + 1;
    auto kind = Kind::symbol;
    if (c == '\'' || c == '"') {
      kind = Kind::text;
      end = end_of_quoted(source, at);
    } else if (const auto bracket = end_of_long_bracket(source, at); bracket > at) {
      kind = Kind::text;
      end = bracket;
    } else if (const auto digit = c == '.' ? at + 1 : at;
               digit < source.size() && std::isdigit(static_cast<unsigned char>(source[digit])) != 0) {
      kind = Kind::number;
      end = end_of_number(source, at);
    } else if (is_word(c)) {
      while (end < source.size() && is_word(source[end])) ++end;
      kind = std::find(kKeywords.begin(), kKeywords.end(), source.substr(at, end - at)) != kKeywords.end()
                 ? Kind::keyword
                 : Kind::name;
    } else {
      for (const auto symbol : kLongSymbols)
        if (source.substr(at, symbol.size()) == symbol) {
          end = at + symbol.size();
          break;
        }
    }
    tokens.push_back({kind, source.substr(at, end - at), at});
    at = end;
  }
  return tokens;
}

std::string_view unquoted(const Token& text) {
  const auto inner = text.text.size() < 2 ? text.text : text.text.substr(1, text.text.size() - 2);
  return text.text.front() == '[' || inner.find('\\') != std::string_view::npos ? text.text : inner;
}

Binding binding_of(std::string_view sign) {
  static const std::map<std::string_view, Binding> kBindings = {
      {"or", {1, 1}},   {"and", {2, 2}}, {"<", {3, 3}},   {">", {3, 3}},   {"<=", {3, 3}},  {">=", {3, 3}},
      {"~=", {3, 3}},   {"==", {3, 3}},  {"|", {4, 4}},   {"~", {5, 5}},   {"&", {6, 6}},   {"<<", {7, 7}},
      {">>", {7, 7}},   {"..", {9, 8}},  {"+", {10, 10}}, {"-", {10, 10}}, {"*", {11, 11}}, {"/", {11, 11}},
      {"//", {11, 11}}, {"%", {11, 11}}, {"^", {14, 13}}};
  const auto found = kBindings.find(sign);
  return found == kBindings.end() ? Binding{} : found->second;
}

Place place_of(std::string_view source, std::size_t at) {
  const auto before = source.substr(0, at);
  const auto line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  return {static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1, static_cast<int>(at - line_start) + 1};
}

}  // namespace tideover::lua
