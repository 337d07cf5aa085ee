// Moves a claim's status by one step inside the caller's transaction, with its history row and event.
#pragma once
#include "core/domain/claims/claim_status.hpp"
#include "core/usecases/request/unit_of_work.hpp"

namespace tideover::usecases {

/// Does nothing when the claim has the status already. False when `source` may not make this move, or when another unit
/// changed the status first.
bool move_claim_status(const UnitOfWork& unit, const domain::ClaimStatusRecord& from, domain::ClaimStatusRecord to);
bool move_claim_status(const UnitOfWork& unit, const domain::ClaimStatusRecord& from, domain::ClaimStatus to,
                       domain::StatusSource source);

}  // namespace tideover::usecases
