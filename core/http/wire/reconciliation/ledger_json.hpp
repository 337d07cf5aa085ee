// The ledger as JSON: balances and entries. Debits are positive, credits negative.
#pragma once
#include <string>
#include <vector>

#include "core/domain/reconciliation/ledger.hpp"
#include "core/domain/reconciliation/overdue.hpp"

namespace tideover::wire {

std::string encode_balances(const std::vector<domain::AccountBalance>& balances, std::size_t limit);
std::string encode_aging(const domain::Aging& aging);
std::string encode_entries(const std::vector<domain::LedgerTransaction>& transactions, std::size_t limit);

}  // namespace tideover::wire
