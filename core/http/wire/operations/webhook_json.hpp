// Webhook endpoints and their deliveries as JSON (core/docs/contract.md#webhooks).
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/operations/webhook_endpoint.hpp"
#include "core/http/wire/basics/cursor.hpp"
#include "core/http/wire/basics/object_reader.hpp"
#include "core/usecases/events/webhook_deliveries.hpp"
#include "core/usecases/events/webhook_endpoints.hpp"

namespace tideover::wire {

domain::WebhookEndpoint decode_webhook_endpoint(const json::Value& body, Faults& faults);
usecases::EndpointChanges decode_endpoint_changes(const json::Value& body, Faults& faults);
/// The overlap in seconds.
std::int64_t decode_secret_rotation(const json::Value& body, Faults& faults);
/// Includes the secret; only for the answers to a creation and to a rotation.
std::string encode_new_webhook_endpoint(const domain::WebhookEndpoint& endpoint);
std::string encode_webhook_endpoint(const domain::WebhookEndpoint& endpoint);
std::string encode_webhook_endpoints(const std::vector<domain::WebhookEndpoint>& endpoints, const PageFrame& page);

std::string encode_test_event(const usecases::TestEvent& test);
std::optional<ports::Delivery::State> delivery_status_named(std::string_view name);
std::string encode_delivery(const ports::Delivery& delivery);
std::string encode_deliveries(const std::vector<ports::Delivery>& deliveries, const PageFrame& page);

}  // namespace tideover::wire
