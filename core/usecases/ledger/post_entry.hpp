// Appends a transaction to the ledger, outside of closed periods.
//
// Threads: runs inside the caller's transaction, after guard_matching(), which keeps a close of the period out.
#pragma once
#include "core/domain/reconciliation/ledger.hpp"
#include "core/usecases/request/unit_of_work.hpp"

namespace tideover::usecases {

/// A transaction whose effective day is closed takes effect on the first open day.
void post_entry(const UnitOfWork& unit, domain::LedgerTransaction transaction);

}  // namespace tideover::usecases
