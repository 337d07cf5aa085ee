#include "core/lua/vm/freeze.hpp"

#include <cstdlib>
#include <string_view>

#include "core/lua/vm/closest_name.hpp"
#include "core/lua/vm/environment.hpp"

namespace tideover::lua {
namespace {

constexpr int kDeepest = 32;
const char kContentKey = 0;  // its address is the metatable key of a view's table

int refuse_write(lua_State* state) {
  const char* const name = lua_tostring(state, lua_upvalueindex(1));
  return luaL_error(state, "%s is read-only", name);
}

int length_of_content(lua_State* state) {
  push_content(state, 1);
  lua_pushinteger(state, static_cast<lua_Integer>(lua_rawlen(state, -1)));
  return 1;
}

/// __index of the content of a strict view: called only for names that it does not have.
int refuse_unknown_field(lua_State* state) {
  if (lua_type(state, 2) != LUA_TSTRING)
    return luaL_error(state, "%s has no element of type %s", lua_tostring(state, lua_upvalueindex(1)),
                      luaL_typename(state, 2));
  lua_pushfstring(state, "%s.", lua_tostring(state, lua_upvalueindex(1)));
  raise_unknown(state, "field", lua_tostring(state, -1), lua_tostring(state, 2), 1);
}

}  // namespace

void raise_unknown(lua_State* state, const char* kind, const char* prefix, const char* name, int known) {
  known = lua_absindex(state, known);
  ClosestName closest(name);
  lua_pushnil(state);
  while (lua_next(state, known) != 0) {
    lua_pop(state, 1);
    if (lua_type(state, -1) == LUA_TSTRING) closest.consider(lua_tostring(state, -1));
  }
  if (closest.found().empty()) luaL_error(state, "unknown %s '%s%s'", kind, prefix, name);
  lua_pushlstring(state, closest.found().data(), closest.found().size());
  luaL_error(state, "unknown %s '%s%s' (did you mean '%s%s'?)", kind, prefix, name, prefix, lua_tostring(state, -1));
  std::abort();  // luaL_error does not return
}

void push_view(lua_State* state, Unknown unknown, const char* name) {
  const int content = lua_gettop(state);
  if (unknown == Unknown::is_error) {
    lua_createtable(state, 0, 1);
    lua_pushstring(state, name);
    lua_pushcclosure(state, refuse_unknown_field, 1);
    lua_setfield(state, -2, "__index");
    lua_setmetatable(state, content);
  }
  lua_newtable(state);  // the view stays empty: every read goes to the content
  lua_createtable(state, 0, 5);
  lua_pushvalue(state, content);
  lua_setfield(state, -2, "__index");
  lua_pushvalue(state, content);
  lua_rawsetp(state, -2, &kContentKey);
  lua_pushstring(state, name);
  lua_pushcclosure(state, refuse_write, 1);
  lua_setfield(state, -2, "__newindex");
  lua_pushcfunction(state, length_of_content);
  lua_setfield(state, -2, "__len");
  lua_setmetatable(state, -2);
  lua_remove(state, content);
}

void push_content(lua_State* state, int index) {
  index = lua_absindex(state, index);
  if (lua_getmetatable(state, index) != 0) {
    const int type = lua_rawgetp(state, -1, &kContentKey);
    lua_remove(state, -2);
    if (type == LUA_TTABLE) return;
    lua_pop(state, 1);
  }
  lua_pushvalue(state, index);
}

Sealer::Sealer(lua_State* state, FileLines* there) : state_(state), there_(there) {
  for (int* reference : {&seen_, &functions_, &values_}) {
    lua_newtable(state);
    *reference = luaL_ref(state, LUA_REGISTRYINDEX);
  }
}

const char* Sealer::seal_top(const std::string& owner) {
  lua_checkstack(state_, kDeepest * 8);
  const int top = lua_gettop(state_);
  const char* const problem = seal_value(owner, 0);
  if (problem) lua_settop(state_, top);
  return problem;
}

const char* Sealer::seal_value(const std::string& owner, int depth) {
  const int type = lua_type(state_, -1);
  if (type != LUA_TTABLE && type != LUA_TFUNCTION) return nullptr;
  if (depth == kDeepest) return "tables are nested too deeply";
  const int value = lua_gettop(state_);

  lua_rawgeti(state_, LUA_REGISTRYINDEX, seen_);
  lua_pushvalue(state_, value);
  if (lua_rawget(state_, -2) != LUA_TNIL) {
    lua_replace(state_, value);
    lua_settop(state_, value);
    return nullptr;
  }
  lua_settop(state_, value);
  if (type == LUA_TFUNCTION) return seal_function(owner, depth);

  push_content(state_, value);
  const bool is_view = lua_rawequal(state_, -1, value) == 0;
  if (is_view) {
    lua_settop(state_, value);
    return nullptr;
  }
  // On the stack: the table; its view is added to `seen` first, so that cycles end.
  push_view(state_, Unknown::is_nil, "a table that a rule file built");
  lua_rawgeti(state_, LUA_REGISTRYINDEX, seen_);
  for (const int original : {value, value + 1}) {  // a view that was found again is itself
    lua_pushvalue(state_, original);
    lua_pushvalue(state_, value + 1);
    lua_rawset(state_, -3);
  }
  lua_pop(state_, 1);
  lua_pushnil(state_);
  while (lua_next(state_, value) != 0) {
    if (const char* const problem = seal_value(owner, depth + 1)) return problem;
    lua_pushvalue(state_, -2);
    lua_insert(state_, -2);
    lua_rawset(state_, value);
  }
  lua_replace(state_, value);
  return nullptr;
}

const char* Sealer::seal_function(const std::string& owner, int depth) {
  const int function = lua_gettop(state_);
  if (is_iterator(state_, function))
    return "keeps what pairs() returned: a rule must keep nothing between claims, so use it in a for loop only";
  if (lua_iscfunction(state_, function) != 0) return nullptr;
  if (there_ != nullptr) note_lines(function);
  lua_rawgeti(state_, LUA_REGISTRYINDEX, seen_);
  lua_pushvalue(state_, function);
  lua_pushvalue(state_, function);
  lua_rawset(state_, -3);
  lua_pop(state_, 1);

  for (int upvalue = 1; const char* name = lua_getupvalue(state_, function, upvalue); ++upvalue) {
    if (const char* const problem = seal_value(owner, depth + 1)) return problem;
    lua_pushvalue(state_, -1);
    lua_setupvalue(state_, function, upvalue);
    if (owner.starts_with("lib/")) library_cells_.push_back(cells_.size());
    cells_.push_back({owner, name, upvalue});
    const auto cell = static_cast<lua_Integer>(cells_.size());
    lua_rawgeti(state_, LUA_REGISTRYINDEX, values_);
    lua_insert(state_, -2);
    lua_rawseti(state_, -2, cell);
    lua_rawgeti(state_, LUA_REGISTRYINDEX, functions_);
    lua_pushvalue(state_, function);
    lua_rawseti(state_, -2, cell);
    lua_settop(state_, function);
  }
  return nullptr;
}

void Sealer::note_lines(int function) {
  lua_Debug info{};
  lua_pushvalue(state_, function);
  lua_getinfo(state_, ">SL", &info);  // pushes a table with the lines as keys
  if (info.source[0] == '@')
    for (lua_pushnil(state_); lua_next(state_, -2) != 0; lua_pop(state_, 1))
      (*there_)[info.source + 1].insert(static_cast<int>(lua_tointeger(state_, -2)));
  lua_settop(state_, function);
}

bool Sealer::put_back(std::size_t i) {
  const int top = lua_gettop(state_);
  const auto cell = static_cast<lua_Integer>(i) + 1;
  lua_rawgeti(state_, top - 1, cell);
  lua_getupvalue(state_, -1, cells_[i].upvalue);
  lua_rawgeti(state_, top, cell);
  const bool is_other = lua_rawequal(state_, -1, -2) == 0;
  if (is_other) lua_setupvalue(state_, top + 1, cells_[i].upvalue);
  lua_settop(state_, top);
  return is_other;
}

std::vector<Sealer::Reassigned> Sealer::restore(std::span<const Cells> of_files) {
  std::vector<Reassigned> reassigned;
  lua_rawgeti(state_, LUA_REGISTRYINDEX, functions_);
  lua_rawgeti(state_, LUA_REGISTRYINDEX, values_);
  const auto restore_one = [&](std::size_t cell) {
    if (put_back(cell)) reassigned.push_back({cells_[cell].owner, cells_[cell].variable});
  };
  for (const auto cell : library_cells_) restore_one(cell);
  for (const auto& cells : of_files)
    for (auto cell = cells.from; cell < cells.to; ++cell) restore_one(cell);
  lua_pop(state_, 2);
  return reassigned;
}

}  // namespace tideover::lua
