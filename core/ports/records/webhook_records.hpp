// Webhook endpoints.
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "core/domain/operations/event.hpp"

namespace tideover::ports {

class WebhookRecords {
 public:
  virtual ~WebhookRecords() = default;
  virtual void insert(const domain::TenantId& tenant, const domain::WebhookEndpoint& endpoint) = 0;
  virtual std::optional<domain::WebhookEndpoint> find(const domain::TenantId& tenant,
                                                      const domain::WebhookEndpointId& id) const = 0;
  /// Ordered by id, after `after`.
  virtual std::vector<domain::WebhookEndpoint> list(const domain::TenantId& tenant, std::string_view after,
                                                    std::size_t limit) const = 0;
  /// Also ends its waiting deliveries. False when there is no such endpoint.
  virtual bool remove(const domain::TenantId& tenant, const domain::WebhookEndpointId& id) = 0;
  virtual void disable(const domain::TenantId& tenant, const domain::WebhookEndpointId& id) = 0;
};

}  // namespace tideover::ports
