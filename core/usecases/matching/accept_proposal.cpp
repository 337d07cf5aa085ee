#include "core/usecases/matching/accept_proposal.hpp"

#include <algorithm>

#include "core/usecases/request/tasks.hpp"

namespace tideover::usecases {
namespace {

using domain::Error;
using domain::ErrorCode;
using domain::MatchCandidate;
using domain::MatchVerdict;

Error gone(const char* what) {
  return Error::of(ErrorCode::invalid_state,
                   std::string(what) + " of this proposal no longer exists. Read the task again.");
}

Error taken(const char* what) {
  return Error::of(ErrorCode::invalid_state, std::string(what) + " was matched in the meantime. Read the task again.");
}

std::optional<domain::Deposit> deposit_of(const ports::Records& records, const domain::TenantId& tenant,
                                          const domain::Task& task) {
  const auto id = domain::DepositId::parse(task.object_id);
  return id ? records.deposits().find(tenant, *id) : std::nullopt;
}

/// The matches that the decision of this task made, and whether they were undone.
struct Decided {
  std::vector<MatchCandidate> taken;
  bool undone = false;
};

Decided decided_by(const ports::Records& records, const domain::TenantId& tenant, const domain::Task& task) {
  Decided decided;
  for (auto& seen : records.matches().of_task(tenant, task.id)) {
    if (seen.verdict == MatchVerdict::undone) decided.undone = true;
    // An undo is a further row of the trail, never a deleted one.
    if (seen.verdict == MatchVerdict::taken) decided.taken.push_back(std::move(seen));
  }
  return decided;
}

/// Opens the task again when other claims of the remittance wait for a decision.
void ask_about_others(const UnitOfWork& unit, const domain::Task& task, MatchPayments& matching,
                      const domain::RemittanceId& remittance) {
  if (!find_proposals(unit.records, unit.tenant, task).empty() ||
      matching.holds_open_question(*unit.records.remittances().find(unit.tenant, remittance)))
    open_task_once(unit, {task.kind, task.object_id, "Another claim of this remittance waits for its target."});
}

/// The proposal of the task with this id and decision. The error lists those that are acceptable now.
domain::Result<Proposal> chosen_of(const ports::Records& records, const domain::TenantId& tenant,
                                   const domain::Task& task, const std::string& proposal, std::string_view decision) {
  // Search again: a proposal is acceptable only while the stored state still allows it.
  auto proposals = find_proposals(records, tenant, task);
  std::erase_if(proposals, [&](const Proposal& one) { return one.decision != decision; });
  const auto chosen =
      std::find_if(proposals.begin(), proposals.end(), [&](const Proposal& one) { return one.id == proposal; });
  if (chosen != proposals.end()) return std::move(*chosen);
  std::vector<std::string> open;
  open.reserve(proposals.size());
  for (const auto& one : proposals) open.push_back(one.id);
  Error error = Error::of(ErrorCode::invalid_state, "The task does not have this proposal. Read the task again.")
                    .with_list("allowed", open);
  error.fields.push_back({"proposal", "is not one of the allowed values"});
  return error;
}

/// The question of a proposed write-off as a question about the money, and the proposal there. The effects name the
/// task of the write-off.
std::pair<domain::Task, std::string> as_asked_of_money(const domain::Task& task, const Proposal& chosen) {
  auto about = task;
  about.object_id = chosen.candidates.front();
  const bool is_deposit = domain::DepositId::parse(about.object_id).has_value();
  about.kind = is_deposit ? domain::kDepositUnmatched : domain::kMatchAmbiguous;
  return {about, is_deposit ? task.object_id : chosen.id.substr(about.object_id.size() + 1)};
}

/// Joins the money and the remittances of a proposal: a deposit and a remittance, one deposit and several remittances,
/// or several deposits and one remittance. Without a remittance, the deposit pays the advance directly.
domain::Status join_parts(ports::Records& records, const domain::TenantId& tenant, const domain::Task& task,
                          const Proposal& chosen, MatchPayments::Missing missing, MatchPayments& matching) {
  std::vector<domain::Deposit> deposits;
  std::vector<domain::RemittanceId> remittances;
  auto parts = chosen.candidates;
  parts.insert(parts.begin(), task.object_id);
  for (const auto& part : parts) {
    if (auto remittance = domain::RemittanceId::parse(part)) remittances.push_back(std::move(*remittance));
    const auto deposit_id = domain::DepositId::parse(part);
    if (!deposit_id) continue;
    auto deposit = records.deposits().find(tenant, *deposit_id);
    if (!deposit) return gone("The deposit");
    deposits.push_back(std::move(*deposit));
  }
  if (deposits.empty()) return gone("The deposit");
  if (remittances.empty()) {
    const auto settlement =
        records.settlements().find(tenant, domain::SettlementId::trusted(chosen.candidates.front()));
    if (!settlement) return gone("The advance");
    matching.pay_as_decided(deposits.front(), settlement->settlement, task.id);
  }
  for (const auto& id : remittances) {
    // Read for each join: an earlier join may have posted claims of this remittance.
    auto remittance = records.remittances().find(tenant, id);
    if (!remittance) return gone("The remittance");
    if (remittances.size() > 1)
      deposits.front() =
          *records.deposits().find(tenant, deposits.front().id);  // the join before this one spent a part of it
    if (auto joined = matching.join_as_decided(deposits, *remittance, task.id, missing); !joined) return joined;
  }
  if (!remittances.empty()) matching.report_excess(deposits.front().id);
  return {};
}

}  // namespace

domain::Status accept_proposal(const UnitOfWork& unit, const domain::Task& task, const std::string& proposal,
                               std::string_view decision) {
  auto& [records, tenant, now, ids, rules] = unit;
  const auto chosen = chosen_of(records, tenant, task, proposal, decision);
  if (!chosen) return chosen.error();
  if (task.kind == domain::kWriteOffProposed) {
    const auto [about, inner] = as_asked_of_money(task, *chosen);
    MatchPayments(unit).finish_postings(about.object_id);
    return accept_proposal(unit, about, inner, decision);
  }

  MatchPayments matching(unit);
  // accept_short is the only decision that may book a loss. With any other, claims without money wait.
  const auto missing =
      decision == domain::kAcceptShort ? MatchPayments::Missing::is_a_loss : MatchPayments::Missing::waits;
  const auto object = domain::RemittanceId::parse(task.object_id);
  if (task.kind == domain::kDepositDuplicate) {
    auto deposit = deposit_of(records, tenant, task);
    if (!deposit) return gone("The deposit");
    matching.name_duplicate_as_decided(*deposit, domain::DepositId::trusted(chosen->candidates.front()), task.id);
  } else if (auto held = object ? records.remittances().find(tenant, *object) : std::nullopt;
             held && missing == MatchPayments::Missing::is_a_loss &&
             (held->deposit || held->draft.payment_amount <= domain::Money{})) {
    if (auto accepted = matching.accept_missing_as_decided(*held, task.id); !accepted) return accepted;
  } else if (chosen->claim) {
    auto& remittance = held;
    const auto settlement =
        records.settlements().find(tenant, domain::SettlementId::trusted(chosen->candidates.front()));
    if (!remittance || !settlement) return gone("The advance");
    if (auto posted = matching.post_as_decided(*remittance, *chosen->claim, settlement->settlement, task.id); !posted)
      return posted;
    ask_about_others(unit, task, matching, remittance->id);
  } else if (auto joined = join_parts(records, tenant, task, *chosen, missing, matching); !joined) {
    return joined;
  }
  if (matching.collided())
    return Error::of(ErrorCode::conflict, "A claim changed at the same time. Send the request again.");
  return {};
}

domain::Status assign_payer(const UnitOfWork& unit, const domain::Task& task, const std::string& payer_id) {
  // A payer on which matches depend is not replaced.
  MatchPayments matching(unit);
  if (auto deposit = deposit_of(unit.records, unit.tenant, task)) {
    if (deposit->status != domain::MatchState::unmatched) return taken("The deposit");
    matching.name_payer_as_decided(*deposit, payer_id, task.id);
  } else {
    const auto id = domain::RemittanceId::parse(task.object_id);
    auto remittance = id ? unit.records.remittances().find(unit.tenant, *id) : std::nullopt;
    if (!remittance) return gone("The remittance");
    if (is_built_on(*remittance) && !remittance->draft.payer_id.empty()) return taken("The remittance");
    matching.name_payer_as_decided(*remittance, payer_id, task.id);
  }
  if (matching.collided())
    return Error::of(ErrorCode::conflict, "A claim changed at the same time. Send the request again.");
  return {};
}

domain::Status release_money(const UnitOfWork& unit, const domain::Task& task) {
  MatchPayments matching(unit);
  // A deposit releases what no remittance announces, a remittance the money of its claims in question.
  if (auto deposit = deposit_of(unit.records, unit.tenant, task)) return matching.release_as_decided(*deposit, task.id);
  const auto id = domain::RemittanceId::parse(task.object_id);
  auto remittance = id ? unit.records.remittances().find(unit.tenant, *id) : std::nullopt;
  if (!remittance) return gone("The money");
  if (auto released = matching.release_as_decided(*remittance, task.id); !released) return released;
  ask_about_others(unit, task, matching, remittance->id);
  return {};
}

domain::Result<domain::TaskId> undo_match(const UnitOfWork& unit, const domain::Task& task, const std::string& reason) {
  const auto refused = [&](const char* why) {
    return Error::of(ErrorCode::invalid_state, why).with("decision", task.decision);
  };
  if (task.status != domain::TaskStatus::closed || !domain::may_be_undone(task.decision))
    return refused(
        "Only a match that a reviewer accepted, money that a reviewer released or a payer that a reviewer assigned can "
        "be undone.");
  // Undo in reverse order: later matches of the decision may build on earlier ones.
  const auto decided = decided_by(unit.records, unit.tenant, task);
  if (decided.undone) return refused("This match is undone.");
  if (decided.taken.empty()) return refused("Nothing of this match can be undone.");
  MatchPayments matching(unit);
  // Each step checks that nothing was posted on top, and any refusal rolls the whole undo back.
  for (auto seen = decided.taken.rbegin(); seen != decided.taken.rend(); ++seen)
    if (auto undone = task.decision == domain::kAssignPayer ? matching.forget_payer(*seen) : matching.undo(*seen);
        !undone)
      return undone.error();
  return open_task(unit, {task.kind, task.object_id, "The decision of " + task.id.text() + " was undone: " + reason});
}

}  // namespace tideover::usecases
