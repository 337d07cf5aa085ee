// The facts that rules read (claim, payer, review), read directly from the host's data and never copied. One table per
// object lists every field, and the editor stubs in api/rules are checked against it. None has chart_identifier.
#pragma once
#include <lua.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/ports/rules/rule_policy.hpp"

namespace tideover::lua {

class FactReads;

/// The facts of the running call. Both are null between calls, so that no rule reads an earlier claim.
struct Window {
  const ports::ClaimFacts* claim = nullptr;
  const ports::TermsFacts* terms = nullptr;
  FactReads* reads = nullptr;  // records every fact that is read; may be null
  std::size_t line = 0;        // from 0: the line that a line rule is called for
};

/// Stands for the current line, whatever its index: what was read of one line is then also known of another.
inline constexpr std::size_t kAskedLine = static_cast<std::size_t>(-1);

/// The host data of a fact object in Lua.
struct FactHandle {
  const Window* window;
  std::size_t line;  // of a service line, from 0, or kAskedLine
};

/// A fact as a rule gets it; monostate is nil. Texts belong to the facts.
using FactValue = std::variant<std::monostate, bool, std::int64_t, std::string_view>;

/// Facts with parts: the rule gets the same object for every claim (or line) and reads its parts through it. Also
/// functions that answer from the facts.
enum class FactPart { none, lines, diagnoses, history, line_history, expected_loss, shortfall, largest_advance };

struct FactField {
  const char* name;
  const char* type;                            // as in the editor stubs: "integer", "string?"
  FactValue (*read)(const FactHandle& facts);  // null for a part
  FactPart part = FactPart::none;
};

struct FactQuestion {
  const FactField* field;
  std::size_t line;  // from 0, or kAskedLine; 0 for other objects
};

/// As in a rule: "claim.lines[2].cpt".
std::string name_of(const FactQuestion& question);
/// For display: dates and money, which rules get as numbers, also in their usual form.
std::string text_of(const FactQuestion& question, const FactValue& value);

/// The value that a rule would get now; empty when the line is missing.
std::optional<FactValue> hear(const FactQuestion& question, const Window& window);

struct FactObject {
  const char* name;  // "claim"
  std::span<const FactField> fields;
};

/// claim, line, payer, review, history, line_history.
std::span<const FactObject> fact_objects();

/// A fact that a claim may lack, by name: an optional field, or "lines", "diagnosis_codes", "history". Null for an
/// unknown name.
const FactField* optional_claim_fact(std::string_view name);
std::vector<std::string_view> optional_claim_facts();
/// Whether the fact is the code or the modifiers of a line: few combinations cover most lines of a clinic's day.
bool is_of_code(const FactField& field);
bool is_missing(const FactField& optional_fact, const Window& window);

/// The fact objects of one state. One thread at a time; must outlive every call.
class FactViews {
 public:
  explicit FactViews(lua_State* state);
  FactViews(const FactViews&) = delete;
  FactViews& operator=(const FactViews&) = delete;

  void show(const ports::ClaimFacts& facts) { window_ = {&facts}; }
  void ask_about(std::size_t line) { window_.line = line; }
  void show(const ports::TermsFacts& facts) { window_ = {nullptr, &facts}; }
  void hide() { window_ = {}; }
  const Window& window() const { return window_; }
  void note_reads_in(FactReads* reads) { window_.reads = reads; }

  void push_claim() const { lua_rawgeti(state_, LUA_REGISTRYINDEX, claim_); }
  void push_line() const { lua_rawgeti(state_, LUA_REGISTRYINDEX, line_); }
  void push_payer() const { lua_rawgeti(state_, LUA_REGISTRYINDEX, payer_); }
  void push_review() const { lua_rawgeti(state_, LUA_REGISTRYINDEX, review_); }

 private:
  lua_State* state_;
  Window window_;
  int claim_, line_, payer_, review_;  // registry references
};

}  // namespace tideover::lua
