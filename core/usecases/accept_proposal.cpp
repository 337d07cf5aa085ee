#include "core/usecases/accept_proposal.hpp"

#include <algorithm>

#include "core/usecases/tasks.hpp"

namespace tideover::usecases {
namespace {

using domain::Error;
using domain::ErrorCode;
using domain::MatchCandidate;
using domain::MatchVerdict;

Error gone(const char* what) { return Error::of(ErrorCode::invalid_state, std::string(what) + " of this proposal is gone; read the task again."); }

/// What this task's decision brought together, and whether it was taken apart.
struct Decided {
  std::vector<MatchCandidate> taken;
  bool undone = false;
};

Decided decided_by(const ports::Records& records, const domain::TenantId& tenant, const domain::Task& task) {
  Decided decided;
  for (auto& seen : records.matches().of_task(tenant, task.id)) {
    if (seen.verdict == MatchVerdict::undone) decided.undone = true;
    if (seen.verdict == MatchVerdict::taken) decided.taken.push_back(std::move(seen));
  }
  return decided;
}

}  // namespace

domain::Status accept_proposal(ports::Records& records, const domain::TenantId& tenant, domain::Timestamp now, ports::IdSource& ids,
                               const domain::Task& task, const std::string& proposal) {
  const auto proposals = find_proposals(records, tenant, task);
  const auto chosen = std::find_if(proposals.begin(), proposals.end(), [&](const Proposal& one) { return one.id == proposal; });
  if (chosen == proposals.end()) {
    std::vector<std::string> open;
    for (const auto& one : proposals) open.push_back(one.id);
    Error error = Error::of(ErrorCode::invalid_state, "This is none of the task's proposals as things stand; read the task again.").with_list("allowed", open);
    error.fields.push_back({"proposal", "is not one of the allowed values"});
    return error;
  }

  MatchPayments matching(records, tenant, now, ids);
  if (chosen->claim) {
    auto remittance = records.remittances().find(tenant, *domain::RemittanceId::parse(task.object_id));
    const auto settlement = records.settlements().find(tenant, domain::SettlementId::trusted(chosen->candidates.front()));
    if (!remittance || !settlement) return gone("The advance");
    if (auto posted = matching.post_as_decided(*remittance, *chosen->claim, settlement->settlement, task.id); !posted) return posted;
    if (!find_proposals(records, tenant, task).empty())  // one claim was decided on, others wait
      open_task_once(records, tenant, ids, now, {task.kind, task.object_id, "Another claim of this remittance waits for its place."});
  } else {
    for (const auto& candidate : chosen->candidates) {
      const auto deposit_id = domain::DepositId::parse(task.object_id.starts_with("dep_") ? task.object_id : candidate);
      auto deposit = deposit_id ? records.deposits().find(tenant, *deposit_id) : std::nullopt;
      if (!deposit) return gone("The deposit");
      const auto& other = task.object_id.starts_with("dep_") ? candidate : task.object_id;
      if (const auto settlement_id = domain::SettlementId::parse(other)) {
        const auto settlement = records.settlements().find(tenant, *settlement_id);
        if (!settlement) return gone("The advance");
        matching.pay_as_decided(*deposit, settlement->settlement, task.id);
      } else {
        auto remittance = records.remittances().find(tenant, domain::RemittanceId::trusted(other));
        if (!remittance) return gone("The remittance");
        matching.join_as_decided(*deposit, *remittance, task.id);
      }
    }
  }
  if (matching.collided()) return Error::of(ErrorCode::conflict, "A claim changed at the same moment.");
  return {};
}

domain::Result<domain::TaskId> undo_match(ports::Records& records, const domain::TenantId& tenant, domain::Timestamp now, ports::IdSource& ids,
                                          const domain::Task& task, const std::string& reason) {
  const auto refused = [&](const char* why) { return Error::of(ErrorCode::invalid_state, why).with("decision", task.decision); };
  if (task.status != domain::TaskStatus::closed || task.decision != domain::kAccept) return refused("Only a match that a person accepted can be undone.");
  const auto decided = decided_by(records, tenant, task);
  if (decided.undone) return refused("This match was undone already.");
  if (decided.taken.empty()) return refused("Nothing is left of this match.");
  MatchPayments matching(records, tenant, now, ids);
  for (auto seen = decided.taken.rbegin(); seen != decided.taken.rend(); ++seen)
    if (auto undone = matching.undo(*seen); !undone) return undone.error();
  return open_task(records, tenant, ids, now, {task.kind, task.object_id, "The match that " + task.id.text() + " decided was undone: " + reason});
}

}  // namespace tideover::usecases
