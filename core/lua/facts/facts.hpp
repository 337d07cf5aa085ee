// The facts that a rule can read: claim, payer, review, event. They are read directly from the host's data, never
// copied. One table per object lists every field; the editor stubs in api/rules are checked against it.
// chart_identifier is not a fact. fact_views shows them to Lua.
#pragma once
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

/// For each line of a long claim the first line with the same codes and modifiers. Comparing all pairs of hundreds of
/// lines would take too long.
class AlikeLines {
 public:
  void forget() { first_.clear(); }
  /// From 0. The claim is the same until `forget`.
  std::size_t first_of(const domain::ClaimDraft& claim, std::size_t line);

 private:
  std::vector<std::size_t> first_;
};

/// The facts of the current call; all null between calls, so that no earlier claim can be read.
struct Window {
  const ports::ClaimFacts* claim = nullptr;
  const ports::TermsFacts* terms = nullptr;
  const domain::RecourseFacts* event = nullptr;
  FactReads* reads = nullptr;  // records every fact that is read; null when not needed
  std::size_t line = 0;        // from 0: the line that a per-line rule is called for
  AlikeLines* alike = nullptr;
};

/// Stands for the line of the call in recorded reads, whatever its number: a result for one line then applies to equal
/// lines.
inline constexpr std::size_t kAskedLine = static_cast<std::size_t>(-1);

/// The host data behind a fact object in Lua.
struct FactHandle {
  const Window* window;
  std::size_t line;  // of a service line or an element of a list, from 0, or kAskedLine
};

/// A fact as the rule gets it; monostate is nil. Texts belong to the facts.
using FactValue = std::variant<std::monostate, bool, std::int64_t, std::string_view>;

/// Facts with parts: the rule gets the same object for every claim (or line), and reads the parts through it. Also
/// functions that return facts.
enum class FactPart { none, lines, list, history, line_history, expected_loss, shortfall, largest_advance };

struct FactList;

struct FactField {
  const char* name;
  const char* type;                            // as in the editor stubs: "integer", "string?"
  FactValue (*read)(const FactHandle& facts);  // null for a part
  FactPart part = FactPart::none;
  const FactList* list = nullptr;  // of a part that is a list
};

/// A list of a claim, with the questions that reading an element or the number of elements stands for.
struct FactList {
  const char* name;
  FactField element, count;
  FactField present;  // true when the list has elements, else nil
};
/// All lists but the service lines.
std::span<const FactList* const> fact_lists();

struct FactQuestion {
  const FactField* field;
  std::size_t line;  // from 0, or kAskedLine; 0 for a fact that is not of a line
};

/// In the form of a rule: "claim.lines[2].cpt".
std::string name_of(const FactQuestion& question);
/// Readable form: dates and money, which rules get as numbers, in their usual form too.
std::string text_of(const FactQuestion& question, const FactValue& value);

/// The current answer to the question; none when the line does not exist.
std::optional<FactValue> answer_now(const FactQuestion& question, const Window& window);

struct FactObject {
  enum class Kind { claim, line, payer, review, history, line_history, event };
  const char* name;  // "claim"
  std::span<const FactField> fields;
  Kind kind;
};
const FactObject& fact_object(FactObject::Kind kind);

/// The question that reading a line, or the number of lines, stands for: a rule that reads no further has read this.
extern const FactField kLineThere, kLinesCount;

/// claim, line, payer, review, history, line_history, event.
std::span<const FactObject> fact_objects();

/// An optional fact of a claim by name: an optional field, "lines", "history", or a list. Null when there is no such
/// name.
const FactField* optional_claim_fact(std::string_view name);
std::vector<std::string_view> optional_claim_facts();
/// True for the code or the modifiers of a line, which repeat in many lines of a practice.
bool is_of_code(const FactField& field);
bool is_missing(const FactField& optional_fact, const Window& window);

}  // namespace tideover::lua
