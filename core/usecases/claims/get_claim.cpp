#include "core/usecases/claims/get_claim.hpp"

namespace tideover::usecases {

domain::Error claim_not_found() {
  return domain::Error::of(domain::ErrorCode::claim_not_found, "Claim not found.");
}

std::optional<domain::Error> refuse_decided_claim(const std::optional<ports::StoredClaim>& claim) {
  if (!claim || domain::may_be_advanced(claim->status.status)) return std::nullopt;
  const std::string status(name_of(claim->status.status));
  return domain::Error::of(domain::ErrorCode::invalid_state, "A claim that is " + status + " cannot be advanced.")
      .with("status", status)
      .with_list("allowed", {});
}

domain::Result<ClaimRollup> GetClaim::rollup(const domain::TenantId& tenant, const std::string& claim_reference) const {
  return fetch(store_, claim_not_found(), [&](const ports::Records& records) -> std::optional<ClaimRollup> {
    auto stored = records.claims().find(tenant, claim_reference);
    if (!stored) return std::nullopt;
    ClaimRollup rollup;
    rollup.claim_identifier = stored->claim.draft.claim_identifier;
    rollup.details = std::move(stored->claim.draft.details);
    rollup.status = stored->status;
    rollup.review = records.reviews().latest_of(tenant, stored->claim.id);
    if (auto settlement = records.settlements().latest_of(tenant, stored->claim.id))
      rollup.adjudication = view_of(records, tenant, std::move(settlement->settlement));
    return rollup;
  });
}

domain::Result<domain::ClaimStatusRecord> GetClaim::status(const domain::TenantId& tenant,
                                                           const std::string& claim_reference) const {
  auto stored = fetch(store_, claim_not_found(),
                      [&](const ports::Records& records) { return records.claims().find(tenant, claim_reference); });
  if (!stored) return stored.error();
  return std::move(stored->status);
}

}  // namespace tideover::usecases
