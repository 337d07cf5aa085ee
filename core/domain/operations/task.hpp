// Work that waits for an operator (core/docs/contract.md#tasks): what it is about, which decisions it
// admits, who said what, and what was decided. A closed task never opens again.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/basics/date.hpp"
#include "core/domain/basics/id.hpp"

namespace tideover::domain {

enum class TaskStatus { open, closed };
std::string_view name_of(TaskStatus status);
std::optional<TaskStatus> task_status_named(std::string_view name);

/// What one client said; its last word counts.
struct TaskVote {
  ClientId client;
  std::string decision;
  std::string reason;
  Timestamp at;
};

struct Task {
  TaskId id;
  std::string kind;
  std::string object_id;  // of the settlement, deposit, remittance, rail payment or rule that it is about
  std::string note;
  Timestamp opened_at;
  std::optional<ClientId> opened_by{};  // whose request brought it up
  TaskStatus status = TaskStatus::open;
  std::string decision{};  // of a closed one: an operator's, or what made it needless
  std::optional<Timestamp> closed_at{};
  std::vector<TaskVote> votes{};  // oldest first
  std::string
      finding{};  // names what was found, where the same is found again and again: no second task is opened about it
};

/// The kinds of tasks and how an operator may end each.
inline constexpr std::string_view kManualReview = "manual_review";
inline constexpr std::string_view kFundingUnknown = "funding_unknown";
inline constexpr std::string_view kPayoutUnknown = "payout_unknown";
/// The rail refused a payout, or it came back: it is not tried again before an operator asks for it.
inline constexpr std::string_view kPayoutFailed = "payout_failed";
/// The payer took back what was paid out of a residual, or is on its way: the provider owes it, and no debit collects
/// it.
inline constexpr std::string_view kPayoutTakenBack = "payout_taken_back";
inline constexpr std::string_view kPaymentUnexpected = "payment_unexpected";
inline constexpr std::string_view kDepositUnmatched = "deposit_unmatched";
inline constexpr std::string_view kMatchAmbiguous = "match_ambiguous";
inline constexpr std::string_view kDepositDuplicate = "deposit_duplicate";
inline constexpr std::string_view kOverduePayment = "overdue_payment";
/// A record is not usable for learning: predictions do without it.
inline constexpr std::string_view kLearningSetAside = "learning_set_aside";
/// A rule failed too often and is in shadow mode, or would be if it could.
inline constexpr std::string_view kRuleFailing = "rule_failing";
/// Money or a claim found no place: an operator may accept a proposal.
constexpr bool is_about_matching(std::string_view kind) {
  return kind == kDepositUnmatched || kind == kMatchAmbiguous || kind == kDepositDuplicate;
}
/// A rail cannot tell whether it paid: an operator finds out.
constexpr bool is_about_payment(std::string_view kind) {
  return kind == kFundingUnknown || kind == kPayoutUnknown;
}
inline constexpr std::string_view kAccept = "accept";
inline constexpr std::string_view kAcceptShort = "accept_short";  // and what is missing is a loss
inline constexpr std::string_view kAcceptOver = "accept_over";    // and what is above the charge is the provider's
inline constexpr std::string_view kAssignPayer = "assign_payer";
inline constexpr std::string_view kRelease = "release";  // the money pays no advance: it is the provider's
inline constexpr std::string_view kDistinct = "distinct";
inline constexpr std::string_view kResolved = "resolved";
/// Which say so with one of the task's proposals, and which can be undone.
constexpr bool takes_proposal(std::string_view decision) {
  return decision == kAccept || decision == kAcceptShort || decision == kAcceptOver;
}
constexpr bool may_be_undone(std::string_view decision) {
  return takes_proposal(decision) || decision == kRelease || decision == kAssignPayer;
}
/// Whoever decides so has to say why.
constexpr bool needs_reason(std::string_view decision) {
  return decision == kAcceptShort || decision == kAcceptOver || decision == kRelease;
}
const std::vector<std::string_view>& task_kinds();
std::vector<std::string> decisions_of(const Task& task);

/// How a task ends without an operator.
inline constexpr std::string_view kAnsweredByRail = "answered_by_rail";
inline constexpr std::string_view kCorrected = "corrected";  // what it is about came again, and is right now
inline constexpr std::string_view kSettlementEnded = "settlement_ended";

}  // namespace tideover::domain
