// Reads claims: their status with its history, and the rollup of review, adjudication and status (openapi.yaml: Claim
// rollup).
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/ports/store.hpp"
#include "core/usecases/claims/get_settlement.hpp"

namespace tideover::usecases {

struct ClaimRollup {
  std::string claim_identifier;
  domain::ClaimDetails details;
  std::optional<domain::Review> review;        // the newest
  std::optional<SettlementView> adjudication;  // the newest
  domain::ClaimStatusRecord status;
};

struct ClaimSummary {
  domain::ClaimStatusRecord status;
  std::string payer_id;
  domain::Money submitted_amount;
  domain::Timestamp created_at;
};

/// Empty filters match everything.
struct ClaimQuery {
  std::string payer_id;
  std::string status;  // a domain::ClaimStatus
  domain::ListPage page;
};

struct StatusHistoryQuery {
  std::optional<int> after;  // the last version of the page before, in this order
  domain::ListOrder order = domain::ListOrder::newest_first;
  std::size_t limit = 25;
};

class GetClaim {
 public:
  explicit GetClaim(ports::Store& store) : store_(store) {}
  domain::Result<std::vector<ClaimSummary>> list(const domain::TenantId& tenant, const ClaimQuery& query) const;
  /// All statuses that the claim has had, with the current one.
  domain::Result<std::vector<domain::ClaimStatusRecord>> history(const domain::TenantId& tenant,
                                                                 const std::string& claim_reference,
                                                                 const StatusHistoryQuery& query) const;
  domain::Result<ClaimRollup> rollup(const domain::TenantId& tenant, const std::string& claim_reference) const;
  domain::Result<domain::ClaimStatusRecord> status(const domain::TenantId& tenant,
                                                   const std::string& claim_reference) const;

 private:
  ports::Store& store_;
};

domain::Error claim_not_found();
/// The reason why the claim cannot be advanced; nullopt while its payer has not decided.
std::optional<domain::Error> refuse_decided_claim(const std::optional<ports::StoredClaim>& claim);

}  // namespace tideover::usecases
