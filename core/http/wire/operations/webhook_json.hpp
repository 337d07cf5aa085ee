// Webhook endpoints as JSON (core/docs/contract.md#webhooks).
#pragma once
#include <string>
#include <vector>

#include "core/domain/operations/event.hpp"
#include "core/http/wire/basics/cursor.hpp"
#include "core/http/wire/basics/object_reader.hpp"

namespace tideover::wire {

domain::WebhookEndpoint decode_webhook_endpoint(const json::Value& body, Faults& faults);
/// Includes the secret; only for the answer to a creation.
std::string encode_new_webhook_endpoint(const domain::WebhookEndpoint& endpoint);
std::string encode_webhook_endpoint(const domain::WebhookEndpoint& endpoint);
std::string encode_webhook_endpoints(const std::vector<domain::WebhookEndpoint>& endpoints, const PageFrame& page);

}  // namespace tideover::wire
