#include "core/http/wire/operations/webhook_json.hpp"

#include "core/http/wire/basics/list_json.hpp"
#include "core/http/wire/json/writer.hpp"

namespace tideover::wire {
namespace {

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

}  // namespace tideover::wire
