// A settlement's reconciliation: the whole, and the records that make it up (core/docs/contract.md#allocation).
#pragma once
#include <string>

#include "core/ports/store.hpp"

namespace tideover::usecases {

class GetReconciliation {
 public:
  explicit GetReconciliation(ports::Store& store) : store_(store) {}
  domain::Result<domain::Reconciliation> operator()(const domain::TenantId& tenant,
                                                    const std::string& settlement_id) const;
  /// Every candidate that the match ladder looked at for it.
  domain::Result<std::vector<domain::MatchCandidate>> trail(const domain::TenantId& tenant,
                                                            const std::string& settlement_id) const;

 private:
  ports::Store& store_;
};

}  // namespace tideover::usecases
