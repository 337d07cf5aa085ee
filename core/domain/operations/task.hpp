// Work for operators and reviewers (core/docs/contract.md#tasks): the object, the allowed decisions, the votes and the
// decision. A closed task is never reopened.
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

/// The vote of one client; its last one counts.
struct TaskVote {
  ClientId client;
  std::string decision;
  std::string reason;
  Timestamp at;
};

struct Task {
  TaskId id;
  std::string kind;
  std::string object_id;  // the settlement, deposit, remittance, rail payment or rule
  std::string note;
  Timestamp opened_at;
  std::optional<ClientId> opened_by{};  // the client whose request opened it
  TaskStatus status = TaskStatus::open;
  std::string decision{};  // when closed: the decision, or the reason why none is needed
  std::optional<Timestamp> closed_at{};
  std::vector<TaskVote> votes{};  // oldest first
  std::string finding{};          // a stable name of what was found, so that a repeated finding opens no second task
};

/// The kinds of tasks and the decisions that each allows.
inline constexpr std::string_view kManualReview = "manual_review";
inline constexpr std::string_view kFundingUnknown = "funding_unknown";
inline constexpr std::string_view kPayoutUnknown = "payout_unknown";
/// The rail refused or returned a payout. It is sent again only on request.
inline constexpr std::string_view kPayoutFailed = "payout_failed";
/// The payer took back money that was paid out as residual, or that is being paid out. The provider owes it, and no
/// debit collects it.
inline constexpr std::string_view kPayoutTakenBack = "payout_taken_back";
inline constexpr std::string_view kPaymentUnexpected = "payment_unexpected";
/// The statement of a rail, or its answer, differs from the database.
inline constexpr std::string_view kRailDisagreement = "rail_disagreement";
inline constexpr std::string_view kDepositUnmatched = "deposit_unmatched";
inline constexpr std::string_view kMatchAmbiguous = "match_ambiguous";
inline constexpr std::string_view kDepositDuplicate = "deposit_duplicate";
inline constexpr std::string_view kOverduePayment = "overdue_payment";
/// A receivable is to be written off, and a reviewer decides: it is large, or unmatched money may pay it.
inline constexpr std::string_view kWriteOffProposed = "write_off";
/// A record is unusable for learning. Predictions do not use it.
inline constexpr std::string_view kLearningSetAside = "learning_set_aside";
/// A rule failed too often and is in shadow mode, or could not be put there.
inline constexpr std::string_view kRuleFailing = "rule_failing";
/// Money or a claim is not allocated: a reviewer may accept a proposal.
constexpr bool is_about_matching(std::string_view kind) {
  return kind == kDepositUnmatched || kind == kMatchAmbiguous || kind == kDepositDuplicate;
}
/// A rail cannot say whether it paid: an operator finds out.
constexpr bool is_about_payment(std::string_view kind) {
  return kind == kFundingUnknown || kind == kPayoutUnknown;
}
inline constexpr std::string_view kAccept = "accept";
inline constexpr std::string_view kAcceptShort = "accept_short";  // without the missing money
inline constexpr std::string_view kAcceptOver = "accept_over";    // the excess is credited to the provider
inline constexpr std::string_view kAssignPayer = "assign_payer";
inline constexpr std::string_view kRelease = "release";  // the money pays no advance and is credited to the provider
inline constexpr std::string_view kDistinct = "distinct";
inline constexpr std::string_view kResolved = "resolved";
inline constexpr std::string_view kWriteOffNow = "write_off";
inline constexpr std::string_view kKeep = "keep";  // the receivable stays open and is proposed again later
/// Whether the decision needs a proposal, and whether it can be undone.
constexpr bool takes_proposal(std::string_view decision) {
  return decision == kAccept || decision == kAcceptShort || decision == kAcceptOver;
}
constexpr bool may_be_undone(std::string_view decision) {
  return takes_proposal(decision) || decision == kRelease || decision == kAssignPayer || decision == kWriteOffNow;
}
/// Whether the decision needs a reason.
constexpr bool needs_reason(std::string_view decision) {
  return decision == kAcceptShort || decision == kAcceptOver || decision == kRelease;
}
const std::vector<std::string_view>& task_kinds();
std::vector<std::string> decisions_of(const Task& task);

/// Decisions without an operator.
inline constexpr std::string_view kAnsweredByRail = "answered_by_rail";
inline constexpr std::string_view kCorrected = "corrected";  // the object came again and is correct now
inline constexpr std::string_view kSettlementEnded = "settlement_ended";

}  // namespace tideover::domain
