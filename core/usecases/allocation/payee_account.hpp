// The account that a practice is paid to, and the status of its last payout.
//
// Threads: runs inside the caller's transaction.
#pragma once
#include <string>

#include "core/ports/store.hpp"

namespace tideover::usecases {

/// The token of the practice's own account; otherwise that of the tenant's default account; empty: there is none.
domain::Sensitive<std::string> payout_account_of(const ports::Records& records, const domain::TenantId& tenant,
                                                 const std::string& npi);

/// Automatic payouts to the practice go on while the last one is none, submitted or settled.
void set_payout_status(ports::Records& records, const domain::TenantId& tenant, const std::string& npi,
                       domain::FundingStatus status);

}  // namespace tideover::usecases
