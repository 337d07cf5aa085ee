// Why money went where it went, or nowhere: what the match ladder thought of every candidate
// (core/docs/contract.md#matching, ?explain=true).
#pragma once
#include <string>
#include <vector>

#include "core/ports/store.hpp"

namespace tideover::usecases {

/// Of a deposit or a remittance: whom its own search looked at, and whose searches looked at it. Oldest first.
std::vector<domain::MatchCandidate> trail_of(const ports::Records& records, const domain::TenantId& tenant,
                                             const std::string& object);

/// Of a settlement: every search that looked at it, and those that brought its remittances and deposits together.
/// Oldest first.
std::vector<domain::MatchCandidate> trail_of(const ports::Records& records, const domain::TenantId& tenant,
                                             const domain::SettlementId& settlement);

}  // namespace tideover::usecases
