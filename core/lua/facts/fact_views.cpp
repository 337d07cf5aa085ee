#include "core/lua/facts/fact_views.hpp"

#include "core/lua/facts/memo_cache.hpp"
#include "core/lua/vm/freeze.hpp"

namespace tideover::lua {
namespace {

using Kind = FactObject::Kind;

// Their addresses are registry keys of the objects behind claim.lines and claim.history, of the table of the objects
// behind line.history, and of the functions of the review. The object behind a list has the address of its FactList.
const char kLinesKey = 0, kHistoryKey = 0, kLineHistoriesKey = 0, kExpectedLossKey = 0, kShortfallKey = 0,
           kLargestAdvanceKey = 0;

void push(lua_State* state, const FactValue& value) {
  if (const auto* text = std::get_if<std::string_view>(&value))
    lua_pushlstring(state, text->data(), text->size());
  else if (const auto* number = std::get_if<std::int64_t>(&value))
    lua_pushinteger(state, *number);
  else if (const auto* yes = std::get_if<bool>(&value))
    lua_pushboolean(state, *yes ? 1 : 0);
  else
    lua_pushnil(state);
}

/// Reads a fact for a rule and records the read.
FactValue read(const FactField& field, const FactHandle& handle) {
  const FactValue value = field.read(handle);
  if (handle.window->reads != nullptr) handle.window->reads->note({&field, handle.line}, value);
  return value;
}

/// The handle behind argument 1; raises an error when its facts are not available.
const FactHandle& readable(lua_State* state, Kind kind = Kind::claim) {
  const auto& handle = *static_cast<const FactHandle*>(lua_touserdata(state, 1));
  const bool shown = kind == Kind::review  ? handle.window->terms != nullptr
                     : kind == Kind::event ? handle.window->event != nullptr
                                           : handle.window->claim != nullptr;
  if (!shown) luaL_error(state, "facts can be read during evaluate only");
  return handle;
}

/// Pushes the object of a part of the object that `handle` reads. Objects of lines are kept by number; their metatable
/// is at 0.
void push_part(lua_State* state, const FactField& field, const FactHandle& handle) {
  const auto part = field.part;
  if (part == FactPart::lines) lua_rawgetp(state, LUA_REGISTRYINDEX, &kLinesKey);
  if (part == FactPart::list) lua_rawgetp(state, LUA_REGISTRYINDEX, field.list);
  if (part == FactPart::history) lua_rawgetp(state, LUA_REGISTRYINDEX, &kHistoryKey);
  if (part == FactPart::expected_loss) lua_rawgetp(state, LUA_REGISTRYINDEX, &kExpectedLossKey);
  if (part == FactPart::shortfall) lua_rawgetp(state, LUA_REGISTRYINDEX, &kShortfallKey);
  if (part == FactPart::largest_advance) lua_rawgetp(state, LUA_REGISTRYINDEX, &kLargestAdvanceKey);
  if (part != FactPart::line_history) return;
  lua_rawgetp(state, LUA_REGISTRYINDEX, &kLineHistoriesKey);
  const int kept = lua_gettop(state);
  const auto number = handle.line == kAskedLine ? -1 : static_cast<lua_Integer>(handle.line) + 1;
  if (lua_rawgeti(state, kept, number) != LUA_TNIL) return;
  auto* const made = static_cast<FactHandle*>(lua_newuserdatauv(state, sizeof(FactHandle), 0));
  *made = handle;
  lua_rawgeti(state, kept, 0);
  lua_setmetatable(state, -2);
  lua_pushvalue(state, -1);
  lua_rawseti(state, kept, number);
}

/// __index; upvalues: name -> FactField, the object.
int read_field(lua_State* state) {
  const auto& object = *static_cast<const FactObject*>(lua_touserdata(state, lua_upvalueindex(2)));
  const FactHandle& handle = readable(state, object.kind);
  lua_pushvalue(state, 2);
  if (lua_rawget(state, lua_upvalueindex(1)) == LUA_TLIGHTUSERDATA) {
    const auto* field = static_cast<const FactField*>(lua_touserdata(state, -1));
    if (field->read == nullptr)
      push_part(state, *field, handle);
    else
      push(state, read(*field, handle));
    return 1;
  }
  if (lua_type(state, 2) != LUA_TSTRING) return luaL_error(state, "%s has named fields only", object.name);
  lua_pushfstring(state, "%s.", object.name);
  raise_unknown(state, "field", lua_tostring(state, -1), lua_tostring(state, 2), lua_upvalueindex(1));
}

/// __index of claim.lines; upvalues: line handles created so far, their metatable.
int read_line(lua_State* state) {
  const FactHandle& handle = readable(state);
  if (lua_isinteger(state, 2) == 0)
    return luaL_error(state, "claim.lines has the elements 1 to %d only",
                      static_cast<int>(handle.window->claim->claim.service_lines.size()));
  const lua_Integer at = lua_tointeger(state, 2);
  if (!std::get<bool>(read(kLineThere, {handle.window, static_cast<std::size_t>(at) - 1}))) {
    lua_pushnil(state);
    return 1;
  }
  if (lua_rawgeti(state, lua_upvalueindex(1), at) != LUA_TNIL) return 1;
  auto* const made = static_cast<FactHandle*>(lua_newuserdatauv(state, sizeof(FactHandle), 0));
  *made = {handle.window, static_cast<std::size_t>(at - 1)};
  lua_pushvalue(state, lua_upvalueindex(2));
  lua_setmetatable(state, -2);
  lua_pushvalue(state, -1);
  lua_rawseti(state, lua_upvalueindex(1), at);
  return 1;
}

const FactList& list_of(lua_State* state) {
  return *static_cast<const FactList*>(lua_touserdata(state, lua_upvalueindex(1)));
}

/// __index of a list; upvalue: the FactList.
int read_element(lua_State* state) {
  const FactHandle& handle = readable(state);
  const auto& list = list_of(state);
  if (lua_isinteger(state, 2) == 0)
    return luaL_error(state, "claim.%s has the elements 1 to %d only", list.name,
                      static_cast<int>(std::get<std::int64_t>(list.count.read(handle))));
  push(state, read(list.element, {handle.window, static_cast<std::size_t>(lua_tointeger(state, 2)) - 1}));
  return 1;
}

int count_elements(lua_State* state) {
  push(state, read(list_of(state).count, readable(state)));
  return 1;
}

int count_lines(lua_State* state) {
  push(state, read(kLinesCount, readable(state)));
  return 1;
}

/// Returns odds of the current review to one of its functions; upvalue: the window.
const domain::CashOdds& odds_on_show(lua_State* state) {
  const auto* const terms = static_cast<const Window*>(lua_touserdata(state, lua_upvalueindex(1)))->terms;
  if (terms == nullptr) luaL_error(state, "facts can be read during evaluate only");
  return terms->review.cash;
}

int share_argument(lua_State* state, int index, const char* name) {
  const lua_Integer given = lua_isinteger(state, index) != 0 ? lua_tointeger(state, index) : -1;
  if (given < 0 || given > domain::kOneInBps)
    luaL_error(state, "review.%s needs basis points, whole numbers from 0 to 10000 such as bps(0.80)", name);
  return static_cast<int>(given);
}

int tell_expected_loss(lua_State* state) {
  const auto& odds = odds_on_show(state);
  lua_pushinteger(state, expected_loss_bps(odds, share_argument(state, 1, "expected_loss_bps")));
  return 1;
}

int tell_shortfall(lua_State* state) {
  const auto& odds = odds_on_show(state);
  lua_pushinteger(state, shortfall_bps(odds, share_argument(state, 1, "shortfall_bps")));
  return 1;
}

int tell_largest_advance(lua_State* state) {
  constexpr const char* kName = "largest_advance_bps";
  const auto& odds = odds_on_show(state);
  const int most = share_argument(state, 1, kName), loss = share_argument(state, 2, kName),
            shortfall = share_argument(state, 3, kName);
  lua_pushinteger(state, largest_advance_bps(odds, most, {loss, shortfall}));
  return 1;
}

int refuse_fact_write(lua_State* state) {
  return luaL_error(state, "%s is read-only", lua_tostring(state, lua_upvalueindex(1)));
}

/// Completes the metatable on top with what all fact objects share: no writing, and a name for messages.
void close_metatable(lua_State* state, const char* name) {
  lua_pushstring(state, name);
  lua_pushvalue(state, -1);
  lua_setfield(state, -3, "__name");
  lua_pushcclosure(state, refuse_fact_write, 1);
  lua_setfield(state, -2, "__newindex");
}

void push_metatable(lua_State* state, const FactObject& object) {
  lua_createtable(state, 0, 3);
  lua_createtable(state, 0, static_cast<int>(object.fields.size()));
  for (const auto& field : object.fields) {
    lua_pushlightuserdata(state, const_cast<FactField*>(&field));
    lua_setfield(state, -2, field.name);
  }
  lua_pushlightuserdata(state, const_cast<FactObject*>(&object));
  lua_pushcclosure(state, read_field, 2);
  lua_setfield(state, -2, "__index");
  close_metatable(state, object.name);
}

/// Creates a handle with the metatable on top of the stack, which it pops.
void push_handle(lua_State* state, const Window& window, std::size_t line = 0) {
  auto* const handle = static_cast<FactHandle*>(lua_newuserdatauv(state, sizeof(FactHandle), 0));
  *handle = {&window, line};
  lua_insert(state, -2);
  lua_setmetatable(state, -2);
}

int make_object(lua_State* state, const FactObject& object, const Window& window, std::size_t line = 0) {
  push_metatable(state, object);
  push_handle(state, window, line);
  return luaL_ref(state, LUA_REGISTRYINDEX);
}

}  // namespace

FactViews::FactViews(lua_State* state)
    : state_(state),
      claim_(make_object(state, fact_object(Kind::claim), window_)),
      line_(make_object(state, fact_object(Kind::line), window_, kAskedLine)),
      payer_(make_object(state, fact_object(Kind::payer), window_)),
      review_(make_object(state, fact_object(Kind::review), window_)),
      event_(make_object(state, fact_object(Kind::event), window_)) {
  lua_createtable(state, 0, 4);
  lua_newtable(state);
  push_metatable(state, fact_object(Kind::line));
  lua_pushcclosure(state, read_line, 2);
  lua_setfield(state, -2, "__index");
  lua_pushcfunction(state, count_lines);
  lua_setfield(state, -2, "__len");
  close_metatable(state, "claim.lines");
  push_handle(state, window_);
  lua_rawsetp(state, LUA_REGISTRYINDEX, &kLinesKey);

  for (const auto* const list : fact_lists()) add_list(*list);

  push_metatable(state, fact_object(Kind::history));
  push_handle(state, window_);
  lua_rawsetp(state, LUA_REGISTRYINDEX, &kHistoryKey);

  lua_newtable(state);
  push_metatable(state, fact_object(Kind::line_history));
  lua_rawseti(state, -2, 0);
  lua_rawsetp(state, LUA_REGISTRYINDEX, &kLineHistoriesKey);

  const auto keep = [&](lua_CFunction function, const char& key) {
    lua_pushlightuserdata(state, &window_);
    lua_pushcclosure(state, function, 1);
    lua_rawsetp(state, LUA_REGISTRYINDEX, &key);
  };
  keep(tell_expected_loss, kExpectedLossKey);
  keep(tell_shortfall, kShortfallKey);
  keep(tell_largest_advance, kLargestAdvanceKey);
}

void FactViews::add_list(const FactList& list) {
  const auto add = [&](lua_CFunction function, const char* name) {
    lua_pushlightuserdata(state_, const_cast<FactList*>(&list));
    lua_pushcclosure(state_, function, 1);
    lua_setfield(state_, -2, name);
  };
  lua_createtable(state_, 0, 4);
  add(read_element, "__index");
  add(count_elements, "__len");
  close_metatable(state_, (std::string("claim.") + list.name).c_str());
  push_handle(state_, window_);
  lua_rawsetp(state_, LUA_REGISTRYINDEX, &list);
}

}  // namespace tideover::lua
