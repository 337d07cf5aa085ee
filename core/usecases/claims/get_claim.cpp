#include "core/usecases/claims/get_claim.hpp"

#include "core/usecases/request/filter_values.hpp"

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

domain::Result<std::vector<ClaimSummary>> GetClaim::list(const domain::TenantId& tenant,
                                                         const ClaimQuery& query) const {
  FilterValues values;
  const auto status = values.read("status", query.status, domain::claim_status_named, domain::claim_status_names());
  if (values.refusal()) return *values.refusal();
  return fetch(store_, [&](const ports::Records& records) {
    std::vector<ClaimSummary> claims;
    for (auto& stored : records.claims().list(tenant, {query.payer_id, status}, query.page))
      claims.push_back({std::move(stored.status), std::move(stored.claim.draft.payer_id),
                        stored.claim.draft.submitted_amount, stored.created_at});
    return claims;
  });
}

domain::Result<std::vector<domain::ClaimStatusRecord>> GetClaim::history(const domain::TenantId& tenant,
                                                                         const std::string& claim_reference,
                                                                         const StatusHistoryQuery& query) const {
  using History = std::vector<domain::ClaimStatusRecord>;
  return fetch(store_, claim_not_found(), [&](const ports::Records& records) -> std::optional<History> {
    auto stored = records.claims().find(tenant, claim_reference);
    if (!stored) return std::nullopt;
    const auto& current = stored->status;
    auto statuses = records.claims().replaced_statuses(tenant, stored->claim.id, query.after, query.order, query.limit);
    for (auto& status : statuses) status.claim_identifier = current.claim_identifier;
    // The current status has no row of its own: it is the newest of the history.
    const bool is_newest_first = query.order == domain::ListOrder::newest_first;
    if (is_newest_first ? !query.after || current.version < *query.after : current.version > query.after.value_or(0))
      statuses.insert(is_newest_first ? statuses.begin() : statuses.end(), current);
    if (statuses.size() > query.limit) statuses.resize(query.limit);
    return statuses;
  });
}

}  // namespace tideover::usecases
