// Registers, shows, changes and removes webhook endpoints (core/docs/contract.md#webhooks).
#pragma once
#include "core/ports/credentials.hpp"
#include "core/usecases/request/request_context.hpp"

namespace tideover::usecases {

/// Whether this service may call that URL; the Error has the reason.
using CheckUrl = std::function<domain::Status(std::string_view url)>;

/// What a client changes of an endpoint. Absent: unchanged.
struct EndpointChanges {
  std::optional<std::string> url;
  std::optional<std::vector<std::string>> events;
  std::optional<std::string> description;
  std::optional<bool> enabled;
  Expected<domain::WebhookEndpoint> expected = {};
};

class WebhookEndpoints {
 public:
  /// The longest overlap of a rotated secret, and the one without a request for another.
  static constexpr std::int64_t kLongestOverlapS = 7 * 86'400;
  static constexpr std::int64_t kUsualOverlapS = 86'400;

  /// `most`: the number of endpoints that a tenant may have.
  WebhookEndpoints(ports::Store& store, const ports::Credentials& credentials, ports::IdSource& ids, CheckUrl check_url,
                   std::size_t most)
      : store_(store), credentials_(credentials), ids_(ids), check_url_(std::move(check_url)), most_(most) {}

  /// All faults together when an endpoint may not have this URL or these kinds: what `create` and `update` refuse. An
  /// absent URL is not checked.
  domain::Status check(const std::optional<std::string>& url, const std::vector<std::string>& events) const;
  domain::Status check(const EndpointChanges& changes) const {
    return check(changes.url, changes.events.value_or(std::vector<std::string>{}));
  }

  /// Uses url, events and description of `endpoint`. Only this response has the secret: its replay is rendered from an
  /// endpoint with an empty secret. Error invalid_state when the tenant has `most` endpoints.
  domain::Result<StoredResponse> create(const RequestContext& context, domain::WebhookEndpoint endpoint,
                                        const Render<domain::WebhookEndpoint>& render);
  /// As `one`, without previous secrets that have ended by `now`.
  domain::Result<std::vector<domain::WebhookEndpoint>> list(const domain::TenantId& tenant,
                                                            const domain::ListPage& page, domain::Timestamp now) const;
  /// Error not_found.
  domain::Result<domain::WebhookEndpoint> one(const domain::TenantId& tenant, const std::string& endpoint_id,
                                              domain::Timestamp now) const;
  /// Enabling an endpoint forgets why it was disabled and that it failed. Errors: those of create, not_found, conflict,
  /// version_conflict when it is not as expected.
  domain::Result<StoredResponse> update(const RequestContext& context, const std::string& endpoint_id,
                                        const EndpointChanges& changes, const Render<domain::WebhookEndpoint>& render);
  /// As for create, only this response has the new secret. `overlap_s`: 0 to kLongestOverlapS. An old secret that
  /// cannot be decrypted ends at once. Errors: validation_error, not_found, conflict.
  domain::Result<StoredResponse> rotate_secret(const RequestContext& context, const std::string& endpoint_id,
                                               std::int64_t overlap_s, const Render<domain::WebhookEndpoint>& render);
  domain::Result<StoredResponse> remove(const RequestContext& context, const std::string& endpoint_id,
                                        const Render<domain::WebhookEndpointId>& render);

 private:
  using Change = std::function<domain::Status(ports::Records&, domain::WebhookEndpoint&)>;
  /// Changes the stored endpoint in one unit, with its trace; the endpoint as it is then, with its secret.
  domain::Result<domain::WebhookEndpoint> change(const RequestContext& context, const std::string& endpoint_id,
                                                 const Change& change, const Render<domain::WebhookEndpoint>& render);

  ports::Store& store_;
  const ports::Credentials& credentials_;
  ports::IdSource& ids_;
  CheckUrl check_url_;
  std::size_t most_;
};

}  // namespace tideover::usecases
