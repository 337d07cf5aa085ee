// The match trail: which candidates the matching steps considered for a payment, and why it matched or rejected them
// (core/docs/contract.md#matching, ?explain=true).
//
// Threads: each call reads inside the caller's transaction.
#pragma once
#include <string>
#include <vector>

#include "core/ports/store.hpp"

namespace tideover::usecases {

/// The trail of a deposit or a remittance: the candidates of its own searches, and the searches that considered it.
/// Oldest first.
std::vector<domain::MatchCandidate> trail_of(const ports::Records& records, const domain::TenantId& tenant,
                                             const std::string& object);

/// The trail of a settlement: all searches that considered it, and those that matched its remittances and deposits.
/// Oldest first.
std::vector<domain::MatchCandidate> trail_of(const ports::Records& records, const domain::TenantId& tenant,
                                             const domain::SettlementId& settlement);

}  // namespace tideover::usecases
