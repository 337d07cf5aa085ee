// The exports of the ledger as tables. `accounts` adds the codes of the general ledger.
#pragma once
#include <string>
#include <vector>

#include "core/domain/ledger/account_map.hpp"
#include "core/domain/ledger/reports.hpp"
#include "core/http/wire/ledger/table.hpp"

namespace tideover::wire {

/// One row for each entry. `transactions` may have one more than `limit`, which only shows that there is a next page.
Table journal_table(const std::vector<domain::LedgerTransaction>& transactions, std::size_t limit,
                    const domain::AccountMap& accounts);
Table balances_table(const std::vector<domain::AccountBalance>& balances, std::size_t limit,
                     const domain::AccountMap& accounts);
/// One row for each payer, and a last row `total`.
Table aging_table(const std::vector<domain::PayerOutstanding>& payers);
/// The movements of a page.
Table statement_table(const domain::PayeeStatement& statement, std::size_t limit);
/// The same with the opening as the first row of the first page, and the closing as the last row of the last one.
Table statement_lines(const domain::PayeeStatement& statement, std::size_t limit, bool is_first);

}  // namespace tideover::wire
