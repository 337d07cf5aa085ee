// What a reviewer accepts of a task's proposals, and takes back again (POST /v1/tasks/{id}/decide and
// /undo; core/docs/contract.md#tasks). An accepted proposal posts money exactly as an automatic match does: record,
// ledger, event. Undoing it adds records of the opposite amounts; nothing that was written is changed. Both run inside
// the caller's transaction, after guard_matching().
#pragma once
#include "core/usecases/matching/find_proposals.hpp"
#include "core/usecases/matching/match_payments.hpp"

namespace tideover::usecases {

/// Error invalid_state, with the ids of those there are for this decision, when it is none of the task's proposals as
/// things stand.
domain::Status accept_proposal(ports::Records& records, const domain::TenantId& tenant, domain::Timestamp now,
                               ports::IdSource& ids, const domain::Task& task, const std::string& proposal,
                               std::string_view decision);
/// A reviewer names the payer of the task's deposit or remittance, which is then matched again.
domain::Status assign_payer(ports::Records& records, const domain::TenantId& tenant, domain::Timestamp now,
                            ports::IdSource& ids, const domain::Task& task, const std::string& payer_id);
/// What is left of the task's deposit, or of its remittance for claims in question, pays no advance: it is the
/// provider's.
domain::Status release_money(ports::Records& records, const domain::TenantId& tenant, domain::Timestamp now,
                             ports::IdSource& ids, const domain::Task& task);

/// Possible until something was built on it: a later payment of the same advance. Else Error invalid_state, and says
/// what. Opens the task about the money or the remittance anew, and gives its id.
domain::Result<domain::TaskId> undo_match(ports::Records& records, const domain::TenantId& tenant,
                                          domain::Timestamp now, ports::IdSource& ids, const domain::Task& task,
                                          const std::string& reason);

}  // namespace tideover::usecases
