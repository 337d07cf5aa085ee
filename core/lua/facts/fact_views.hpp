// The facts as objects of a Lua state: claim, line, payer, review and event, with the objects and functions in them.
#pragma once
#include <lua.hpp>

#include "core/lua/facts/facts.hpp"

namespace tideover::lua {

/// The fact objects of one state. One thread at a time; must outlive every call.
class FactViews {
 public:
  explicit FactViews(lua_State* state);
  FactViews(const FactViews&) = delete;
  FactViews& operator=(const FactViews&) = delete;

  void show(const ports::ClaimFacts& facts) {
    alike_.forget();
    window_ = {&facts};
    window_.alike = &alike_;
  }
  void ask_about(std::size_t line) { window_.line = line; }
  void show(const ports::TermsFacts& facts) { window_ = {nullptr, &facts}; }
  void show(const domain::RecourseFacts& facts) { window_ = {nullptr, nullptr, &facts}; }
  void hide() { window_ = {}; }
  const Window& window() const { return window_; }
  void note_reads_in(FactReads* reads) { window_.reads = reads; }

  void push_claim() const { lua_rawgeti(state_, LUA_REGISTRYINDEX, claim_); }
  void push_line() const { lua_rawgeti(state_, LUA_REGISTRYINDEX, line_); }
  void push_payer() const { lua_rawgeti(state_, LUA_REGISTRYINDEX, payer_); }
  void push_review() const { lua_rawgeti(state_, LUA_REGISTRYINDEX, review_); }
  void push_event() const { lua_rawgeti(state_, LUA_REGISTRYINDEX, event_); }

 private:
  void add_list(const FactList& list);

  lua_State* state_;
  Window window_;
  AlikeLines alike_;
  int claim_, line_, payer_, review_, event_;  // registry references
};

}  // namespace tideover::lua
