// Inserts that are kept back in a transaction, so that rows of one statement go to the server together: over a network
// a round trip costs more than a row. Owns copies of the values. One thread at a time.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/store/sql/parameter.hpp"

namespace tideover::sql {

class GatheredInserts {
 public:
  /// Takes the row if `sql` is a plain one-row insert: "INSERT INTO … VALUES (?, …)" without further clauses.
  bool take(std::string_view sql, std::span<const Parameter> parameters);

  /// Passes all rows to `execute`, many per statement, in order of the first use of the statements, and clears them,
  /// also when `execute` throws.
  using Execute = std::function<void(std::string_view sql, std::span<const Parameter> parameters)>;
  void hand_over(const Execute& execute);

  bool empty() const { return statements_.empty(); }
  void clear() { statements_.clear(); }

 private:
  using Value = std::variant<std::monostate, std::int64_t, std::string, std::vector<std::uint8_t>>;
  struct Rows {
    std::string sql;
    std::size_t columns;
    std::size_t bytes = 0;      // of all values
    std::vector<Value> values;  // row by row
  };

  std::vector<Rows> statements_;
};

}  // namespace tideover::sql
