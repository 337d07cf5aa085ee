#include "core/domain/task.hpp"

#include <algorithm>

namespace tideover::domain {

std::string_view name_of(TaskStatus status) { return status == TaskStatus::open ? "open" : "closed"; }

std::optional<TaskStatus> task_status_named(std::string_view name) {
  for (const auto status : {TaskStatus::open, TaskStatus::closed})
    if (name_of(status) == name) return status;
  return std::nullopt;
}

const std::vector<std::string_view>& task_kinds() {
  static const std::vector<std::string_view> kinds{kManualReview,          kFundingUnknown,   kPayoutUnknown, kPayoutFailed, "payment_unexpected",
                                                   "rail_disagreement",    kDepositUnmatched, "remittance_unbalanced",
                                                   kMatchAmbiguous,       kOverduePayment,   "trace_reused"};
  return kinds;
}

std::vector<std::string> decisions_of(std::string_view kind) {
  if (kind == kManualReview) return {"approve", "decline"};
  if (is_about_payment(kind)) return {"paid", "not_paid"};
  if (is_about_matching(kind)) return {std::string(kAccept), "resolved"};
  // What a person did about the others is seen elsewhere - at the bank, in a new remittance; here it only ends.
  const auto& kinds = task_kinds();
  return std::find(kinds.begin(), kinds.end(), kind) == kinds.end() ? std::vector<std::string>{} : std::vector<std::string>{"resolved"};
}

}  // namespace tideover::domain
