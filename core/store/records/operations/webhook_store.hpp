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
  std::vector<domain::WebhookEndpoint> list(const domain::TenantId& tenant, std::string_view after,
                                            std::size_t limit) const override;
  bool remove(const domain::TenantId& tenant, const domain::WebhookEndpointId& id) override;
  void disable(const domain::TenantId& tenant, const domain::WebhookEndpointId& id) override;

 private:
  sql::Session& session_;
  const EncryptedCells& cells_;
};

}  // namespace tideover::store
