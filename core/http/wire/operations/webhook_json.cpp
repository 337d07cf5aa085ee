#include "core/http/wire/operations/webhook_json.hpp"

#include <algorithm>
#include <charconv>

#include "core/http/wire/basics/list_json.hpp"
#include "core/http/wire/json/writer.hpp"

namespace tideover::wire {
namespace {

void put_time(json::Writer& out, std::string_view name, const std::optional<domain::Timestamp>& at) {
  if (at) out.key(name).string(format_timestamp(*at));
}

void put_endpoint(json::Writer& out, const domain::WebhookEndpoint& endpoint, bool with_secret) {
  out.begin_object();
  out.key("id").string(endpoint.id.text());
  out.key("url").string(endpoint.url);
  out.key("events").begin_array();
  for (const auto& event : endpoint.events) out.string(event);
  out.end_array();
  out.key("status").string(endpoint.enabled ? "enabled" : "disabled");
  if (with_secret) out.key("secret").string(endpoint.secret.reveal());
  if (!endpoint.description.empty()) out.key("description").string(endpoint.description);
  out.key("created_at").string(format_timestamp(endpoint.created_at));
  if (endpoint.disabled_reason) out.key("disabled_reason").string(name_of(*endpoint.disabled_reason));
  put_time(out, "disabled_at", endpoint.disabled_at);
  put_time(out, "failing_since", endpoint.health.failing_since);
  std::optional<domain::Timestamp> last_end;
  for (const auto& previous : endpoint.previous_secrets)
    last_end = last_end ? std::max(*last_end, previous.until) : previous.until;
  put_time(out, "previous_secrets_until", last_end);
  out.end_object();
}

std::string_view status_of(ports::Delivery::State state) {
  switch (state) {
    case ports::Delivery::State::waiting:
      return "pending";
    case ports::Delivery::State::delivered:
      return "delivered";
    case ports::Delivery::State::dead:
      return "failed";
  }
  return "failed";
}

void put_delivery(json::Writer& out, const ports::Delivery& delivery) {
  out.begin_object();
  out.key("event_id").string(delivery.event.text());
  out.key("event").string(delivery.kind);
  out.key("endpoint_id").string(delivery.endpoint.text());
  out.key("status").string(status_of(delivery.state));
  out.key("attempts").number(delivery.attempts);
  out.key("attempt_type").string(delivery.manual ? "manual" : "automatic");
  out.key("in_progress").boolean(delivery.in_progress);
  if (delivery.last_status != 0) out.key("last_response_status").number(delivery.last_status);
  if (!delivery.last_error.empty()) out.key("last_error").string(delivery.last_error);
  put_time(out, "last_attempt_at", delivery.last_try_at);
  if (delivery.state == ports::Delivery::State::waiting) put_time(out, "next_attempt_at", delivery.next_try_at);
  out.end_object();
}

}  // namespace

domain::WebhookEndpoint decode_webhook_endpoint(const json::Value& body, Faults& faults) {
  domain::WebhookEndpoint endpoint;
  ObjectReader in(body, "", faults);
  endpoint.url =
      in.short_text("url", 2048)
          .value_or("");  // its presence is checked with its content, so that all faults are reported together
  endpoint.events = in.texts("events");
  endpoint.description = in.short_text("description", 200).value_or("");
  in.finish();
  return endpoint;
}

usecases::EndpointChanges decode_endpoint_changes(const json::Value& body, Faults& faults) {
  usecases::EndpointChanges changes;
  ObjectReader in(body, "", faults);
  changes.url = in.short_text("url", 2048);
  // An empty list means all kinds, so it differs from an absent one.
  auto events = in.texts("events");
  if (const auto given = body.find("events"); given && !given->is_null()) changes.events = std::move(events);
  changes.description = in.short_text("description", 200);
  if (const auto status = in.text("status")) {
    changes.enabled = *status == "enabled";
    if (!*changes.enabled && *status != "disabled") in.fault("status", "must be enabled or disabled");
  }
  in.finish();
  return changes;
}

std::int64_t decode_secret_rotation(const json::Value& body, Faults& faults) {
  ObjectReader in(body, "", faults);
  std::int64_t overlap_s = usecases::WebhookEndpoints::kUsualOverlapS;
  if (const auto given = in.number("overlap_seconds")) {
    const auto [end, problem] = std::from_chars(given->data(), given->data() + given->size(), overlap_s);
    if (problem != std::errc{} || end != given->data() + given->size())
      in.fault("overlap_seconds", "must be a whole number of seconds");
  }
  in.finish();
  return overlap_s;
}

std::string encode_new_webhook_endpoint(const domain::WebhookEndpoint& endpoint) {
  std::string body;
  json::Writer out(body);
  put_endpoint(out, endpoint, !endpoint.secret.reveal().empty());
  return body;
}

std::string encode_webhook_endpoint(const domain::WebhookEndpoint& endpoint) {
  std::string body;
  json::Writer out(body);
  put_endpoint(out, endpoint, false);
  return body;
}

std::string encode_webhook_endpoints(const std::vector<domain::WebhookEndpoint>& endpoints, const PageFrame& page) {
  return encode_list(
      endpoints, page,
      [](json::Writer& out, const domain::WebhookEndpoint& endpoint) { put_endpoint(out, endpoint, false); },
      [](const domain::WebhookEndpoint& endpoint) { return endpoint.id.text(); });
}

std::string encode_test_event(const usecases::TestEvent& test) {
  std::string body;
  json::Writer out(body);
  out.begin_object();
  out.key("event_id").string(test.event.text());
  out.key("event").string(kind_of(domain::Ping{}));
  out.key("endpoint_id").string(test.endpoint.text());
  out.end_object();
  return body;
}

std::optional<ports::Delivery::State> delivery_status_named(std::string_view name) {
  using State = ports::Delivery::State;
  for (const auto state : {State::waiting, State::delivered, State::dead})
    if (status_of(state) == name) return state;
  return std::nullopt;
}

std::string encode_delivery(const ports::Delivery& delivery) {
  std::string body;
  json::Writer out(body);
  put_delivery(out, delivery);
  return body;
}

std::string encode_deliveries(const std::vector<ports::Delivery>& deliveries, const PageFrame& page) {
  return encode_list(deliveries, page, put_delivery,
                     [](const ports::Delivery& delivery) { return delivery.event.text(); });
}

}  // namespace tideover::wire
