#include "core/usecases/ledger/post_entry.hpp"

#include "core/domain/ledger/period.hpp"

namespace tideover::usecases {

void post_entry(const UnitOfWork& unit, domain::LedgerTransaction transaction) {
  domain::keep_out_of_closed(transaction, unit.records.ledger().closed_through(unit.tenant));
  unit.records.ledger().append(unit.tenant, transaction);
}

}  // namespace tideover::usecases
