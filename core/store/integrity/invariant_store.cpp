#include "core/store/integrity/invariant_store.hpp"

#include "core/store/integrity/invariant_rules.hpp"
#include "core/store/records/rows/columns.hpp"

namespace tideover::store {

std::vector<std::string_view> InvariantStore::rules() const {
  std::vector<std::string_view> names;
  for (const auto rules : {ledger_invariants(), record_invariants()})
    for (const auto& rule : rules) names.push_back(rule.holds);
  return names;
}

std::vector<std::string> InvariantStore::offenders(std::size_t rule, std::size_t limit) const {
  const auto ledger = ledger_invariants();
  const auto& broken = rule < ledger.size() ? ledger[rule] : record_invariants()[rule - ledger.size()];
  return all(
      session_, [](const sql::Row& row) { return row.text(0); }, broken.offenders, rows(limit));
}

std::vector<ports::StoredMove> InvariantStore::claim_moves() const {
  return all(
      session_,
      [](const sql::Row& row) {
        return ports::StoredMove{row.text(0), row.text(1), row.text(2)};
      },
      "SELECT previous, status, source FROM claim_status_history WHERE previous IS NOT NULL "
      "UNION SELECT status_previous, status, status_source FROM claims WHERE status_previous IS NOT NULL");
}

}  // namespace tideover::store
