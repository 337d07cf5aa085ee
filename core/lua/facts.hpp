// What a rule sees: claim, payer, review, read straight from the host's facts, never copied. One table per object lists
// every field; the editor stubs in api/rules are checked against it. chart_identifier is in none of them.
#pragma once
#include <lua.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "core/ports/rule_policy.hpp"

namespace tideover::lua {

class FactReads;

/// The facts of the call that is running; both null between calls, so nothing can be read from an earlier claim.
struct Window {
  const ports::ClaimFacts* claim = nullptr;
  const ports::TermsFacts* terms = nullptr;
  FactReads* reads = nullptr;  // hears of every fact that is read, if somebody wants to know
};

/// What stands behind a fact object in Lua.
struct FactHandle {
  const Window* window;
  std::size_t line;  // of a service line, from 0
};

/// A fact as a rule hears it; monostate is nil. Texts belong to the facts.
using FactValue = std::variant<std::monostate, bool, std::int64_t, std::string_view>;

struct FactField {
  const char* name;
  const char* type;  // as the editor stubs say it: "integer", "string?"
  FactValue (*read)(const FactHandle& facts);  // null: an object that is the same for every claim
};

struct FactQuestion {
  const FactField* field;
  std::size_t line;  // from 0, and 0 for what is no line's
};

/// As a rule writes it: "claim.lines[2].cpt".
std::string name_of(const FactQuestion& question);
/// For people: dates and money, which rules hear as numbers, in their usual form too.
std::string text_of(const FactQuestion& question, const FactValue& value);

/// What a rule that asks this would hear now; nothing where the line is not there.
std::optional<FactValue> hear(const FactQuestion& question, const Window& window);

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

  void show(const ports::ClaimFacts& facts) { window_ = {&facts}; }
  void show(const ports::TermsFacts& facts) { window_ = {nullptr, &facts}; }
  void hide() { window_ = {}; }
  const Window& window() const { return window_; }
  void note_reads_in(FactReads* reads) { window_.reads = reads; }

  void push_claim() const { lua_rawgeti(state_, LUA_REGISTRYINDEX, claim_); }
  void push_payer() const { lua_rawgeti(state_, LUA_REGISTRYINDEX, payer_); }
  void push_review() const { lua_rawgeti(state_, LUA_REGISTRYINDEX, review_); }

 private:
  lua_State* state_;
  Window window_;
  int claim_, payer_, review_;  // registry references
};

}  // namespace tideover::lua
