#include "core/usecases/residual_due.hpp"

namespace tideover::usecases {

domain::Money residual_due(const ports::Records& records, const domain::TenantId& tenant, const domain::SettlementId& settlement) {
  return position_of(records.reconciliations().of(tenant, settlement)).split.residual - claimed_by(records.settlements().payouts_of(tenant, settlement));
}

}  // namespace tideover::usecases
