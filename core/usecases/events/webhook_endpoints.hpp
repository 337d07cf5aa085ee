// Registers, shows and removes webhook endpoints (core/docs/contract.md#webhooks).
#pragma once
#include "core/ports/credentials.hpp"
#include "core/usecases/request/request_context.hpp"

namespace tideover::usecases {

/// Whether this service may call that URL; the Error has the reason.
using CheckUrl = std::function<domain::Status(std::string_view url)>;

class WebhookEndpoints {
 public:
  WebhookEndpoints(ports::Store& store, const ports::Credentials& credentials, ports::IdSource& ids, CheckUrl check_url)
      : store_(store), credentials_(credentials), ids_(ids), check_url_(std::move(check_url)) {}

  /// Uses url, events and description of `endpoint`. Only this response has the secret: its replay is rendered from an
  /// endpoint with an empty secret.
  domain::Result<StoredResponse> create(const RequestContext& context, domain::WebhookEndpoint endpoint,
                                        const Render<domain::WebhookEndpoint>& render);
  domain::Result<std::vector<domain::WebhookEndpoint>> list(const domain::TenantId& tenant, std::string_view after,
                                                            std::size_t limit) const;
  /// Error not_found.
  domain::Result<domain::WebhookEndpoint> one(const domain::TenantId& tenant, const std::string& endpoint_id) const;
  domain::Result<StoredResponse> remove(const RequestContext& context, const std::string& endpoint_id,
                                        const Render<domain::WebhookEndpointId>& render);

 private:
  /// All faults together; empty when the endpoint can be registered.
  std::optional<domain::Error> faults_of(const domain::WebhookEndpoint& endpoint) const;

  ports::Store& store_;
  const ports::Credentials& credentials_;
  ports::IdSource& ids_;
  CheckUrl check_url_;
};

}  // namespace tideover::usecases
