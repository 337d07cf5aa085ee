#include "core/lua/vm/table_reader.hpp"

#include <algorithm>

#include "core/lua/vm/closest_name.hpp"
#include "core/lua/vm/freeze.hpp"

namespace tideover::lua {

TableReader::TableReader(lua_State* state, int index, std::string what, Complain complain)
    : state_(state), top_(lua_gettop(state)), what_(std::move(what)), complain_(std::move(complain)) {
  index = lua_absindex(state, index);
  lua_checkstack(state, 8);
  if (lua_type(state, index) != LUA_TTABLE) {
    complain_("return", what_ + " must be a table, not a " + luaL_typename(state, index));
    return;
  }
  push_content(state, index);
  content_ = lua_gettop(state);
}

TableReader::~TableReader() {
  lua_settop(state_, top_);
}

int TableReader::push(const char* key) {
  if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.emplace_back(key);
  if (content_ == 0) {
    lua_pushnil(state_);
    return LUA_TNIL;
  }
  lua_pushstring(state_, key);
  return lua_rawget(state_, content_);
}

void TableReader::wrong_type(const char* key, const char* wanted) {
  complain_(key, std::string(key) + " must be " + wanted + ", not a " + luaL_typename(state_, -1));
}

std::optional<std::string> TableReader::text(const char* key) {
  std::optional<std::string> value;
  if (push(key) == LUA_TSTRING) {
    std::size_t size = 0;
    const char* const chars = lua_tolstring(state_, -1, &size);
    value.emplace(chars, size);
  } else if (!lua_isnil(state_, -1)) {
    wrong_type(key, "a string");
  }
  lua_pop(state_, 1);
  return value;
}

std::optional<std::int64_t> TableReader::integer(const char* key) {
  std::optional<std::int64_t> value;
  push(key);
  if (lua_isinteger(state_, -1) != 0)
    value = lua_tointeger(state_, -1);
  else if (lua_type(state_, -1) == LUA_TNUMBER)
    complain_(key, std::string(key) + " must be an integer, not the float " + std::to_string(lua_tonumber(state_, -1)) +
                       (std::string_view(key).ends_with("_cents") ? "; use usd()" : ""));
  else if (!lua_isnil(state_, -1))
    wrong_type(key, "an integer");
  lua_pop(state_, 1);
  return value;
}

std::optional<double> TableReader::number(const char* key) {
  std::optional<double> value;
  if (push(key) == LUA_TNUMBER)
    value = lua_tonumber(state_, -1);
  else if (!lua_isnil(state_, -1))
    wrong_type(key, "a number");
  lua_pop(state_, 1);
  return value;
}

std::optional<bool> TableReader::boolean(const char* key) {
  std::optional<bool> value;
  if (push(key) == LUA_TBOOLEAN)
    value = lua_toboolean(state_, -1) != 0;
  else if (!lua_isnil(state_, -1))
    wrong_type(key, "true or false");
  lua_pop(state_, 1);
  return value;
}

bool TableReader::has(const char* key) {
  const bool there = push(key) != LUA_TNIL;
  lua_pop(state_, 1);
  return there;
}

std::optional<std::vector<std::string>> TableReader::texts(const char* key) {
  std::optional<std::vector<std::string>> values;
  const int type = push(key);
  if (type == LUA_TTABLE) {
    values.emplace();
    TableReader list(state_, -1, key, complain_);
    list.each_element([&](int) {
      if (lua_type(state_, -1) == LUA_TSTRING)
        values->emplace_back(lua_tostring(state_, -1));
      else
        complain_(key, std::string(key) + " must be a list of strings; it has a " + luaL_typename(state_, -1));
    });
    list.refuse_other_fields();
  } else if (type != LUA_TNIL) {
    wrong_type(key, "a list of strings");
  }
  lua_pop(state_, 1);
  return values;
}

std::optional<std::string> TableReader::one_of(const char* key, const std::vector<std::string_view>& names) {
  auto value = text(key);
  if (!value || std::find(names.begin(), names.end(), *value) != names.end()) return value;
  std::string allowed;
  for (const auto& name : names) allowed += (allowed.empty() ? "'" : ", '") + std::string(name) + "'";
  complain_(*value, std::string(key) + " is '" + *value + "' but must be one of " + allowed);
  return std::nullopt;
}

void TableReader::require(const char* key) {
  if (is_table() && !has(key)) complain_("return", what_ + " needs the field '" + key + "'");
}

void TableReader::refuse_other_fields() {
  if (!is_table()) return;
  std::vector<std::string> unknown;
  for (lua_pushnil(state_); lua_next(state_, content_) != 0; lua_pop(state_, 1))
    if (lua_type(state_, -2) == LUA_TSTRING) {
      const std::string name = lua_tostring(state_, -2);
      if (std::find(known_.begin(), known_.end(), name) == known_.end()) unknown.push_back(name);
    }
  std::sort(unknown.begin(), unknown.end());
  for (const auto& name : unknown) {
    ClosestName closest(name);
    for (const auto known : known_) closest.consider(known);
    const std::string hint = closest.found().empty() ? "" : " (did you mean '" + std::string(closest.found()) + "'?)";
    complain_(name, what_ + " has an unknown field '" + name + "'" + hint);
  }
}

void TableReader::each_element(const std::function<void(int)>& visit) {
  if (!is_table()) return;
  const int count = static_cast<int>(std::min<std::size_t>(lua_rawlen(state_, content_), 10'000));
  for (int i = 1; i <= count; ++i) {
    lua_rawgeti(state_, content_, i);
    visit(i);
    lua_pop(state_, 1);
  }
}

}  // namespace tideover::lua
