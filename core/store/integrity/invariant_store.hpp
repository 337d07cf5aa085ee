// The invariants in SQL. To add one, add a line to the list in invariant_store.cpp. Bound to one session and its
// thread.
#pragma once
#include "core/ports/records/invariant_records.hpp"
#include "core/store/sql/session.hpp"

namespace tideover::store {

class InvariantStore final : public ports::InvariantRecords {
 public:
  explicit InvariantStore(sql::Session& session) : session_(session) {}

  std::vector<std::string_view> rules() const override;
  std::vector<std::string> offenders(std::size_t rule, std::size_t limit) const override;
  std::vector<ports::StoredMove> claim_moves() const override;

 private:
  sql::Session& session_;
};

}  // namespace tideover::store
