// The matching step `scored_search`: a search by score that matches nothing itself. It makes proposals for a reviewer
// (GET /v1/tasks/{id} with proposals[]; core/docs/contract.md#tasks). It runs each time a task is read, so that it
// includes records that came later.
//
// Threads: each call reads inside the caller's transaction.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/domain/operations/task.hpp"
#include "core/domain/reconciliation/match.hpp"
#include "core/ports/store.hpp"

namespace tideover::usecases {

/// One way to end a task about money or a claim without a match.
struct Proposal {
  std::string id;  // the candidates, joined by '+'; for a claim "<position>:<settlement>"; "missing" for a remittance
                   // that has its money
  int score = 0;   // 0 to 100
  domain::MatchReasons reasons;
  std::vector<std::string>
      candidates;  // remittances or a settlement for a deposit, deposits for a remittance, a remittance and the
                   // deposits that pay it together with this one, a settlement for a claim
  std::optional<int> claim = std::nullopt;      // the position of a claim in the task's remittance
  std::string_view decision = domain::kAccept;  // the decision that accepts it
  domain::Money missing = {};                   // kAcceptShort: the loss, at most
  domain::Money excess = {};                    // kAcceptOver: payments above the claim's charge
};

/// The deposits of other channels or other remittances that may report the same payment as this one.
std::vector<domain::Deposit> twins_of(const ports::Records& records, const domain::TenantId& tenant,
                                      const domain::Deposit& deposit);
/// The same, and remittance deposits with the same trace number on another day: the payer sends a remittance again with
/// another payment date.
std::vector<domain::Deposit> sent_before(const ports::Records& records, const domain::TenantId& tenant,
                                         const domain::Deposit& deposit);

/// Unmatched money that may pay this advance: deposits of its payer near the expected amount, and claims of remittances
/// with its number. The id of a proposal is the deposit, or the remittance, a slash and the id of its own proposal.
std::vector<Proposal> find_money_for(const ports::Records& records, const domain::TenantId& tenant,
                                     const domain::Settlement& settlement);

/// Best first, at most ten, each acceptable now. Empty for a closed task or a task of another kind.
std::vector<Proposal> find_proposals(const ports::Records& records, const domain::TenantId& tenant,
                                     const domain::Task& task);

}  // namespace tideover::usecases
