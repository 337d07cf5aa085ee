// The tokens of a rule file, for checks that do not run it. Meant for valid Lua; other text gives some tokens.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace tideover::lua {

struct Token {
  enum class Kind { name, keyword, text, number, symbol };
  Kind kind;
  std::string_view text;  // as written; strings have their quotes
  std::size_t at;         // offset in the file
};

/// The text after a byte order mark, which some editors write.
inline std::string_view without_mark(std::string_view source) {
  return source.starts_with("\xEF\xBB\xBF") ? source.substr(3) : source;
}

/// Without comments. The views are into `source`.
std::vector<Token> tokens_of(std::string_view source);

/// 'x' and "x" without quotes; a string with escapes or long brackets as written.
std::string_view unquoted(const Token& text);

/// Left and right precedence of a binary operator; 0 for other tokens (Lua manual, 3.4.8).
struct Binding {
  int left = 0, right = 0;
};
Binding binding_of(std::string_view sign);

struct Place {
  int line = 1, column = 1;  // from 1
};
Place place_of(std::string_view source, std::size_t at);

}  // namespace tideover::lua
