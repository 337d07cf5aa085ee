// The ledger as JSON: entries, and what practices are owed. Debits are positive, credits negative.
#pragma once
#include <string>
#include <vector>

#include "core/domain/reconciliation/ledger.hpp"
#include "core/domain/reconciliation/overdue.hpp"
#include "core/http/wire/basics/cursor.hpp"

namespace tideover::wire {

/// What practices are owed. The cursor of the amounts of no known practice is before every NPI.
std::string encode_payees(const std::vector<domain::PayeeBalance>& payees, const PageFrame& page);
std::string encode_aging(const domain::Aging& aging);
std::string encode_entries(const std::vector<domain::LedgerTransaction>& transactions, const PageFrame& page);

}  // namespace tideover::wire
