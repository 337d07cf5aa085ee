// Reviews, found by the authorization they grant.
#pragma once
#include <optional>

#include "core/domain/review.hpp"

namespace tideover::ports {

class ReviewRecords {
 public:
  virtual ~ReviewRecords() = default;
  virtual void insert(const domain::TenantId& tenant, const domain::Review& review) = 0;
  virtual std::optional<domain::Review> find(const domain::TenantId& tenant,
                                             const domain::AuthorizationId& authorization) const = 0;
  virtual std::optional<domain::Review> latest_of(const domain::TenantId& tenant, const domain::ClaimId& claim) const = 0;
};

}  // namespace tideover::ports
