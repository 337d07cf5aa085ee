// Closes and reopens months of the ledger (core/docs/contract.md#periods). A close stores the balances at the end of
// the month; a later transaction for that month takes effect on the first open day.
//
// Threads: thread-safe.
// Errors: invalid_parameter for a period that is no month; invalid_state when it cannot be closed or reopened now.
#pragma once
#include <string>
#include <vector>

#include "core/domain/ledger/period.hpp"
#include "core/ports/id_source.hpp"
#include "core/ports/store.hpp"
#include "core/usecases/request/request_context.hpp"

namespace tideover::usecases {

class ClosePeriod {
 public:
  ClosePeriod(ports::Store& store, ports::IdSource& ids) : store_(store), ids_(ids) {}
  /// `period`: YYYY-MM. A month that is closed already stays as it is, and is the answer.
  domain::Result<StoredResponse> close(const RequestContext& context, const std::string& period,
                                       const Render<domain::LedgerPeriod>& render);
  /// Only the latest closed month. Transactions that were moved out of it stay where they are.
  domain::Result<StoredResponse> reopen(const RequestContext& context, const std::string& period,
                                        const Render<domain::LedgerPeriod>& render);
  /// Closed months, latest first.
  domain::Result<std::vector<domain::LedgerPeriod>> list(const domain::TenantId& tenant) const;

 private:
  ports::Store& store_;
  ports::IdSource& ids_;
};

}  // namespace tideover::usecases
