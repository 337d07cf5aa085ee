// The reconciliation of a bank account for one day: whether its statement closes and follows the one before it, and
// what is open (core/docs/contract.md#bank-statements).
//
// Threads: pure functions.
#pragma once
#include <vector>

#include "core/domain/banking/bank_statement.hpp"

namespace tideover::domain {

struct BankException {
  BankExceptionKind kind = BankExceptionKind::statement_missing;
  std::string message;        // one sentence with the amounts
  std::optional<int> line{};  // the number of the line
  std::string object_id{};    // the deposit or payment; empty: none
  std::optional<Money> amount{};
};

/// The balances of the statement before this one.
struct EarlierBalance {
  Date date;
  std::optional<Money> closing{};
};

/// Each reason why the statement does not close: a balance is missing, opening + credits - debits is not the closing
/// balance, a sum or count of the bank differs from the lines, or the opening balance is not the closing balance
/// before. Empty when it closes.
std::vector<BankException> reasons_against_closing(const BankStatement& statement, const BankLineSums& sums,
                                                   const std::optional<EarlierBalance>& before);

/// A finding of a line, as a sentence.
BankException exception_of(const BankLine& line);

/// One day of an account: with its statement, or a banking day without one.
struct BankDay {
  Date date;
  std::string account;                       // empty: of no account
  std::optional<BankStatement> statement{};  // absent: it is missing
};

/// Days of one account from `from` to `to`, both included: each day with a statement, and each banking day without one
/// between `first` and `last_due`. `statements` are those of the account in these days, oldest first.
std::vector<BankDay> days_of_account(const std::string& account, const std::vector<BankStatement>& statements,
                                     DateRange days, Date first, Date last_due);

BankException missing_statement(Date day);

/// Money is expected on a statement of the third banking day after it at the latest.
inline constexpr int kDaysUntilOnStatement = 3;
Date due_on_statement(Date day);
/// The latest day whose money must be on a statement when the latest statement is of `latest`.
Date last_day_due(Date latest);

}  // namespace tideover::domain
