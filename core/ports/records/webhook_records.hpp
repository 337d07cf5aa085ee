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
  /// Secrets that cannot be decrypted are empty, and `secret_fault` has the reason; the same in `list`.
  virtual std::optional<domain::WebhookEndpoint> find(const domain::TenantId& tenant,
                                                      const domain::WebhookEndpointId& id) const = 0;
  virtual std::vector<domain::WebhookEndpoint> list(const domain::TenantId& tenant,
                                                    const domain::ListPage& page) const = 0;
  /// Also ends its waiting deliveries. False when there is no such endpoint.
  virtual bool remove(const domain::TenantId& tenant, const domain::WebhookEndpointId& id) = 0;
  virtual std::size_t count(const domain::TenantId& tenant) const = 0;
  /// Writes all but `health`, where the endpoint still has this revision; false: another writer was first, or there is
  /// no such endpoint. Secrets with a fault stay as they are stored.
  virtual bool update(const domain::TenantId& tenant, const domain::WebhookEndpoint& endpoint) = 0;
  /// False when the endpoint is disabled already, does not exist, or has another health than `judged`.
  virtual bool disable(const domain::TenantId& tenant, const domain::WebhookEndpointId& id,
                       const domain::EndpointHealth& judged, domain::DisabledReason reason, domain::Timestamp now) = 0;
  /// Without the secrets, so that each outcome of an attempt may ask. Absent: no such endpoint.
  virtual std::optional<domain::EndpointHealth> health(const domain::TenantId& tenant,
                                                       const domain::WebhookEndpointId& id) const = 0;
  /// False when the endpoint no longer has the health `before`.
  virtual bool set_health(const domain::TenantId& tenant, const domain::WebhookEndpointId& id,
                          const domain::EndpointHealth& before, const domain::EndpointHealth& after) = 0;
  /// Forgets all failures, whatever another worker has written meanwhile.
  virtual void reset_health(const domain::TenantId& tenant, const domain::WebhookEndpointId& id) = 0;
  /// Removes previous secrets whose overlap has ended by the time of their tenant, of at most `limit` endpoints of all
  /// tenants. `now` is the real time. The number of endpoints that were changed.
  virtual std::size_t drop_expired_secrets(domain::Timestamp now, std::size_t limit) = 0;
};

}  // namespace tideover::ports
