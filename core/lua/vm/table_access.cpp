#include "core/lua/vm/table_access.hpp"

#include <cstdio>

#include "core/domain/basics/within.hpp"
#include "core/lua/vm/budget.hpp"
#include "core/lua/vm/freeze.hpp"

namespace tideover::lua {
namespace {

using tables::Table;
using tables::Value;
using Question = TableReads::Question;

constexpr std::int64_t kFuelPerLookUp = 10;

struct RowHandle {
  const Table* table;
  std::uint32_t row;
};

/// Upvalues of every function of a table.
enum Upvalue { kTable = 1, kAccess = 2, kRowMetatable = 3 };

const Table& table_of(lua_State* state) {
  return *static_cast<const Table*>(lua_touserdata(state, lua_upvalueindex(kTable)));
}

const char* name_of(Question question) {
  return question == Question::get ? "get" : question == Question::has ? "has" : "lists";
}

/// Raises "get: table 'ptp' is asked with (code, other, day)".
void refuse_arguments(lua_State* state, const Table& table, Question question) {
  luaL_Buffer text;
  luaL_buffinit(state, &text);
  const auto& schema = table.schema();
  const std::size_t keys = question == Question::lists ? 1 : schema.key.size();
  for (std::size_t i = 0; i < keys; ++i) {
    if (i > 0) luaL_addstring(&text, ", ");
    luaL_addstring(&text, schema.columns[schema.key[i]].name.c_str());
  }
  if (question != Question::lists && schema.is_dated()) luaL_addstring(&text, ", day");
  luaL_pushresult(&text);
  luaL_error(state, "%s: table '%s' needs the arguments (%s)", name_of(question), schema.table.c_str(),
             lua_tostring(state, -1));
}

/// The cell of the key for an argument; false when no row has it.
bool read_key(lua_State* state, const Table& table, std::size_t place, Question question, std::int64_t& cell) {
  const int argument = static_cast<int>(place) + 1;
  std::optional<std::int64_t> found;
  if (lua_type(state, argument) == LUA_TSTRING) {
    std::size_t size = 0;
    const char* const text = lua_tolstring(state, argument, &size);
    found = table.key_cell(place, std::string_view(text, size));
  } else if (lua_isinteger(state, argument) != 0) {
    found = table.key_cell(place, static_cast<std::int64_t>(lua_tointeger(state, argument)));
  } else {
    refuse_arguments(state, table, question);
  }
  cell = found.value_or(0);
  return found.has_value();
}

void note(lua_State* state, Question question, bool found, std::uint32_t row) {
  const auto& access = *static_cast<const TableAccess*>(lua_touserdata(state, lua_upvalueindex(kAccess)));
  auto* const read = access.reads == nullptr ? nullptr : access.reads->next();
  if (read == nullptr) return;
  read->table = &table_of(state);
  read->question = question;
  read->found = found;
  read->row = row;
  char* at = read->asked.data();
  const char* const end = at + read->asked.size();
  *at = '\0';
  for (int i = 1; i <= lua_gettop(state) && at < end - 1; ++i) {
    const char* const comma = i > 1 ? ", " : "";
    const auto left = static_cast<std::size_t>(end - at);
    const int written = lua_type(state, i) == LUA_TSTRING
                            ? std::snprintf(at, left, "%s'%s'", comma, lua_tostring(state, i))
                            : std::snprintf(at, left, "%s%lld", comma, static_cast<long long>(lua_tointeger(state, i)));
    at += domain::within<int>(written, 0, static_cast<int>(left) - 1);
  }
}

/// Looks up the arguments: the whole key, and a date when rows have a validity period.
std::optional<std::uint32_t> look_up(lua_State* state, Question question) {
  Budget::charge(state, kFuelPerLookUp);
  const Table& table = table_of(state);
  const auto keys = table.schema().key.size();
  const bool is_dated = table.schema().is_dated();
  if (lua_gettop(state) != static_cast<int>(keys) + (is_dated ? 1 : 0)) refuse_arguments(state, table, question);
  Table::Key key{};
  bool possible = true;
  for (std::size_t i = 0; i < keys; ++i) possible = read_key(state, table, i, question, key[i]) && possible;
  std::optional<domain::Date> day;
  if (is_dated) {
    if (lua_isinteger(state, -1) == 0) refuse_arguments(state, table, question);
    day = domain::Date::from_days(static_cast<std::int32_t>(lua_tointeger(state, -1)));
  }
  const auto row = possible ? table.find(key, day) : std::nullopt;
  note(state, question, row.has_value(), row.value_or(0));
  return row;
}

int get(lua_State* state) {
  const auto row = look_up(state, Question::get);
  if (!row) {
    lua_pushnil(state);
    return 1;
  }
  auto* const handle = static_cast<RowHandle*>(lua_newuserdatauv(state, sizeof(RowHandle), 0));
  *handle = {&table_of(state), *row};
  lua_pushvalue(state, lua_upvalueindex(kRowMetatable));
  lua_setmetatable(state, -2);
  return 1;
}

int has(lua_State* state) {
  lua_pushboolean(state, look_up(state, Question::has) ? 1 : 0);
  return 1;
}

int lists(lua_State* state) {
  Budget::charge(state, kFuelPerLookUp);
  const Table& table = table_of(state);
  std::int64_t cell = 0;
  if (lua_gettop(state) != 1) refuse_arguments(state, table, Question::lists);
  const bool found = read_key(state, table, 0, Question::lists, cell) && table.has_first(cell);
  note(state, Question::lists, found, 0);
  lua_pushboolean(state, found ? 1 : 0);
  return 1;
}

/// __index of a row; upvalues: column -> its position, the table's name.
int read_cell(lua_State* state) {
  const auto& handle = *static_cast<const RowHandle*>(lua_touserdata(state, 1));
  lua_pushvalue(state, 2);
  if (lua_rawget(state, lua_upvalueindex(1)) != LUA_TNUMBER) {
    if (lua_type(state, 2) != LUA_TSTRING) return luaL_error(state, "a row has named columns only");
    lua_pushfstring(state, "%s.", lua_tostring(state, lua_upvalueindex(2)));
    raise_unknown(state, "column", lua_tostring(state, -1), lua_tostring(state, 2), lua_upvalueindex(1));
  }
  const Value value = handle.table->value(handle.row, static_cast<std::size_t>(lua_tointeger(state, -1)));
  if (const auto* text = std::get_if<std::string_view>(&value))
    lua_pushlstring(state, text->data(), text->size());
  else if (const auto* number = std::get_if<std::int64_t>(&value))
    lua_pushinteger(state, *number);
  else if (const auto* decimal = std::get_if<double>(&value))
    lua_pushnumber(state, *decimal);
  else if (const auto* date = std::get_if<domain::Date>(&value))
    lua_pushinteger(state, date->days());
  else if (const auto* yes = std::get_if<bool>(&value))
    lua_pushboolean(state, *yes ? 1 : 0);
  else
    lua_pushnil(state);
  return 1;
}

int refuse_table_write(lua_State* state) {
  return luaL_error(state, "a row of table '%s' is read-only", lua_tostring(state, lua_upvalueindex(1)));
}

void push_row_metatable(lua_State* state, const tables::Schema& schema) {
  lua_createtable(state, 0, 3);
  lua_createtable(state, 0, static_cast<int>(schema.columns.size()));
  for (std::size_t i = 0; i < schema.columns.size(); ++i) {
    lua_pushinteger(state, static_cast<lua_Integer>(i));
    lua_setfield(state, -2, schema.columns[i].name.c_str());
  }
  lua_pushstring(state, schema.table.c_str());
  lua_pushcclosure(state, read_cell, 2);
  lua_setfield(state, -2, "__index");
  lua_pushstring(state, schema.table.c_str());
  lua_pushcclosure(state, refuse_table_write, 1);
  lua_setfield(state, -2, "__newindex");
  lua_pushfstring(state, "a row of table '%s'", schema.table.c_str());
  lua_setfield(state, -2, "__name");
}

std::string text_of(const Value& value) {
  if (const auto* text = std::get_if<std::string_view>(&value)) return '"' + std::string(*text) + '"';
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  if (const auto* date = std::get_if<domain::Date>(&value)) return format_date(*date);
  if (const auto* yes = std::get_if<bool>(&value)) return *yes ? "true" : "false";
  if (const auto* decimal = std::get_if<double>(&value)) {
    char shown[40];
    std::snprintf(shown, sizeof shown, "%.10g", *decimal);
    return shown;
  }
  return "nil";
}

}  // namespace

bool push_table(lua_State* state, const TableAccess& access, const char* name) {
  const auto found = access.tables.find(std::string_view(name));
  if (found == access.tables.end()) return false;
  const Table& table = *found->second;
  lua_pushfstring(state, "table('%s')", name);
  const int shown = lua_gettop(state);
  push_row_metatable(state, table.schema());
  lua_createtable(state, 0, 4);
  const luaL_Reg all[] = {{"get", get}, {"has", has}, {"lists", lists}};
  for (const auto& [function_name, function] : all) {
    lua_pushlightuserdata(state, const_cast<Table*>(&table));
    lua_pushlightuserdata(state, const_cast<TableAccess*>(&access));
    lua_pushvalue(state, shown + 1);
    lua_pushcclosure(state, function, 3);
    lua_setfield(state, -2, function_name);
  }
  lua_pushinteger(state, static_cast<lua_Integer>(table.row_count()));
  lua_setfield(state, -2, "row_count");
  push_view(state, Unknown::is_error, lua_tostring(state, shown));
  lua_replace(state, shown);
  lua_settop(state, shown);
  return true;
}

std::string name_of(const TableReads::Read& read) {
  return "table('" + read.table->schema().table + "')." + name_of(read.question) + '(' + read.asked.data() + ')';
}

std::string text_of(const TableReads::Read& read) {
  std::string text;
  if (read.question != Question::get) {
    text = read.found ? "true" : "false";
  } else if (!read.found) {
    text = "nil";
  } else {
    const auto& columns = read.table->schema().columns;
    for (std::size_t i = 0; i < columns.size(); ++i)
      text += (i > 0 ? ", " : "{ ") + columns[i].name + " = " + text_of(read.table->value(read.row, i));
    text += " }";
  }
  const auto& from = read.table->provenance();
  return text + " (edition " + (from.edition.empty() ? "unnamed" : from.edition) + ", sha256 " +
         from.sha256.substr(0, 12) + ')';
}

}  // namespace tideover::lua
