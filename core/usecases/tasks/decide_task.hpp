// Applies a reviewer's decision on a task (POST /v1/tasks/{task_id}/decide; core/docs/contract.md#tasks). With four
// eyes, the client that opened a review, or changed the funding of its settlement, cannot decide it, and two clients
// must agree before a payment counts as paid or not paid. The first vote is stored.
//
// Threads: thread-safe.
// Errors: not_found, validation_error, invalid_state, version_conflict and conflict (read the task again).
#pragma once
#include <string>

#include "core/ports/plugins/payer_directory.hpp"
#include "core/usecases/funding/disburse.hpp"
#include "core/usecases/tasks/read_tasks.hpp"

namespace tideover::usecases {

struct TaskDecision {
  std::string decision;
  std::string reason;
  std::string proposal = {};  // `accept`, `accept_short`: the proposal; `assign_payer`: the payer
  Expected<TaskView> expected = {};
};

class DecideTask {
 public:
  DecideTask(ports::Store& store, Disburse& disburse, ports::PayerDirectory& payers, ports::IdSource& ids,
             bool two_person_decisions, ports::RulePolicy* rules = nullptr)
      : store_(store),
        disburse_(disburse),
        payers_(payers),
        ids_(ids),
        two_person_decisions_(two_person_decisions),
        rules_(rules) {}
  /// Returns the task as it is then: closed, or open with one vote more.
  domain::Result<StoredResponse> operator()(const RequestContext& context, const std::string& task_id,
                                            const TaskDecision& decision, const Render<domain::Task>& render);
  /// Undoes the match that a closed task made, by records of the opposite amounts. Returns the new open task.
  domain::Result<StoredResponse> undo(const RequestContext& context, const std::string& task_id,
                                      const std::string& reason, const Render<domain::Task>& render);

 private:
  /// Stores the client's vote, then reads the task. The write locks the row, so that of two simultaneous votes the
  /// second sees the first. Returns the refusal when the decision is not allowed; the caller's transaction is then
  /// rolled back.
  domain::Result<domain::Task> vote(ports::Records& records, const RequestContext& context, const domain::TaskId& id,
                                    const TaskDecision& decision);
  /// Closes the task and writes the trace of the request. Error invalid_state when the task is closed.
  domain::Status close(ports::Records& records, const RequestContext& context, domain::Task task,
                       const TaskDecision& decision, const Render<domain::Task>& render, std::string& body);
  /// Applies the decision to deposits and remittances. `payer_id`: the payer of `assign_payer`.
  domain::Status settle_matching(const UnitOfWork& unit, const domain::Task& task, const TaskDecision& decision,
                                 const std::string& payer_id);
  /// The payer that `assign_payer` names.
  domain::Result<std::string> payer_named(const TaskDecision& decision) const;
  domain::Status end_review(ports::Records& records, const RequestContext& context, const domain::Task& task,
                            bool approved);
  domain::Result<StoredResponse> end_attempt(const RequestContext& context, const domain::Task& task,
                                             const TaskDecision& decision, const Render<domain::Task>& render);

  ports::Store& store_;
  Disburse& disburse_;
  ports::PayerDirectory& payers_;
  ports::IdSource& ids_;
  const bool two_person_decisions_;
  ports::RulePolicy* const rules_;
};

}  // namespace tideover::usecases
