// Statements of bank accounts as the service keeps them: one per account and day, with its lines
// (core/docs/contract.md#bank-statements). The account number is not kept: `account` is its keyed digest.
//
// Threads: values and pure functions.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/basics/date.hpp"
#include "core/domain/basics/id.hpp"
#include "core/domain/basics/money.hpp"

namespace tideover::domain {

/// What is open about a line, a statement or a day.
enum class BankExceptionKind {
  credit_without_deposit,
  credit_held,  // its deposit is held as a suspected duplicate
  ambiguous_credit,
  debit_without_payment,
  ambiguous_debit,
  amount_differs,
  deposit_not_on_statement,
  return_not_on_statement,
  payment_not_on_statement,
  statement_does_not_close,
  statement_missing,
};
std::string_view name_of(BankExceptionKind kind);
std::optional<BankExceptionKind> bank_exception_kind_named(std::string_view name);

struct BankStatement {
  BankStatementId id;
  std::string account;         // bac_ and the keyed digest of the account number
  std::string account_ending;  // the last characters of the account number, at most four
  Date date;
  std::string format;  // of the file: bai2, camt053
  std::optional<Money> opening{}, closing{};
  std::optional<Money> credit_sum{}, debit_sum{};             // as the bank states them
  std::optional<std::int64_t> credit_count{}, debit_count{};  // as the bank states them
  std::string content{};                                      // digest of all that the bank states
  int version = 1;                                            // raised by each replacement
  Timestamp stored_at{};
};

/// One movement. At most one of `deposit` and `payment` is set, and then there is no finding.
struct BankLine {
  int number = 1;  // position in the statement
  bool is_debit = false;
  Money amount;  // above 0
  Date date;
  std::vector<std::string> references{};
  std::string type_code{};
  std::string text{};
  std::optional<DepositId> origin{};    // the deposit that this line reported
  std::optional<DepositId> deposit{};   // a credit: the deposit that it clears; a debit: the one that went back
  std::optional<TransferId> payment{};  // a debit: the payment that it confirms; a credit: the one that came back
  std::optional<BankExceptionKind> finding{};
};

/// The sums of the lines of a statement. `settled`: of the lines with a deposit or a payment.
struct BankLineSums {
  Money credits, debits;
  std::int64_t credit_count = 0, debit_count = 0;
  Money settled_credits, settled_debits;
  std::int64_t findings = 0;
};

}  // namespace tideover::domain
