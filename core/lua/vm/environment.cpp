#include "core/lua/vm/environment.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "core/lua/vm/budget.hpp"
#include "core/lua/vm/freeze.hpp"

namespace tideover::lua {
namespace {

constexpr lua_Integer kFuelPerSortedKey = 8;
constexpr lua_Unsigned kLongestNumber = 64;

int ipairs_step(lua_State* state) {
  const lua_Integer next = luaL_checkinteger(state, 2) + 1;
  lua_pushinteger(state, next);
  return lua_geti(state, 1, next) == LUA_TNIL ? 1 : 2;
}

int ipairs(lua_State* state) {
  luaL_checkany(state, 1);
  lua_pushcfunction(state, ipairs_step);
  lua_pushvalue(state, 1);
  lua_pushinteger(state, 0);
  return 3;
}

/// A key of a table: numbers precede texts. The text belongs to the table that is sorted.
struct SortKey {
  bool is_text;
  lua_Number number;
  const char* text;
  std::size_t size;

  bool operator<(const SortKey& other) const {
    if (is_text != other.is_text) return !is_text;
    if (!is_text) return number < other.number;
    const int order = std::memcmp(text, other.text, std::min(size, other.size));
    return order != 0 ? order < 0 : size < other.size;
  }
};

int pairs_step(lua_State* state) {
  const lua_Integer next = lua_tointeger(state, lua_upvalueindex(3)) + 1;
  lua_pushinteger(state, next);
  lua_replace(state, lua_upvalueindex(3));
  if (lua_rawgeti(state, lua_upvalueindex(2), next) == LUA_TNIL) return 1;
  lua_pushvalue(state, -1);
  lua_rawget(state, lua_upvalueindex(1));
  return 2;
}

/// Iterates in order of the keys, because the table's own order differs from run to run.
int sorted_pairs(lua_State* state) {
  luaL_checktype(state, 1, LUA_TTABLE);
  push_content(state, 1);
  const int content = lua_gettop(state);
  lua_Integer count = 0;
  for (lua_pushnil(state); lua_next(state, content) != 0; lua_pop(state, 1)) {
    const int type = lua_type(state, -2);
    if (type != LUA_TSTRING && type != LUA_TNUMBER)
      return luaL_error(state, "pairs needs keys that are strings or numbers, found a %s", lua_typename(state, type));
    if (++count % 128 == 0) Budget::charge(state, 128 * kFuelPerSortedKey);
  }
  auto* const keys =
      static_cast<SortKey*>(lua_newuserdatauv(state, static_cast<std::size_t>(count) * sizeof(SortKey) + 1, 0));
  SortKey* end = keys;
  for (lua_pushnil(state); lua_next(state, content) != 0; lua_pop(state, 1), ++end) {
    *end = {};
    end->is_text = lua_type(state, -2) == LUA_TSTRING;
    if (end->is_text)
      end->text = lua_tolstring(state, -2, &end->size);
    else
      end->number = lua_tonumber(state, -2);
  }
  std::sort(keys, end);

  lua_pushvalue(state, content);
  lua_createtable(state, static_cast<int>(count), 0);
  for (SortKey* key = keys; key != end; ++key) {
    lua_Integer whole = 0;
    if (key->is_text)
      lua_pushlstring(state, key->text, key->size);
    else if (lua_numbertointeger(key->number, &whole))
      lua_pushinteger(state, whole);
    else
      lua_pushnumber(state, key->number);
    lua_rawseti(state, -2, key - keys + 1);
  }
  lua_pushinteger(state, 0);
  lua_pushcclosure(state, pairs_step, 3);
  return 1;
}

/// Never an address, which would differ from run to run.
int to_text(lua_State* state) {
  luaL_checkany(state, 1);
  switch (lua_type(state, 1)) {
    case LUA_TNIL:
      lua_pushliteral(state, "nil");
      break;
    case LUA_TBOOLEAN:
      lua_pushstring(state, lua_toboolean(state, 1) != 0 ? "true" : "false");
      break;
    case LUA_TNUMBER:
    case LUA_TSTRING:
      lua_pushvalue(state, 1);
      lua_tostring(state, -1);
      break;
    default:
      lua_pushstring(state, luaL_typename(state, 1));
  }
  return 1;
}

/// Without a base, and only for texts of the length of a number: Lua's own function reads a text of any size in one
/// call.
int to_number(lua_State* state) {
  luaL_checkany(state, 1);
  const bool is_text = lua_type(state, 1) == LUA_TSTRING;
  if (lua_type(state, 1) == LUA_TNUMBER)
    lua_pushvalue(state, 1);
  else if (!is_text || lua_rawlen(state, 1) > kLongestNumber || lua_stringtonumber(state, lua_tostring(state, 1)) == 0)
    lua_pushnil(state);
  return 1;
}

int refuse_unknown_global(lua_State* state) {
  if (lua_type(state, 2) != LUA_TSTRING) return luaL_error(state, "globals must have names");
  raise_unknown(state, "global", "", lua_tostring(state, 2), 1);
}

int refuse_global(lua_State* state) {
  if (lua_type(state, 2) != LUA_TSTRING) return luaL_error(state, "globals must have names");
  return luaL_error(state, "assignment to global '%s': write 'local %s'", lua_tostring(state, 2),
                    lua_tostring(state, 2));
}

/// Opens a standard library and copies the named functions of its table to the table on top of the stack.
template <std::size_t N>
void copy_functions(lua_State* state, lua_CFunction open, const char* const (&names)[N]) {
  const int target = lua_gettop(state);
  lua_pushcfunction(state, open);
  lua_call(state, 0, 1);
  for (const char* name : names) {
    lua_getfield(state, -1, name);
    lua_setfield(state, target, name);
  }
  lua_settop(state, target);
}

}  // namespace

bool is_iterator(lua_State* state, int index) {
  return lua_tocfunction(state, index) == pairs_step;
}

void push_environment(lua_State* state, lua_CFunction load_library, lua_CFunction open_table) {
  lua_newtable(state);
  const int names = lua_gettop(state);
  copy_functions(state, luaopen_base, {"type", "select", "error"});
  // The base library filled the state's own globals; they must not be reachable.
  lua_newtable(state);
  lua_rawseti(state, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);

  const luaL_Reg own[] = {{"ipairs", ipairs},      {"pairs", sorted_pairs}, {"tostring", to_text},
                          {"tonumber", to_number}, {"lib", load_library},   {"table", open_table},
                          {nullptr, nullptr}};
  luaL_setfuncs(state, own, 0);
  add_claim_functions(state);

  lua_newtable(state);
  copy_functions(state, luaopen_math, {"abs", "ceil", "floor", "fmod", "max", "min", "tointeger", "type", "ult"});
  for (const char* constant : {"maxinteger", "mininteger"}) {
    lua_pushinteger(state, constant[1] == 'a' ? LUA_MAXINTEGER : LUA_MININTEGER);
    lua_setfield(state, -2, constant);
  }
  push_view(state, Unknown::is_error, "math");
  lua_setfield(state, names, "math");

  push_text_functions(state);
  push_view(state, Unknown::is_error, "string");
  lua_pushliteral(state, "");
  lua_createtable(state, 0, 1);
  lua_pushvalue(state, -3);
  lua_setfield(state, -2, "__index");
  lua_setmetatable(state, -2);  // the metatable of every string
  lua_pop(state, 1);
  lua_setfield(state, names, "string");

  push_view(state, Unknown::is_nil, "the environment");
  // Own messages for both errors with globals.
  lua_getmetatable(state, -1);
  lua_pushcfunction(state, refuse_global);
  lua_setfield(state, -2, "__newindex");
  lua_getfield(state, -1, "__index");
  lua_createtable(state, 0, 1);
  lua_pushcfunction(state, refuse_unknown_global);
  lua_setfield(state, -2, "__index");
  lua_setmetatable(state, -2);
  lua_pop(state, 2);
}

}  // namespace tideover::lua
