// Reads the reconciliation of a settlement: the summary and its records (core/docs/contract.md#allocation).
//
// Threads: thread-safe; read-only.
#pragma once
#include <string>

#include "core/ports/store.hpp"

namespace tideover::usecases {

class GetReconciliation {
 public:
  explicit GetReconciliation(ports::Store& store) : store_(store) {}
  domain::Result<domain::Reconciliation> operator()(const domain::TenantId& tenant,
                                                    const std::string& settlement_id) const;
  /// Every candidate that the matching steps considered for the settlement.
  domain::Result<std::vector<domain::MatchCandidate>> trail(const domain::TenantId& tenant,
                                                            const std::string& settlement_id) const;

 private:
  ports::Store& store_;
};

}  // namespace tideover::usecases
