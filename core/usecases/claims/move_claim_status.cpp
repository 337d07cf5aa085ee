#include "core/usecases/claims/move_claim_status.hpp"

namespace tideover::usecases {

bool move_claim_status(ports::Records& records, const domain::TenantId& tenant, const domain::ClaimStatusRecord& from,
                       domain::ClaimStatusRecord to, ports::IdSource& ids) {
  if (to.status == from.status) return true;
  if (!domain::may_move(from.status, to.status, to.source)) return false;
  to.claim = from.claim;
  to.claim_identifier = from.claim_identifier;
  to.previous = from.status;
  to.version = from.version + 1;
  if (!records.claims().move(tenant, to)) return false;
  records.events().append(tenant, {ids.next<domain::EventId>(), to.updated_at,
                                   domain::ClaimStatusChanged{to.claim_identifier, to.status, from.status}});
  return true;
}

bool move_claim_status(ports::Records& records, const domain::TenantId& tenant, const domain::ClaimStatusRecord& from,
                       domain::ClaimStatus to, domain::StatusSource source, domain::Timestamp now,
                       ports::IdSource& ids) {
  domain::ClaimStatusRecord next;
  next.status = to;
  next.source = source;
  next.updated_at = now;
  return move_claim_status(records, tenant, from, std::move(next), ids);
}

}  // namespace tideover::usecases
