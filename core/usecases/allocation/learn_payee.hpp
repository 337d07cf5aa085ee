// What a posted remittance teaches about the names of its payee.
//
// When all claims are of one practice, and the advance of one of them says so, the other ids of the payee are learned
// for that practice, with the remittance as evidence. A remittance with claims of another practice, or of several,
// makes an id ambiguous: it names none from then on. What a reviewer decided is no evidence.
//
// Threads: runs inside the caller's transaction, after guard_matching().
#pragma once
#include "core/usecases/allocation/gather_allocation.hpp"
#include "core/usecases/request/unit_of_work.hpp"

namespace tideover::usecases {

/// `plan`: of the lines that a rule posts. A plan that is held posts no claim and teaches nothing.
/// Returns whether an id that was learned before is ambiguous now.
bool learn_payee(const UnitOfWork& unit, const domain::Remittance& remittance, const GatheredAllocation& gathered,
                 const domain::AllocationPlan& plan);

/// For a remittance that is posted in parts and teaches nothing: what its claims say about its payee, and the removal
/// of the learned ids that they make ambiguous.
NamesOfPayee names_of_payee(const ports::Records& records, const domain::TenantId& tenant,
                            const domain::Remittance& remittance);
void forget_ambiguous(const UnitOfWork& unit, const domain::Remittance& remittance,
                      const std::set<std::string>& practices);

}  // namespace tideover::usecases
