// The payer of a remittance that no directory knows (core/docs/contract.md#matching): a learned id, the payer of its
// claims, or a learned originator. What names a payer for the first time is kept with its evidence.
//
// Threads: runs inside the caller's transaction, after guard_matching().
#pragma once
#include <string>
#include <vector>

#include "core/usecases/request/unit_of_work.hpp"

namespace tideover::usecases {

/// Sets the payer of an arriving remittance if it is certain. `ids`: the ids by which the remittance names its payer;
/// no directory has any of them. Nothing changes when it names none, and has no originator either.
void name_payer(const UnitOfWork& unit, domain::Remittance& remittance, const std::vector<std::string>& ids);

/// Whether the payer is unknown and the claims are of several payers: nothing is posted until a reviewer decides.
bool has_claims_of_several_payers(const ports::Records& records, const domain::TenantId& tenant,
                                  const domain::Remittance& remittance);

}  // namespace tideover::usecases
