#include "core/usecases/tasks/decide_task.hpp"

#include <algorithm>

#include "core/usecases/matching/accept_proposal.hpp"
#include "core/usecases/matching/match_payments.hpp"
#include "core/usecases/reconciliation/post_deposit.hpp"
#include "core/usecases/reconciliation/remittance_money.hpp"
#include "core/usecases/reconciliation/write_off_overdue.hpp"
#include "core/usecases/request/tasks.hpp"

namespace tideover::usecases {
namespace {

using domain::AttemptEvent;
using domain::Error;
using domain::ErrorCode;
using domain::Task;

Error task_not_found() {
  return Error::of(ErrorCode::not_found, "Task not found.");
}

Error closed(const Task& task) {
  return Error::of(ErrorCode::invalid_state, "This task is closed.")
      .with("status", "closed")
      .with("decision", task.decision);
}

Error of_another_client(const std::string& why) {
  return Error::of(ErrorCode::invalid_state, why + " Use another client.").with("status", "open");
}

/// Whether the client chose how the advance of this review will be paid.
bool has_changed_funding(const ports::Records& records, const RequestContext& context, const Task& task) {
  const auto settlement = domain::SettlementId::parse(task.object_id);
  return task.kind == domain::kManualReview && settlement &&
         records.settlements().has_changed_funding(context.caller.tenant, *settlement, context.caller.client);
}

/// Error version_conflict when the task is not as the client read it.
domain::Status check_expected(const ports::Records& records, const domain::TenantId& tenant, const domain::TaskId& id,
                              const TaskDecision& decision) {
  if (!decision.expected) return {};
  const auto task = records.tasks().find(tenant, id);
  if (!task || decision.expected(view_of(records, tenant, *task))) return {};
  return Error::of(ErrorCode::version_conflict, "The task changed after you read it. Read it again.");
}

/// The reason why this client may not decide so; nullopt when it may.
std::optional<Error> refusal_of(const ports::Records& records, const Task& task, const RequestContext& context,
                                const TaskDecision& decision, bool two_person_decisions) {
  if (task.status == domain::TaskStatus::closed) return closed(task);
  const auto allowed = domain::decisions_of(task);
  if (std::find(allowed.begin(), allowed.end(), decision.decision) == allowed.end()) {
    Error error =
        Error::of(ErrorCode::validation_error,
                  "A task of kind " + task.kind + " does not allow this decision. Use one of the allowed decisions.")
            .with_list("allowed", allowed);
    error.fields.push_back({"decision", "is not one of the allowed values"});
    return error;
  }
  if (!two_person_decisions) return std::nullopt;
  if (task.opened_by == context.caller.client)
    return of_another_client("The client that opened this task cannot decide it.");
  if (has_changed_funding(records, context, task))
    return of_another_client("The client that changed the funding of this settlement cannot decide its review.");
  return std::nullopt;
}

/// Whether the decision needs the vote of a second client that is still missing.
bool needs_another(const Task& task, const RequestContext& context, const TaskDecision& decision,
                   bool two_person_decisions) {
  if (!two_person_decisions || !domain::is_about_payment(task.kind)) return false;
  return std::none_of(task.votes.begin(), task.votes.end(), [&](const auto& vote) {
    return vote.client != context.caller.client && vote.decision == decision.decision;
  });
}

/// After its payer was assigned, the remittance may stand for its money.
domain::Status post_money_of_named(ports::Records& records, const RequestContext& context, ports::IdSource& ids,
                                   const Task& task, ports::RulePolicy* rules) {
  const auto id = domain::RemittanceId::parse(task.object_id);
  const auto remittance = id ? records.remittances().find(context.caller.tenant, *id) : std::nullopt;
  if (!remittance) return {};
  const auto money = post_remittance_money(records, context, ids, *remittance, rules);
  return money ? domain::Status() : money.error();
}

}  // namespace

domain::Result<StoredResponse> DecideTask::operator()(const RequestContext& context, const std::string& task_id,
                                                      const TaskDecision& decision, const Render<Task>& render) {
  // Gather.
  const auto& tenant = context.caller.tenant;
  const auto id = domain::TaskId::parse(task_id);
  if (!id) return task_not_found();
  std::optional<Error> refusal;
  const auto task = fetch(store_, task_not_found(), [&](const ports::Records& records) {
    auto found = records.tasks().find(tenant, *id);
    if (found) refusal = refusal_of(records, *found, context, decision, two_person_decisions_);
    return found;
  });
  if (!task) return task.error();
  if (refusal) return *refusal;

  // A payment is ended by the steps of its attempt, which run their own transaction.
  const bool is_money = domain::is_about_payment(task->kind);
  if (is_money && !needs_another(*task, context, decision, two_person_decisions_))
    return end_attempt(context, *task, decision, render);

  const auto payer = payer_named(decision);
  if (!payer) return payer.error();
  std::string body;
  const bool is_write_off = task->kind == domain::kWriteOffProposed;
  const bool matches = (domain::is_about_matching(task->kind) && decision.decision != domain::kResolved) ||
                       (is_write_off && decision.decision != domain::kKeep);
  const auto done = store_.commit([&](ports::Records& records) -> domain::Status {
    // Before any other row: all matchings take their locks in this order.
    if (matches || task->kind == domain::kManualReview) records.clients().guard_matching(tenant);
    if (auto same = check_expected(records, tenant, *id, decision); !same) return same;
    if (matches) MatchPayments({records, tenant, context.now, ids_, rules_}).finish_postings(task->object_id);
    auto voted = vote(records, context, *id, decision);
    if (!voted) return voted.error();
    if (is_money) {
      if (!needs_another(*voted, context, decision, two_person_decisions_))
        return Error::of(ErrorCode::conflict, "Another client decided at the same time. Read the task again.");
      body = render(*voted);
      leave_trace(records, context, ids_, id->text(), body);
      return {};
    }
    if (voted->kind == domain::kManualReview)
      if (auto ended = end_review(records, context, *voted, decision.decision == "approve"); !ended) return ended;
    const Task decided = *voted;
    // Close the task before the money is posted: matching closes the open tasks about the money.
    if (auto closing = close(records, context, std::move(*voted), decision, render, body); !closing || !matches)
      return closing;
    auto settled = settle_matching({records, tenant, context.now, ids_, rules_}, decided, decision, *payer);
    return settled && decision.decision == domain::kAssignPayer
               ? post_money_of_named(records, context, ids_, decided, rules_)
               : settled;
  });
  if (!done) return done.error();
  return StoredResponse{body};
}

domain::Result<std::string> DecideTask::payer_named(const TaskDecision& decision) const {
  if (decision.decision != domain::kAssignPayer) return std::string();
  const auto payer = payers_.get(decision.proposal);
  if (!payer) return payer.error();
  if (*payer) return (*payer)->payer_id;
  Error error =
      Error::of(ErrorCode::validation_error, "Payer not found in any directory. Search with GET /v1/metadata/payers.");
  error.fields.push_back({"proposal", "is not a payer of the directory"});
  return error;
}

domain::Status DecideTask::settle_matching(const UnitOfWork& unit, const Task& task, const TaskDecision& decision,
                                           const std::string& payer_id) {
  if (decision.decision == domain::kAssignPayer) return assign_payer(unit, task, payer_id);
  if (decision.decision == domain::kRelease) return release_money(unit, task);
  if (decision.decision == domain::kDistinct) return admit_deposit(unit, task.object_id);
  if (decision.decision == domain::kWriteOffNow) return write_off(unit, task.object_id);
  return accept_proposal(unit, task, decision.proposal, decision.decision);
}

domain::Result<StoredResponse> DecideTask::undo(const RequestContext& context, const std::string& task_id,
                                                const std::string& reason, const Render<Task>& render) {
  const auto& tenant = context.caller.tenant;
  const auto id = domain::TaskId::parse(task_id);
  if (!id) return task_not_found();
  std::string body;
  const auto done = store_.commit([&](ports::Records& records) -> domain::Status {
    records.clients().guard_matching(tenant);
    const auto task = records.tasks().find(tenant, *id);
    if (!task) return task_not_found();
    const UnitOfWork unit{records, tenant, context.now, ids_, rules_};
    auto opened = task->status == domain::TaskStatus::closed && task->decision == domain::kWriteOffNow
                      ? undo_write_off(unit, *task, reason)
                      : undo_match(unit, *task, reason);
    if (!opened) return opened.error();
    const auto again = records.tasks().find(tenant, *opened);
    body = render(*again);
    leave_trace(records, context, ids_, id->text(), body);
    return {};
  });
  if (!done) return done.error();
  return StoredResponse{body};
}

domain::Result<Task> DecideTask::vote(ports::Records& records, const RequestContext& context, const domain::TaskId& id,
                                      const TaskDecision& decision) {
  const auto& tenant = context.caller.tenant;
  const bool is_open =
      records.tasks().vote(tenant, id, {context.caller.client, decision.decision, decision.reason, context.now});
  auto task = records.tasks().find(tenant, id);
  if (!task) return task_not_found();
  if (!is_open) return closed(*task);
  if (auto refusal = refusal_of(records, *task, context, decision, two_person_decisions_)) return *refusal;
  return std::move(*task);
}

domain::Status DecideTask::close(ports::Records& records, const RequestContext& context, Task task,
                                 const TaskDecision& decision, const Render<Task>& render, std::string& body) {
  if (!close_task({records, context.caller.tenant, context.now, ids_}, task, decision.decision)) return closed(task);
  task.status = domain::TaskStatus::closed;
  task.decision = decision.decision;
  task.closed_at = context.now;
  body = render(task);
  leave_trace(records, context, ids_, task.id.text(), body);
  return {};
}

domain::Status DecideTask::end_review(ports::Records& records, const RequestContext& context, const Task& task,
                                      bool approved) {
  const auto& tenant = context.caller.tenant;
  const auto id = domain::SettlementId::parse(task.object_id);
  auto stored = id ? records.settlements().find(tenant, *id) : std::nullopt;
  if (!stored) return Error::of(ErrorCode::settlement_not_found, "The settlement of this task was not found.");
  auto& settlement = stored->settlement;
  records.claims().guard(tenant, settlement.claim_id);
  if (has_lapsed(settlement, context.now))
    return Error::of(ErrorCode::invalid_state, "The terms have expired. Review the claim and adjudicate it again.")
        .with("expires_at", format_timestamp(settlement.expires_at));
  using domain::SettlementEvent;
  const auto next = next_status(settlement.status, settlement.decision,
                                approved ? SettlementEvent::reviewer_approves : SettlementEvent::reviewer_declines);
  if (!next)
    return Error::of(ErrorCode::invalid_state, "This settlement no longer waits for a manual review.")
        .with("status", std::string(name_of(settlement.status)));
  settlement.status = *next;
  settlement.decision = approved ? domain::Decision::approved : domain::Decision::declined;
  if (!records.settlements().update(tenant, *stored))
    return Error::of(ErrorCode::conflict, "The settlement changed at the same time. Send the request again.");
  records.events().append(tenant, {ids_.next<domain::EventId>(), context.now,
                                   domain::AdjudicationDecided{settlement.id, settlement.decision, settlement.status,
                                                               settlement.version + 1}});
  if (!approved) MatchPayments({records, tenant, context.now, ids_, rules_}).settlement_ended(settlement.id);
  return {};
}

domain::Result<StoredResponse> DecideTask::end_attempt(const RequestContext& context, const Task& task,
                                                       const TaskDecision& decision, const Render<Task>& render) {
  const auto& tenant = context.caller.tenant;
  // The object of the task is a settlement, or the NPI of a practice.
  const auto settlement = domain::SettlementId::parse(task.object_id);
  const auto purpose = !settlement                           ? domain::Purpose::payable
                       : task.kind == domain::kPayoutUnknown ? domain::Purpose::residual
                                                             : domain::Purpose::advance;
  const auto subject = domain::PaymentSubject::trusted(purpose, task.object_id);
  const auto missing = Error::of(ErrorCode::settlement_not_found, "The payment of this task was not found.");
  const auto attempt = fetch(store_, missing, [&](const ports::Records& records) {
    return records.settlements().latest_attempt(tenant, subject, purpose);
  });
  if (!attempt) return attempt.error();

  const bool paid = decision.decision == "paid";
  ports::RailOutcome outcome;
  outcome.reason_code = paid ? "" : "not_paid";
  outcome.reason = paid ? "" : "An operator found that the rail did not pay.";
  std::string body;
  const auto ended = disburse_.record(
      tenant, *attempt, paid ? AttemptEvent::paid : AttemptEvent::not_paid, outcome,
      [&](ports::Records& records, const domain::Settlement*, const domain::DisbursementAttempt&) -> domain::Status {
        if (auto same = check_expected(records, tenant, task.id, decision); !same) return same;
        leave_audit_row(records, context, ids_, subject.text(), decision.decision);
        auto voted = vote(records, context, task.id, decision);
        if (!voted) return voted.error();
        if (needs_another(*voted, context, decision, two_person_decisions_))
          return Error::of(ErrorCode::conflict,
                           "The other decision was withdrawn at the same time. Read the task again.");
        return close(records, context, std::move(*voted), decision, render, body);
      });
  if (!ended)
    return ended.error().code == ErrorCode::idempotency_in_progress
               ? Error::of(ErrorCode::conflict, "The payment changed at the same time. Read the task again.")
               : ended.error();
  return StoredResponse{body};
}

}  // namespace tideover::usecases
