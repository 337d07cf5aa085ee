// The invariants of the stored records: core/docs/reliability.md#invariants, I1 to I8, I12, I14 and I15, as far as the
// database knows. Joins use primary keys and indexes; GROUP BY uses keys only.
#pragma once
#include <span>
#include <string_view>

#include "core/store/sql/parameter.hpp"

namespace tideover::store {

struct InvariantRule {
  std::string_view holds;
  sql::Sql offenders;  // one column: the id of a row that breaks it; LIMIT ? at the end
};

/// Of the ledger, of its causes and of payments over rails.
std::span<const InvariantRule> ledger_invariants();
/// Of settlements, remittances, claims, events and the audit trail.
std::span<const InvariantRule> record_invariants();

}  // namespace tideover::store
