// Applies what a reviewer decides about the proposals of a task, and undoes it (POST /v1/tasks/{id}/decide and /undo;
// core/docs/contract.md#tasks). An accepted proposal posts money exactly as an automatic match does: record, ledger
// entries, event. Undo adds records of the opposite amounts and changes no stored row of money.
//
// Threads: each call runs inside the caller's transaction, after guard_matching().
// Errors: invalid_state when the stored state no longer allows the decision; conflict when a claim changed at the same
// time (the caller sends the request again).
#pragma once
#include "core/usecases/matching/find_proposals.hpp"
#include "core/usecases/matching/match_payments.hpp"

namespace tideover::usecases {

/// Accepts `proposal`, an id of find_proposals(), with `decision`. Error invalid_state when the task has no such
/// proposal now; the error lists the ids that are allowed for this decision.
domain::Status accept_proposal(const UnitOfWork& unit, const domain::Task& task, const std::string& proposal,
                               std::string_view decision);
/// Assigns the payer to the deposit or remittance of the task, and matches it again.
domain::Status assign_payer(const UnitOfWork& unit, const domain::Task& task, const std::string& payer_id);
/// Credits to the provider what is left of the task's deposit, or of its remittance for claims in question. That money
/// pays no advance.
domain::Status release_money(const UnitOfWork& unit, const domain::Task& task);

/// Undoes the match of a closed task, reopens the task and returns its id. Error invalid_state when a later payment was
/// posted to the same advance.
domain::Result<domain::TaskId> undo_match(const UnitOfWork& unit, const domain::Task& task, const std::string& reason);

}  // namespace tideover::usecases
