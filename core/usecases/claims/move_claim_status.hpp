// One step of a claim's status inside a transaction, with its history row and event.
#pragma once
#include "core/domain/claims/claim_status.hpp"
#include "core/ports/id_source.hpp"
#include "core/ports/store.hpp"

namespace tideover::usecases {

/// Nothing happens when the claim is there already. False when `source` may not make this move or somebody was first.
bool move_claim_status(ports::Records& records, const domain::TenantId& tenant, const domain::ClaimStatusRecord& from,
                       domain::ClaimStatusRecord to, ports::IdSource& ids);
bool move_claim_status(ports::Records& records, const domain::TenantId& tenant, const domain::ClaimStatusRecord& from,
                       domain::ClaimStatus to, domain::StatusSource source, domain::Timestamp now,
                       ports::IdSource& ids);

}  // namespace tideover::usecases
