// A reviewer decides (POST /v1/tasks/{task_id}/decide; core/docs/contract.md#tasks). With four eyes, whoever brought up
// a review does not decide it, and two clients must say the same before money counts as paid or not paid; the first
// word is on record.
#pragma once
#include <string>

#include "core/ports/plugins/payer_directory.hpp"
#include "core/usecases/funding/disburse.hpp"

namespace tideover::usecases {

struct TaskDecision {
  std::string decision;
  std::string reason;
  std::string proposal = {};  // of `accept` and `accept_short`: which; of `assign_payer`: whom
};

class DecideTask {
 public:
  DecideTask(ports::Store& store, Disburse& disburse, ports::PayerDirectory& payers, ports::IdSource& ids,
             bool four_eyes)
      : store_(store), disburse_(disburse), payers_(payers), ids_(ids), four_eyes_(four_eyes) {}
  /// Answers with the task as it stands then: closed, or open with one vote more.
  domain::Result<StoredResponse> operator()(const RequestContext& context, const std::string& task_id,
                                            const TaskDecision& decision, const Render<domain::Task>& render);
  /// Takes back the match that a closed task decided, by records of the opposite amounts. Answers with the new task
  /// that is open about it.
  domain::Result<StoredResponse> undo(const RequestContext& context, const std::string& task_id,
                                      const std::string& reason, const Render<domain::Task>& render);

 private:
  /// Writes the client's word down, then reads the task: writing locks it, so that of two who speak at once the second
  /// sees the first. The refusal when it may not be decided so; the caller's transaction then leaves nothing.
  domain::Result<domain::Task> say(ports::Records& records, const RequestContext& context, const domain::TaskId& id,
                                   const TaskDecision& decision);
  /// Closes the task and leaves the request's trace. Error invalid_state when it is closed already.
  domain::Status close(ports::Records& records, const RequestContext& context, domain::Task task,
                       const TaskDecision& decision, const Render<domain::Task>& render, std::string& body);
  /// Does what the decision says about money and notices; `payer_id` is that of `assign_payer`.
  domain::Status settle_matching(ports::Records& records, const domain::TenantId& tenant, domain::Timestamp now,
                                 const domain::Task& task, const TaskDecision& decision, const std::string& payer_id);
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
  const bool four_eyes_;
};

}  // namespace tideover::usecases
