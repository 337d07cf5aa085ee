// What a file of the bank says about deposits, transaction by transaction (POST
// /v1/deposits/files; core/docs/contract.md#reconciliation).
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/domain/reconciliation/remittance.hpp"

namespace tideover::domain {

/// One transaction. Only a `deposit` has `reference` and `deposit`; the others say why they are none.
struct DepositFileItem {
  enum class Kind { deposit, ignored, refused };
  std::int64_t line = 0;  // 1-based, where it begins in the file
  Kind kind = Kind::deposit;
  std::string reason;
  std::string reference;  // by what the bank tells it from others; may repeat within a file
  Deposit deposit;        // payer_id is ours, or empty where nobody knows who paid
};

struct DepositFileWarning {
  std::int64_t line = 0;
  std::string message;
};

struct DepositFile {
  std::vector<DepositFileItem> items;  // in file order
  std::vector<DepositFileWarning> warnings;
};

/// What one request may post: a statement of more comes in several.
inline constexpr std::size_t kMostFileItems = 10'000;
inline constexpr std::size_t kMaxAddendaCharacters = 500;

}  // namespace tideover::domain
