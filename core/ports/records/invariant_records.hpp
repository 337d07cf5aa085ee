// What must hold between the tables at every instant, whoever wrote them (core/docs/reliability.md#invariants). Each
// rule is one question to the database, so that memory stays bounded however large the books are.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tideover::ports {

/// One kind of move that claims have made, as it is stored.
struct StoredMove {
  std::string from;
  std::string to;
  std::string source;
};

class InvariantRecords {
 public:
  virtual ~InvariantRecords() = default;
  /// The rules as sentences that hold: "a funded settlement has exactly one paid attempt of its amount".
  virtual std::vector<std::string_view> rules() const = 0;
  /// Ids of rows that break rule number `rule`; none when it holds.
  virtual std::vector<std::string> offenders(std::size_t rule, std::size_t limit) const = 0;
  /// Every move that occurs in the history of claims.
  virtual std::vector<StoredMove> claim_moves() const = 0;
};

}  // namespace tideover::ports
