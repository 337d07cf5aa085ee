#include "core/lua/vm/sandbox.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "core/lua/vm/closest_name.hpp"
#include "core/lua/vm/environment.hpp"
#include "core/lua/vm/source.hpp"

namespace tideover::lua {
namespace {

constexpr std::size_t kLongestMessage = 400;
constexpr std::size_t kBytesPerStep = std::size_t{16} * 1024;  // of garbage between two steps of the collector
const char kSandboxKey = 0;                                    // its address is the registry key of the Sandbox

}  // namespace

Sandbox::Sandbox(std::shared_ptr<const Bundle> bundle, TableSet tables, Coverage* coverage)
    : bundle_(std::move(bundle)),
      access_(std::make_unique<TableAccess>(TableAccess{std::move(tables)})),
      budget_(std::make_unique<Budget>()),
      state_(lua_newstate(Budget::allocate, budget_.get())) {
  if (!state_) throw std::bad_alloc();
  lua_State* const s = state_.get();
  lua_gc(s, LUA_GCSTOP);
  lua_gc(s, LUA_GCINC, 0, 0, 0);  // the generational mode of Lua 5.4.4 has known bugs
  *static_cast<Budget**>(lua_getextraspace(s)) = budget_.get();
  lua_pushlightuserdata(s, this);
  lua_rawsetp(s, LUA_REGISTRYINDEX, &kSandboxKey);
  sealer_.emplace(s, coverage == nullptr ? nullptr : &coverage->there);
  if (coverage != nullptr) budget_->note_lines_in(&coverage->ran);
  push_environment(s, load_library, open_table);
  environment_ = luaL_ref(s, LUA_REGISTRYINDEX);
  lua_newtable(s);
  libraries_ = luaL_ref(s, LUA_REGISTRYINDEX);
  lua_newtable(s);
  tables_ = luaL_ref(s, LUA_REGISTRYINDEX);
}

std::optional<std::string> Sandbox::run_file(const std::string& file) {
  lua_State* const s = state_.get();
  const auto found = bundle_->files.find(file);
  if (found == bundle_->files.end()) return "file not found: " + file;
  const std::string chunk_name = "@" + file;

  budget_->begin(s, kLoadLimits);
  const auto source = without_mark(found->second);
  const int status = luaL_loadbufferx(s, source.data(), source.size(), chunk_name.c_str(), "t");
  budget_->end(s);
  if (status != LUA_OK) return take_error(status);
  lua_rawgeti(s, LUA_REGISTRYINDEX, environment_);
  lua_setupvalue(s, -2, 1);  // _ENV is the only upvalue of a chunk
  loading_ = true;
  auto failed = call(0, kLoadLimits);
  loading_ = false;
  if (failed) {
    forget_unfinished_libraries();
    return failed;
  }
  if (const char* const problem = sealer_->seal_top(file)) {
    lua_pop(s, 1);
    return file + ":1: " + problem;
  }
  return std::nullopt;
}

std::optional<std::string> Sandbox::call(int arguments, const Limits& limits) {
  lua_State* const s = state_.get();
  budget_->begin(s, limits);
  const int status = lua_pcall(s, arguments, 1, 0);
  budget_->end(s);
  if (status != LUA_OK) return take_error(status);
  return std::nullopt;
}

std::string Sandbox::take_error(int status) {
  lua_State* const s = state_.get();
  std::string message;
  const std::string refusal = budget_->memory_refusal();
  if (status == LUA_ERRMEM && !refusal.empty())
    message = refusal;
  else if (lua_type(s, -1) == LUA_TSTRING)
    message = lua_tostring(s, -1);
  else
    message = std::string("error() was called with a ") + luaL_typename(s, -1) + " instead of a text";
  lua_pop(s, 1);
  if (message.size() > kLongestMessage) message.resize(kLongestMessage);
  std::replace_if(
      message.begin(), message.end(), [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7f; }, ' ');
  if (!refusal.empty()) lua_gc(s, LUA_GCCOLLECT);  // most of the state is garbage now
  return message;
}

void Sandbox::forget_unfinished_libraries() {
  lua_State* const s = state_.get();
  lua_rawgeti(s, LUA_REGISTRYINDEX, libraries_);
  for (lua_pushnil(s); lua_next(s, -2) != 0; lua_pop(s, 1)) {
    if (lua_type(s, -1) != LUA_TBOOLEAN) continue;
    lua_pushvalue(s, -2);
    lua_pushnil(s);
    lua_rawset(s, -5);
  }
  lua_pop(s, 1);
}

const std::string* Sandbox::library_text(const char* name) const {
  const auto found = bundle_->files.find(std::string("lib/") + name + ".lua");
  return found == bundle_->files.end() ? nullptr : &found->second;
}

// lib('name'): the table that lib/name.lua returns. It runs within the budget of the calling file. As a C function it
// has no object whose destructor a Lua error would skip.
int Sandbox::load_library(lua_State* s) {
  const char* const name = luaL_checkstring(s, 1);
  lua_rawgetp(s, LUA_REGISTRYINDEX, &kSandboxKey);
  auto& sandbox = *static_cast<Sandbox*>(lua_touserdata(s, -1));
  if (!sandbox.loading_) return luaL_error(s, "lib('%s') must be at the top of the file, outside evaluate", name);
  lua_rawgeti(s, LUA_REGISTRYINDEX, sandbox.libraries_);
  const int libraries = lua_gettop(s);
  const int known = lua_getfield(s, libraries, name);
  if (known == LUA_TBOOLEAN) return luaL_error(s, "lib('%s') is part of a cycle of files that load each other", name);
  if (known != LUA_TNIL) return 1;

  const std::string* const text = std::strlen(name) > kLongestText ? nullptr : sandbox.library_text(name);
  if (text == nullptr) return luaL_error(s, "lib('%s'): file not found: lib/%s.lua", name, name);
  Budget::charge(s, static_cast<std::int64_t>(text->size()) / 4);
  lua_pushboolean(s, 1);
  lua_setfield(s, libraries, name);
  const char* const chunk_name = lua_pushfstring(s, "@lib/%s.lua", name);
  const auto source = without_mark(*text);
  if (luaL_loadbufferx(s, source.data(), source.size(), chunk_name, "t") != LUA_OK) return lua_error(s);
  lua_rawgeti(s, LUA_REGISTRYINDEX, sandbox.environment_);
  lua_setupvalue(s, -2, 1);
  lua_call(s, 0, 1);
  if (lua_type(s, -1) != LUA_TTABLE) return luaL_error(s, "lib/%s.lua must return a table of functions", name);

  const char* problem = nullptr;
  {
    const Budget::Pause unmetered(*sandbox.budget_);
    problem = sandbox.sealer_->seal_top(chunk_name + 1);
  }
  if (problem) return luaL_error(s, "lib/%s.lua: %s", name, problem);
  push_content(s, -1);
  lua_pushfstring(s, "lib('%s')", name);
  const char* const shown = lua_tostring(s, -1);
  lua_insert(s, -2);
  push_view(s, Unknown::is_error, shown);
  lua_pushvalue(s, -1);
  lua_setfield(s, libraries, name);
  return 1;
}

// table('name'): a reference table of the bundle. A C function like load_library.
int Sandbox::open_table(lua_State* s) {
  const char* const name = luaL_checkstring(s, 1);
  lua_rawgetp(s, LUA_REGISTRYINDEX, &kSandboxKey);
  auto& sandbox = *static_cast<Sandbox*>(lua_touserdata(s, -1));
  if (!sandbox.loading_) return luaL_error(s, "table('%s') must be at the top of the file, outside evaluate", name);
  lua_rawgeti(s, LUA_REGISTRYINDEX, sandbox.tables_);
  const int known = lua_gettop(s);
  if (lua_getfield(s, known, name) != LUA_TNIL) return 1;
  if (!push_table(s, *sandbox.access_, name)) {
    ClosestName closest(name);
    for (const auto& [other, table] : sandbox.access_->tables) closest.consider(other);
    if (closest.found().empty()) return luaL_error(s, "table('%s'): file not found: tables/%s.lua", name, name);
    lua_pushlstring(s, closest.found().data(), closest.found().size());
    return luaL_error(s, "table('%s'): file not found: tables/%s.lua (did you mean '%s'?)", name, name,
                      lua_tostring(s, -1));
  }
  lua_pushvalue(s, -1);
  lua_setfield(s, known, name);
  return 1;
}

std::map<std::string, std::set<std::string>, std::less<>> Sandbox::global_names() {
  lua_State* const s = state_.get();
  const int top = lua_gettop(s);
  std::map<std::string, std::set<std::string>, std::less<>> names;
  lua_rawgeti(s, LUA_REGISTRYINDEX, environment_);
  push_content(s, -1);
  const int content = lua_gettop(s);
  for (lua_pushnil(s); lua_next(s, content) != 0; lua_pop(s, 1)) {
    auto& fields = names[lua_tostring(s, -2)];
    if (!lua_istable(s, -1)) continue;
    push_content(s, -1);
    for (lua_pushnil(s); lua_next(s, -2) != 0; lua_pop(s, 1)) fields.insert(lua_tostring(s, -2));
    lua_pop(s, 1);
  }
  lua_settop(s, top);
  return names;
}

void Sandbox::collect() {
  const std::size_t grown = budget_->allocated_bytes() - collected_at_;
  if (grown < kBytesPerStep) return;
  lua_gc(state_.get(), LUA_GCSTEP, static_cast<int>(std::min<std::size_t>(grown / 1024, 1024)));
  collected_at_ = budget_->allocated_bytes();
}

}  // namespace tideover::lua
