// The residual that is due to the provider of a settlement: the residuals of its payments less the part in the
// practice's reserve and the payouts that claimed them.
//
// Threads: call after guard_matching(), because payments and takebacks change it.
#pragma once
#include "core/usecases/request/unit_of_work.hpp"

namespace tideover::usecases {

/// Negative when the payer took back money that payouts claimed, or when an undo removed the payment that a payout was
/// made of.
domain::Money residual_due(const ports::Records& records, const domain::TenantId& tenant,
                           const domain::SettlementId& settlement);

/// The day until which its terms hold the residual back; nullopt: it may be paid.
std::optional<domain::Date> held_until(const ports::Records& records, const domain::TenantId& tenant,
                                       const domain::Settlement& settlement, domain::Date today);

/// Call it after a change of the residual. Opens a task when the payer took back money that payouts claimed, and closes
/// it when that is no longer so.
void report_payouts_taken_back(const UnitOfWork& unit, const domain::SettlementId& settlement);

}  // namespace tideover::usecases
