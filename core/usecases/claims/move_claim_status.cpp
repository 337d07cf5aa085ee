#include "core/usecases/claims/move_claim_status.hpp"

namespace tideover::usecases {

bool move_claim_status(const UnitOfWork& unit, const domain::ClaimStatusRecord& from, domain::ClaimStatusRecord to) {
  if (to.status == from.status) return true;
  if (!domain::may_move(from.status, to.status, to.source)) return false;
  to.claim = from.claim;
  to.claim_identifier = from.claim_identifier;
  to.previous = from.status;
  to.version = from.version + 1;
  if (!unit.records.claims().move(unit.tenant, to)) return false;
  unit.records.events().append(unit.tenant,
                               {unit.ids.next<domain::EventId>(), to.updated_at,
                                domain::ClaimStatusChanged{to.claim_identifier, to.status, from.status, to.version}});
  return true;
}

bool move_claim_status(const UnitOfWork& unit, const domain::ClaimStatusRecord& from, domain::ClaimStatus to,
                       domain::StatusSource source) {
  domain::ClaimStatusRecord next;
  next.status = to;
  next.source = source;
  next.updated_at = unit.now;
  return move_claim_status(unit, from, std::move(next));
}

}  // namespace tideover::usecases
