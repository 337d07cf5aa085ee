// Reviews, found by their authorization.
#pragma once
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "core/domain/basics/list_page.hpp"
#include "core/domain/reviews/review.hpp"

namespace tideover::ports {

/// Empty members match everything.
struct ReviewFilter {
  std::optional<domain::ClaimId> claim = std::nullopt;
  std::string_view payer_id = {};
  std::optional<bool> denial_predicted = std::nullopt;
};

class ReviewRecords {
 public:
  virtual ~ReviewRecords() = default;
  virtual void insert(const domain::TenantId& tenant, const domain::Review& review) = 0;
  virtual std::optional<domain::Review> find(const domain::TenantId& tenant,
                                             const domain::AuthorizationId& authorization) const = 0;
  virtual std::optional<domain::Review> find(const domain::TenantId& tenant, const domain::ReviewId& id) const = 0;
  virtual std::optional<domain::Review> latest_of(const domain::TenantId& tenant,
                                                  const domain::ClaimId& claim) const = 0;
  /// Authorizations after `after` and up to `until`, ordered by id, so by time; the bounds need not exist.
  virtual std::vector<domain::AuthorizationId> observed(const domain::TenantId& tenant,
                                                        const domain::AuthorizationId& after,
                                                        const domain::AuthorizationId& until,
                                                        std::size_t limit) const = 0;
  /// Ordered by authorization_id.
  virtual std::vector<domain::Review> list(const domain::TenantId& tenant, const ReviewFilter& filter,
                                           const domain::ListPage& page) const = 0;
};

}  // namespace tideover::ports
