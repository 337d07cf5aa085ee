// Webhook endpoints in SQL. Bound to one session and its thread.
#pragma once
#include "core/ports/records/webhook_records.hpp"
#include "core/store/encryption/encrypted_cells.hpp"
#include "core/store/sql/session.hpp"

namespace tideover::store {

class WebhookStore final : public ports::WebhookRecords {
 public:
  WebhookStore(sql::Session& session, const EncryptedCells& cells) : session_(session), cells_(cells) {}

  void insert(const domain::TenantId& tenant, const domain::WebhookEndpoint& endpoint) override;
  std::optional<domain::WebhookEndpoint> find(const domain::TenantId& tenant,
                                              const domain::WebhookEndpointId& id) const override;
  std::vector<domain::WebhookEndpoint> list(const domain::TenantId& tenant,
                                            const domain::ListPage& page) const override;
  bool remove(const domain::TenantId& tenant, const domain::WebhookEndpointId& id) override;
  std::size_t count(const domain::TenantId& tenant) const override;
  bool update(const domain::TenantId& tenant, const domain::WebhookEndpoint& endpoint) override;
  bool disable(const domain::TenantId& tenant, const domain::WebhookEndpointId& id,
               const domain::EndpointHealth& judged, domain::DisabledReason reason, domain::Timestamp now) override;
  std::optional<domain::EndpointHealth> health(const domain::TenantId& tenant,
                                               const domain::WebhookEndpointId& id) const override;
  bool set_health(const domain::TenantId& tenant, const domain::WebhookEndpointId& id,
                  const domain::EndpointHealth& before, const domain::EndpointHealth& after) override;
  void reset_health(const domain::TenantId& tenant, const domain::WebhookEndpointId& id) override;
  std::size_t drop_expired_secrets(domain::Timestamp now, std::size_t limit) override;

 private:
  /// False when the endpoint has another revision.
  bool write_secrets(const domain::TenantId& tenant, const domain::WebhookEndpoint& endpoint, int revision);

  sql::Session& session_;
  const EncryptedCells& cells_;
};

}  // namespace tideover::store
