// The contents of a bank's file: its transactions, with the deposits among them (POST /v1/deposits/files;
// core/docs/contract.md#reconciliation).
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/domain/reconciliation/remittance.hpp"

namespace tideover::domain {

/// One transaction. Only a `deposit` has `reference` and `deposit`. The others have the reason why they are none.
struct DepositFileItem {
  enum class Kind { deposit, ignored, refused };
  std::int64_t line = 0;  // 1-based line of its start in the file
  Kind kind = Kind::deposit;
  std::string reason;
  std::string reference;  // the bank's reference; may repeat within a file
  Deposit deposit;        // payer_id is from the directory; empty: unknown payer
};

struct DepositFileWarning {
  std::int64_t line = 0;
  std::string message;
};

/// One movement of an account in the file.
struct BankFileLine {
  std::int64_t line = 0;  // 1-based line of its start in the file
  bool is_debit = false;
  Money amount;  // above 0
  Date date;
  std::vector<std::string> references{};  // of payer, rail and bank, most specific first
  std::string type_code{};                // of the bank
  std::string text{};
  std::optional<std::size_t> item{};  // the position of its transaction in the items of the file
};

/// The statement of one account for one day.
struct BankFileStatement {
  std::int64_t line = 0;
  std::string reason{};  // why it is refused; empty: it is accepted
  std::string account;   // the account number: never stored, logged or sent
  Date date;
  std::optional<Money> opening{}, closing{};
  std::optional<Money> credit_sum{}, debit_sum{};             // as the file states them
  std::optional<std::int64_t> credit_count{}, debit_count{};  // as the file states them
  std::vector<BankFileLine> lines{};                          // in file order
};

struct DepositFile {
  std::vector<DepositFileItem> items;  // in file order
  std::vector<DepositFileWarning> warnings;
  std::vector<BankFileStatement> statements{};  // in file order
};

/// The limit per request: a statement with more transactions comes in several files.
inline constexpr std::size_t kMostFileItems = 10'000;
inline constexpr std::size_t kMaxAddendaCharacters = 500;
inline constexpr std::size_t kMostFileStatements = 1000;

}  // namespace tideover::domain
