// Reads a claim: its status, and the rollup of review, adjudication and status (openapi.yaml: Claim rollup).
#pragma once
#include <optional>
#include <string>

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

class GetClaim {
 public:
  explicit GetClaim(ports::Store& store) : store_(store) {}
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
