#include "core/events/envelope.hpp"

#include "core/http/wire/json/writer.hpp"

namespace tideover::events {

std::string envelope(const ports::OutboxRow& event, std::int64_t sequence, const EnvelopeContext& context) {
  const std::string created_at = domain::format_timestamp(event.created_at);
  std::string body;
  body.reserve(event.data.size() + 384);
  json::Writer json(body);
  json.begin_object();
  json.key("event").string(event.kind);
  json.key("id").string(event.id.text());
  json.key("created_at").string(created_at);
  json.key("data").raw_number(event.data);  // already JSON text, written unchanged
  json.key("type").string(event.kind);
  json.key("timestamp").string(created_at);
  json.key("api_version").string(context.api_version);
  json.key("environment").string(context.environment);
  json.key("sequence").number(sequence);
  json.key("resource_version").number(event.version);
  json.end_object();
  return body;
}

}  // namespace tideover::events
