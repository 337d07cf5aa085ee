#include "core/domain/reviews/rule_bundle.hpp"

#include "core/domain/basics/enum_names.hpp"

namespace tideover::domain {

std::optional<BundleState> bundle_state_named(std::string_view name) {
  return enum_named<BundleState>(kBundleStateNames, name);
}
std::optional<RuleAct> rule_act_named(std::string_view name) {
  return enum_named<RuleAct>(kRuleActNames, name);
}

std::optional<BundleState> next_state(BundleState from, BundleStep step) {
  struct Transition {
    BundleState from;
    BundleStep step;
    BundleState to;
  };
  using enum BundleState;
  using enum BundleStep;
  static constexpr Transition kTransitions[] = {
      {candidate, check, checked},   {checked, test, tested},
      {tested, approve, approved},   {tested, promote, live},
      {approved, promote, live},     {live, replace, retired},
      {retired, promote, live},  // a rollback, or promoted again
      {candidate, reject, rejected}, {checked, reject, rejected},
      {tested, reject, rejected},    {approved, reject, rejected},
      {retired, reject, rejected},   {rejected, file, candidate},  // another version may find no fault
  };
  for (const auto& each : kTransitions)
    if (each.from == from && each.step == step) return each.to;
  return std::nullopt;
}

}  // namespace tideover::domain
