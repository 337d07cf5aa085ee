// Settles the open lines of a bank statement: a credit that is a deposit moves its money from `deposit_clearing` to
// `funding_cash`, a debit that is a returned deposit moves it back, a debit that is a payment over a rail confirms it
// (core/docs/contract.md#bank-statements). A line that fits nothing, or several, keeps a finding.
//
// Threads: runs inside the caller's transaction, after guard_matching().
#pragma once
#include <cstddef>

#include "core/usecases/request/unit_of_work.hpp"

namespace tideover::usecases {

/// Lines of one transaction.
inline constexpr std::size_t kLinesPerUnit = 100;

/// Tries the next lines with a finding behind the line `after`. Returns the number of the last one; 0: there are no
/// more.
int clear_lines(const UnitOfWork& unit, const domain::BankStatementId& statement, int after);

}  // namespace tideover::usecases
