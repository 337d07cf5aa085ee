// Step 5 of the match ladder: a scored search that never matches anything itself, it makes proposals for a reviewer
// (GET /v1/tasks/{id} with proposals[]; core/docs/contract.md#tasks). Searched anew whenever a task is read: what came
// meanwhile is among them.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/domain/operations/task.hpp"
#include "core/domain/reconciliation/match.hpp"
#include "core/ports/store.hpp"

namespace tideover::usecases {

/// One way to end a task about money or a claim that found no target.
struct Proposal {
  std::string id;  // the candidates, joined by '+'; of a claim "<position>:<settlement>"; of a notice that has its
                   // money "missing"
  int score = 0;   // 0 to 100
  domain::MatchReasons reasons;
  std::vector<std::string>
      candidates;  // remittances or a settlement for a deposit, deposits for a remittance, a remittance and the
                   // deposits that pay it together with this one, a settlement for a claim
  std::optional<int> claim = std::nullopt;      // which claim of the task's remittance
  std::string_view decision = domain::kAccept;  // that takes it
  domain::Money missing = {};                   // of kAcceptShort: what is then a loss, at most
  domain::Money excess = {};                    // of kAcceptOver: what the claim's payments are then above its charge
};

/// The deposits, of other channels or of other remittances, that this one may report once more.
std::vector<domain::Deposit> twins_of(const ports::Records& records, const domain::TenantId& tenant,
                                      const domain::Deposit& deposit);
/// The same, and of deposits that remittances stand for those of the same trace number on another day: a remittance
/// that is sent again with another payment date.
std::vector<domain::Deposit> sent_before(const ports::Records& records, const domain::TenantId& tenant,
                                         const domain::Deposit& deposit);

/// Best first, at most ten; none for a closed task or one of another kind. Each can be accepted as things stand.
std::vector<Proposal> find_proposals(const ports::Records& records, const domain::TenantId& tenant,
                                     const domain::Task& task);

}  // namespace tideover::usecases
