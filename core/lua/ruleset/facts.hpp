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
#include <vector>

#include "core/ports/rules/rule_policy.hpp"

namespace tideover::lua {

class FactReads;

/// The facts of the call that is running; both null between calls, so nothing can be read from an earlier claim.
struct Window {
  const ports::ClaimFacts* claim = nullptr;
  const ports::TermsFacts* terms = nullptr;
  FactReads* reads = nullptr;  // hears of every fact that is read, if somebody wants to know
  std::size_t line = 0;        // from 0: the line that a rule of lines is asked about
};

/// The number of that line, wherever it stands: what was read of one line is then also known of another.
inline constexpr std::size_t kAskedLine = static_cast<std::size_t>(-1);

/// What stands behind a fact object in Lua.
struct FactHandle {
  const Window* window;
  std::size_t line;  // of a service line, from 0, or kAskedLine
};

/// A fact as a rule hears it; monostate is nil. Texts belong to the facts.
using FactValue = std::variant<std::monostate, bool, std::int64_t, std::string_view>;

/// Facts that hold others: what a rule gets is the same object for every claim (or line), through which it reads on.
/// Also functions that answer from the facts.
enum class FactPart { none, lines, diagnoses, history, line_history, expected_loss, shortfall, largest_advance };

struct FactField {
  const char* name;
  const char* type;                            // as the editor stubs say it: "integer", "string?"
  FactValue (*read)(const FactHandle& facts);  // null for a part
  FactPart part = FactPart::none;
};

struct FactQuestion {
  const FactField* field;
  std::size_t line;  // from 0, or kAskedLine; 0 for what is no line's
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

/// claim, line, payer, review, history, line_history.
std::span<const FactObject> fact_objects();

/// A fact of a claim that may be missing, by its name: an optional field, or "lines", "diagnosis_codes", "history".
/// Null when there is none of that name.
const FactField* optional_claim_fact(std::string_view name);
std::vector<std::string_view> optional_claim_facts();
/// Whether the fact is the code or the modifiers of a line, which a few lines in a clinic's day are not the first to
/// have.
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
