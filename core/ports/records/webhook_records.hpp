// Webhook endpoints.
#pragma once
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "core/domain/basics/list_page.hpp"
#include "core/domain/operations/webhook_endpoint.hpp"

namespace tideover::ports {

class WebhookRecords {
 public:
  virtual ~WebhookRecords() = default;
  virtual void insert(const domain::TenantId& tenant, const domain::WebhookEndpoint& endpoint) = 0;
  virtual std::optional<domain::WebhookEndpoint> find(const domain::TenantId& tenant,
                                                      const domain::WebhookEndpointId& id) const = 0;
  virtual std::vector<domain::WebhookEndpoint> list(const domain::TenantId& tenant,
                                                    const domain::ListPage& page) const = 0;
  /// Also ends its waiting deliveries. False when there is no such endpoint.
  virtual bool remove(const domain::TenantId& tenant, const domain::WebhookEndpointId& id) = 0;
  virtual std::size_t count(const domain::TenantId& tenant) const = 0;
  /// Writes all but `health`, where the endpoint still has this revision; false: another writer was first, or there is
  /// no such endpoint.
  virtual bool update(const domain::TenantId& tenant, const domain::WebhookEndpoint& endpoint) = 0;
  /// False when the endpoint is disabled already, or does not exist.
  virtual bool disable(const domain::TenantId& tenant, const domain::WebhookEndpointId& id,
                       domain::DisabledReason reason, domain::Timestamp now) = 0;
  /// Without the secrets, so that each outcome of an attempt may ask. Absent: no such endpoint.
  virtual std::optional<domain::EndpointHealth> health(const domain::TenantId& tenant,
                                                       const domain::WebhookEndpointId& id) const = 0;
  virtual void set_health(const domain::TenantId& tenant, const domain::WebhookEndpointId& id,
                          const domain::EndpointHealth& health) = 0;
};

}  // namespace tideover::ports
