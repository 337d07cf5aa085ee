// A bundle of rules from filing to promotion, and the live bundle (core/lua has the rules). Only the transition table
// in rule_bundle.cpp says which steps exist.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/domain/basics/date.hpp"

namespace tideover::domain {

/// `candidate`: filed, not checked. `checked`: compiles without static faults. `tested`: its own cases pass.
/// `approved`: by another operator than the one who filed it, if that is required. `live`: decides. `retired`: was live
/// and may be again. `rejected`: has a reason. Rules that are being edited are in no store.
enum class BundleState { candidate, checked, tested, approved, live, retired, rejected };
inline constexpr std::array<std::string_view, 7> kBundleStateNames{"candidate", "checked", "tested",  "approved",
                                                                   "live",      "retired", "rejected"};
inline constexpr std::string_view name_of(BundleState state) {
  return kBundleStateNames[static_cast<std::size_t>(state)];
}
std::optional<BundleState> bundle_state_named(std::string_view name);

enum class BundleStep {
  file,     // filed, for the first time or after a rejection
  check,    // it compiles
  test,     // its cases pass
  approve,  // a second operator approves
  promote,  // it becomes live
  replace,  // another one becomes live
  reject,   // it must not become live
};
inline constexpr int kBundleStepCount = 7;

/// The state after `step`; nullopt when the step does not exist.
std::optional<BundleState> next_state(BundleState from, BundleStep step);

struct RuleBundle {
  std::string sha256;   // of all files: the bundle's id
  std::string version;  // short form for display
  BundleState state = BundleState::candidate;
  std::string reason;       // of a rejected one
  std::string filed_by;     // an operator, or the node of the rules folder
  std::string approved_by;  // empty until then
  Timestamp filed_at;
  Timestamp changed_at;
  std::string files{};  // in the form of core/lua; empty for a rejected bundle and in lists
};

/// The live rules on all nodes. One row in all.
struct LiveRules {
  std::string sha256;
  std::string previous_sha256;  // the target of a rollback; empty after one
  std::int64_t generation = 1;  // raised by each change
  bool is_pinned = false;       // by a rollback: saved rules wait for a promotion
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
  std::string id;  // ordered by time
  Timestamp at;
  RuleAct act = RuleAct::filed;
  std::string sha256;
  std::string actor;
  std::string reason;  // in the actor's words
};

}  // namespace tideover::domain
