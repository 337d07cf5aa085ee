#include "core/domain/operations/task.hpp"

#include <algorithm>

namespace tideover::domain {

std::string_view name_of(TaskStatus status) {
  return status == TaskStatus::open ? "open" : "closed";
}

std::optional<TaskStatus> task_status_named(std::string_view name) {
  for (const auto status : {TaskStatus::open, TaskStatus::closed})
    if (name_of(status) == name) return status;
  return std::nullopt;
}

const std::vector<std::string_view>& task_kinds() {
  static const std::vector<std::string_view> kinds{
      kManualReview,           kFundingUnknown,    kPayoutUnknown,    kPayoutFailed,
      kPayoutTakenBack,        kPaymentUnexpected, kRailDisagreement, kDepositUnmatched,
      "remittance_unbalanced", kMatchAmbiguous,    kOverduePayment,   "trace_reused",
      kDepositDuplicate,       kLearningSetAside,  kRuleFailing,      kWriteOffProposed};
  return kinds;
}

std::vector<std::string> decisions_of(const Task& task) {
  const auto named = [](auto... names) { return std::vector<std::string>{std::string(names)...}; };
  if (task.kind == kManualReview) return named("approve", "decline");
  if (is_about_payment(task.kind)) return named("paid", "not_paid");
  if (task.kind == kDepositDuplicate) return named(kAccept, kDistinct);
  if (is_about_matching(task.kind)) return named(kAccept, kAcceptShort, kAcceptOver, kAssignPayer, kRelease, kResolved);
  if (task.kind == kWriteOffProposed) return named(kWriteOffNow, kKeep, kAccept, kAcceptOver);
  // Operators act on the others elsewhere, for example at the bank. Here the task only ends.
  const auto& kinds = task_kinds();
  return std::find(kinds.begin(), kinds.end(), task.kind) == kinds.end() ? std::vector<std::string>{}
                                                                         : named(kResolved);
}

}  // namespace tideover::domain
