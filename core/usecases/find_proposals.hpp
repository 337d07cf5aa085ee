// Step 5 of the match ladder: a scored search that never matches anything itself, it makes proposals for a person (contract
// section 7: GET /v1/tasks/{id} with proposals[]). Searched anew whenever a task is read: what came meanwhile is among them.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/domain/match.hpp"
#include "core/domain/task.hpp"
#include "core/ports/store.hpp"

namespace tideover::usecases {

/// One way to end a task about money or a claim that found no place.
struct Proposal {
  std::string id;         // the candidates, joined by '+'; of a claim "<position>:<settlement>"
  int score = 0;          // 0 to 100
  domain::MatchReasons reasons;
  std::vector<std::string> candidates;  // remittances or a settlement for a deposit, a deposit for a remittance, a settlement for a claim
  std::optional<int> claim = std::nullopt;  // which claim of the task's remittance
};

/// Best first, at most ten; none for a closed task or one of another kind.
std::vector<Proposal> find_proposals(const ports::Records& records, const domain::TenantId& tenant, const domain::Task& task);

}  // namespace tideover::usecases
