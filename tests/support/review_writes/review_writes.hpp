// The statements that one durable review hands to its transaction, taken down instead of executed. One thread.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "core/store/sql/parameter.hpp"

namespace tideover::tests {

struct StatementTaken {
  using Value = std::variant<std::monostate, std::int64_t, std::string, std::vector<std::uint8_t>>;
  std::string sql;
  std::vector<Value> values;
  bool reads = false;
};

class ReviewWrites {
 public:
  explicit ReviewWrites(sql::Dialect dialect);
  ~ReviewWrites();

  /// The unit of a new claim's review, in order. Each call is another claim, with a random key where `with_key` asks
  /// for one.
  std::vector<StatementTaken> next(bool with_key);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tideover::tests
