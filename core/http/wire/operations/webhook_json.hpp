// Webhook endpoints on the wire (core/docs/contract.md#webhooks). Pure functions.
#pragma once
#include <string>
#include <vector>

#include "core/domain/operations/event.hpp"
#include "core/http/wire/basics/object_reader.hpp"

namespace tideover::wire {

domain::WebhookEndpoint decode_webhook_endpoint(const json::Value& body, Faults& faults);
/// Includes the secret; only for the response to a creation.
std::string encode_new_webhook_endpoint(const domain::WebhookEndpoint& endpoint);
std::string encode_webhook_endpoint(const domain::WebhookEndpoint& endpoint);
std::string encode_webhook_endpoints(const std::vector<domain::WebhookEndpoint>& endpoints, std::size_t limit);
std::string encode_removed_webhook_endpoint(const domain::WebhookEndpointId& id);

}  // namespace tideover::wire
