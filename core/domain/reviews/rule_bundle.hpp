// A bundle of rules on its way from a folder into force, and what is in force (the rules themselves are core/lua's).
// The transition table in rule_bundle.cpp is the only place that knows which steps exist.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/domain/basics/date.hpp"

namespace tideover::domain {

/// `candidate`: filed, not looked at. `checked`: compiles, no fault found by reading. `tested`: its own cases pass.
/// `approved`: by another operator than who filed it, where that is asked for. `live`: decides. `retired`: did so once,
/// and may again. `rejected`: has a reason. What is still being edited is in no store.
enum class BundleState { candidate, checked, tested, approved, live, retired, rejected };
inline constexpr std::array<std::string_view, 7> kBundleStateNames{"candidate", "checked", "tested",  "approved",
                                                                   "live",      "retired", "rejected"};
inline constexpr std::string_view name_of(BundleState state) {
  return kBundleStateNames[static_cast<std::size_t>(state)];
}
std::optional<BundleState> bundle_state_named(std::string_view name);

enum class BundleStep {
  file,     // brought in, for the first time or after it was rejected
  check,    // it compiles
  test,     // its cases pass
  approve,  // a second operator says yes
  promote,  // it decides from now on
  replace,  // another one does
  reject,   // it shall not
};
inline constexpr int kBundleStepCount = 7;

/// The state after `step`, or nullopt where the step does not exist.
std::optional<BundleState> next_state(BundleState from, BundleStep step);

struct RuleBundle {
  std::string sha256;   // of all files: the bundle's id
  std::string version;  // short form shown to people
  BundleState state = BundleState::candidate;
  std::string reason;       // of a rejected one
  std::string filed_by;     // a reviewer, or the node whose folder it came from
  std::string approved_by;  // empty until then
  Timestamp filed_at;
  Timestamp changed_at;
  std::string files{};  // as core/lua writes a bundle; empty for a rejected one and where only a list was asked for
};

/// What decides, on every node. One row in all.
struct LiveRules {
  std::string sha256;
  std::string previous_sha256;  // what a rollback brings back; empty after one
  std::int64_t generation = 1;  // raised by every change
  bool is_pinned = false;       // by a rollback: what is saved in a folder waits until somebody promotes
  Timestamp effective_at;       // when every node switches
};

enum class RuleAct { filed, rejected, approved, promoted, rolled_back };
inline constexpr std::array<std::string_view, 5> kRuleActNames{"filed", "rejected", "approved", "promoted",
                                                               "rolled_back"};
inline constexpr std::string_view name_of(RuleAct act) {
  return kRuleActNames[static_cast<std::size_t>(act)];
}
std::optional<RuleAct> rule_act_named(std::string_view name);

struct RuleActRecord {
  std::string id;  // in the order of time
  Timestamp at;
  RuleAct act = RuleAct::filed;
  std::string sha256;
  std::string actor;
  std::string reason;  // in the actor's words
};

}  // namespace tideover::domain
