// The contents of a bank's file: its transactions, with the deposits among them (POST /v1/deposits/files;
// core/docs/contract.md#reconciliation).
#pragma once
#include <cstddef>
#include <cstdint>
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

struct DepositFile {
  std::vector<DepositFileItem> items;  // in file order
  std::vector<DepositFileWarning> warnings;
};

/// The limit per request: a statement with more transactions comes in several files.
inline constexpr std::size_t kMostFileItems = 10'000;
inline constexpr std::size_t kMaxAddendaCharacters = 500;

}  // namespace tideover::domain
