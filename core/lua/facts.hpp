// What a rule sees: claim, payer, review, read straight from the host's facts, never copied. One table per object lists
// every field; the editor stubs in api/rules are checked against it. chart_identifier is in none of them.
#pragma once
#include <lua.hpp>

#include <cstddef>
#include <span>

#include "core/ports/rule_policy.hpp"

namespace tideover::lua {

/// The facts of the call that is running; both null between calls, so nothing can be read from an earlier claim.
struct Window {
  const ports::ClaimFacts* claim = nullptr;
  const ports::TermsFacts* terms = nullptr;
};

/// What stands behind a fact object in Lua.
struct FactHandle {
  const Window* window;
  std::size_t line;  // of a service line, from 0
};

struct FactField {
  const char* name;
  const char* type;  // as the editor stubs say it: "integer", "string?"
  void (*push)(lua_State* state, const FactHandle& facts);
};

struct FactObject {
  const char* name;  // "claim"
  std::span<const FactField> fields;
};

/// claim, line, payer, review.
std::span<const FactObject> fact_objects();

/// The fact objects of one state. One thread at a time; must outlive every call.
class FactViews {
 public:
  explicit FactViews(lua_State* state);
  FactViews(const FactViews&) = delete;
  FactViews& operator=(const FactViews&) = delete;

  void show(const ports::ClaimFacts& facts) { window_ = {&facts, nullptr}; }
  void show(const ports::TermsFacts& facts) { window_ = {nullptr, &facts}; }
  void hide() { window_ = {}; }

  void push_claim() const { lua_rawgeti(state_, LUA_REGISTRYINDEX, claim_); }
  void push_payer() const { lua_rawgeti(state_, LUA_REGISTRYINDEX, payer_); }
  void push_review() const { lua_rawgeti(state_, LUA_REGISTRYINDEX, review_); }

 private:
  lua_State* state_;
  Window window_;
  int claim_, payer_, review_;  // registry references
};

}  // namespace tideover::lua
