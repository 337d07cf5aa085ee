// What a settlement owes its provider: the residuals that its payer's payments left, less what was claimed for payouts.
// Read it behind guard_matching(): payments and takebacks change it.
#pragma once
#include "core/ports/id_source.hpp"
#include "core/ports/store.hpp"

namespace tideover::usecases {

/// Negative where the payer took back what was claimed for payouts, or the books lost the payment that a payout was
/// made of.
domain::Money residual_due(const ports::Records& records, const domain::TenantId& tenant,
                           const domain::SettlementId& settlement);

/// Behind a change of what is owed: opens a task where the payer took back what was claimed for payouts, and closes it
/// where that is no longer so.
void tell_of_payouts_taken_back(ports::Records& records, const domain::TenantId& tenant, domain::Timestamp now,
                                ports::IdSource& ids, const domain::SettlementId& settlement);

}  // namespace tideover::usecases
