// The string functions of a rule. Patterns are not supported (a pattern can run for ever inside one C call), and no
// text may be longer than kLongestText.
#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string_view>

#include "core/lua/vm/budget.hpp"
#include "core/lua/vm/environment.hpp"
#include "core/lua/vm/limits.hpp"

namespace tideover::lua {
namespace {

constexpr std::int64_t kBytesPerInstruction = 16;

std::string_view text_argument(lua_State* state, int index) {
  luaL_checktype(state, index, LUA_TSTRING);  // no implicit conversion of numbers to text
  std::size_t size = 0;
  const char* const text = lua_tolstring(state, index, &size);
  if (size > kLongestText)
    luaL_error(state, "a text of %d bytes is too long here (at most %d)",
               static_cast<int>(std::min<std::size_t>(size, 1U << 30)), static_cast<int>(kLongestText));
  Budget::charge(state, 1 + static_cast<std::int64_t>(size) / kBytesPerInstruction);
  return {text, size};
}

/// Positions as in Lua: from 1, negative ones from the end.
std::size_t first_position(lua_Integer at, std::size_t size) {
  const auto length = static_cast<lua_Integer>(size);
  if (at < 0) at = at < -length ? 1 : length + at + 1;
  return static_cast<std::size_t>(std::max<lua_Integer>(at, 1));
}
std::size_t last_position(lua_Integer at, std::size_t size) {
  const auto length = static_cast<lua_Integer>(size);
  if (at < 0) at = at < -length ? 0 : length + at + 1;
  return static_cast<std::size_t>(std::min(at, length));
}

std::string_view slice(std::string_view text, std::size_t first, std::size_t last) {
  return first > last ? std::string_view() : text.substr(first - 1, last - first + 1);
}

int text_len(lua_State* state) {
  lua_pushinteger(state, static_cast<lua_Integer>(text_argument(state, 1).size()));
  return 1;
}

int text_sub(lua_State* state) {
  const auto text = text_argument(state, 1);
  const auto part = slice(text, first_position(luaL_checkinteger(state, 2), text.size()),
                          last_position(luaL_optinteger(state, 3, -1), text.size()));
  lua_pushlstring(state, part.data(), part.size());
  return 1;
}

int text_byte(lua_State* state) {
  const auto text = text_argument(state, 1);
  const lua_Integer from = luaL_optinteger(state, 2, 1);
  const auto part =
      slice(text, first_position(from, text.size()), last_position(luaL_optinteger(state, 3, from), text.size()));
  Budget::charge(state, static_cast<std::int64_t>(part.size()));
  luaL_checkstack(state, static_cast<int>(part.size()), "too many bytes");
  for (const char c : part) lua_pushinteger(state, static_cast<unsigned char>(c));
  return static_cast<int>(part.size());
}

template <char kFirst, char kLast, int kShift>
int text_shift_case(lua_State* state) {
  const auto text = text_argument(state, 1);
  luaL_Buffer buffer;
  char* const out = luaL_buffinitsize(state, &buffer, text.size());
  std::transform(text.begin(), text.end(), out,
                 [](char c) { return c >= kFirst && c <= kLast ? static_cast<char>(c + kShift) : c; });
  luaL_pushresultsize(&buffer, text.size());
  return 1;
}

int text_rep(lua_State* state) {
  const auto text = text_argument(state, 1);
  const lua_Integer times = std::max<lua_Integer>(luaL_checkinteger(state, 2), 0);
  const auto most = static_cast<lua_Integer>(kLongestText);
  if (times > most || times * static_cast<lua_Integer>(text.size()) > most)
    return luaL_error(state, "string.rep would make a text longer than %d bytes", static_cast<int>(kLongestText));
  Budget::charge(state, times);
  luaL_Buffer buffer;
  luaL_buffinit(state, &buffer);
  for (lua_Integer i = 0; i < times; ++i) luaL_addlstring(&buffer, text.data(), text.size());
  luaL_pushresult(&buffer);
  return 1;
}

/// Plain text only: string.find(text, wanted, from). The fourth argument of Lua's own find is treated as given.
int text_find(lua_State* state) {
  const auto text = text_argument(state, 1);
  const auto wanted = text_argument(state, 2);
  const std::size_t from = first_position(luaL_optinteger(state, 3, 1), text.size());
  Budget::charge(state, 1 + static_cast<std::int64_t>(text.size() * wanted.size()) / kBytesPerInstruction);
  const std::size_t at = from > text.size() + 1 ? std::string_view::npos : text.find(wanted, from - 1);
  if (at == std::string_view::npos) {
    lua_pushnil(state);
    return 1;
  }
  lua_pushinteger(state, static_cast<lua_Integer>(at) + 1);
  lua_pushinteger(state, static_cast<lua_Integer>(at) + static_cast<lua_Integer>(wanted.size()));
  return 2;
}

}  // namespace

void push_text_functions(lua_State* state) {
  const luaL_Reg functions[] = {{"len", text_len},
                                {"sub", text_sub},
                                {"byte", text_byte},
                                {"upper", text_shift_case<'a', 'z', 'A' - 'a'>},
                                {"lower", text_shift_case<'A', 'Z', 'a' - 'A'>},
                                {"rep", text_rep},
                                {"find", text_find},
                                {nullptr, nullptr}};
  luaL_newlib(state, functions);
}

}  // namespace tideover::lua
