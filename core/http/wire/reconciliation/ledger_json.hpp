// The ledger as JSON: balances and entries. Debits are positive, credits negative.
#pragma once
#include <string>
#include <vector>

#include "core/domain/reconciliation/ledger.hpp"
#include "core/domain/reconciliation/overdue.hpp"

namespace tideover::wire {

std::string encode_balances(const std::vector<domain::AccountBalance>& balances, std::size_t limit);
/// What practices are owed. The cursor of the amounts of no known practice is before every NPI.
std::string encode_payees(const std::vector<domain::PayeeBalance>& payees, std::size_t limit);
std::string encode_aging(const domain::Aging& aging);
std::string encode_entries(const std::vector<domain::LedgerTransaction>& transactions, std::size_t limit);

}  // namespace tideover::wire
