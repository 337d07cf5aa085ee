// The deliveries of one webhook endpoint: a test event, the list, and a retry at once (core/docs/contract.md#webhooks).
#pragma once
#include <string>
#include <vector>

#include "core/usecases/request/request_context.hpp"

namespace tideover::usecases {

/// An event that was created to test an endpoint.
struct TestEvent {
  domain::EventId event;
  domain::WebhookEndpointId endpoint;
};

class WebhookDeliveries {
 public:
  WebhookDeliveries(ports::Store& store, ports::IdSource& ids) : store_(store), ids_(ids) {}

  /// Creates an event.ping that is delivered to this endpoint only, whatever kinds it subscribes to. Errors: not_found;
  /// invalid_state when the endpoint is disabled.
  domain::Result<StoredResponse> send_test(const RequestContext& context, const std::string& endpoint_id,
                                           const Render<TestEvent>& render);
  /// Newest event first. Uses all of `query` but its endpoint. Errors: not_found, invalid_parameter for an unknown
  /// kind.
  domain::Result<std::vector<ports::Delivery>> list(const RequestContext& context, const std::string& endpoint_id,
                                                    ports::DeliveryQuery query) const;
  /// Starts the delivery of this event again, at once. A delivery that is due or in progress stays as it is. Errors:
  /// not_found; invalid_state when the endpoint is disabled.
  domain::Result<StoredResponse> retry(const RequestContext& context, const std::string& endpoint_id,
                                       const std::string& event_id, const Render<ports::Delivery>& render);

 private:
  ports::Store& store_;
  ports::IdSource& ids_;
};

}  // namespace tideover::usecases
