// Invariants between the tables, which hold at every instant (core/docs/reliability.md#invariants). Each is one query,
// so that memory stays bounded however large the ledger is.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tideover::ports {

/// One kind of stored move of a claim's status.
struct StoredMove {
  std::string from;
  std::string to;
  std::string source;
};

class InvariantRecords {
 public:
  virtual ~InvariantRecords() = default;
  /// The rules, as sentences that hold: "a funded settlement has exactly one paid attempt of its amount".
  virtual std::vector<std::string_view> rules() const = 0;
  /// Ids of rows that break rule number `rule`; empty when it holds.
  virtual std::vector<std::string> offenders(std::size_t rule, std::size_t limit) const = 0;
  /// Every move in the history of claims.
  virtual std::vector<StoredMove> claim_moves() const = 0;
};

}  // namespace tideover::ports
