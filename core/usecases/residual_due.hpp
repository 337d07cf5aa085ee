// What a settlement owes its provider: the residuals that its payer's payments left, less what was claimed for payouts. Read it
// behind guard_matching(): payments and takebacks change it.
#pragma once
#include "core/ports/store.hpp"

namespace tideover::usecases {

/// Negative where the books lost payments that a payout was made of.
domain::Money residual_due(const ports::Records& records, const domain::TenantId& tenant, const domain::SettlementId& settlement);

}  // namespace tideover::usecases
